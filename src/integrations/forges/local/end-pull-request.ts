import { sql } from 'kysely'
import type { LocalForgePorts } from './local-project.ts'
import { lockPullRequests, readPullRequest, updatePullRequest } from './pull-requests.ts'
import type { PullRequestRow } from './pull-requests.ts'

/** Ends an open pull request and tells of it, in one transaction. One that has ended already stays as it is. */
export async function endPullRequest(
  ports: Pick<LocalForgePorts, 'store' | 'onStateChange'>,
  projectId: string,
  row: PullRequestRow,
  end: { state: 'closed' } | { state: 'merged'; head_commit: string; merge_commit: string },
): Promise<PullRequestRow> {
  return ports.store.transaction(async (tx) => {
    await lockPullRequests(tx, projectId)
    const now = await readPullRequest(tx, projectId, row.number)
    if (now?.state !== 'open') return now ?? row
    await updatePullRequest(tx, projectId, row.number, { ...end, closed_at: sql<Date>`now()` })
    await ports.onStateChange(tx, { projectId, number: row.number, state: end.state })
    return (await readPullRequest(tx, projectId, row.number)) ?? row
  })
}

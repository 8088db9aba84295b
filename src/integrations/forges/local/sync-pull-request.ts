import { mergeBase } from '../../git/ancestry.ts'
import { endPullRequest } from './end-pull-request.ts'
import { keepCommits } from './keep-commits.ts'
import type { LocalForgePorts, LocalProject } from './local-project.ts'
import { lockPullRequests, readPullRequest, updatePullRequest } from './pull-requests.ts'
import type { PullRequestRow } from './pull-requests.ts'
import { readBranches } from './read-branches.ts'

/** Brings an open pull request up to what git says: moved branches, a merge made by hand, a deleted branch. */
export async function syncPullRequest(
  ports: Pick<LocalForgePorts, 'store' | 'onStateChange'>,
  project: LocalProject,
  row: PullRequestRow,
): Promise<PullRequestRow> {
  if (row.state !== 'open') return row
  const { head = row.head_commit, base, deleted } = await look(project, row)
  const common = base === undefined ? undefined : await mergeBase(project.repository, base, head)
  if (base !== undefined && common === head) {
    return endPullRequest(ports, project.id, row, { state: 'merged', head_commit: head, merge_commit: base })
  }
  if (deleted) return endPullRequest(ports, project.id, row, { state: 'closed' })
  const base_commit = common ?? row.base_commit
  if (head === row.head_commit && base_commit === row.base_commit) return row
  await keepCommits(project, row.number, head)
  return ports.store.transaction(async (tx) => {
    await lockPullRequests(tx, project.id)
    const now = await readPullRequest(tx, project.id, row.number)
    if (now?.state !== 'open') return now ?? row
    await updatePullRequest(tx, project.id, row.number, { head_commit: head, base_commit })
    return { ...now, head_commit: head, base_commit }
  })
}

async function look(
  project: LocalProject,
  row: PullRequestRow,
): Promise<{ head: string | undefined; base: string | undefined; deleted: boolean }> {
  const branches = await readBranches(project, row)
  return { ...branches, deleted: branches.head === undefined }
}

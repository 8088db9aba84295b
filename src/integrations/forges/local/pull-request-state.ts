import { AppError } from '../../../lib/errors.ts'
import type { LocalForgePorts, LocalProject } from './local-project.ts'
import {
  lockPullRequests,
  newestByHead,
  readPullRequest,
  readPullRequests,
  updatePullRequest,
  type PullRequestRow,
} from './pull-requests.ts'
import { sql } from 'kysely'
import { mergeBase } from '../../git/trees/ancestry.ts'
import { updateReference } from '../../git/update-reference.ts'
import { fetchMirror } from '../../git/mirrors/fetch-mirror.ts'
import { resolveBranches } from '../../git/resolve-reference.ts'

/** Closes without merging; the branch stays. Closing again changes nothing. @throws AppError `not_found`, `conflict` */
export async function closePullRequest(
  ports: LocalForgePorts,
  project: LocalProject,
  number: number,
  by?: string,
): Promise<void> {
  const row = await readPullRequest(ports.store.db, project.id, number)
  if (!row) throw new AppError('not_found', `Pull request ${number} not found`)
  const now = await syncPullRequest(ports, project, row)
  const { state } =
    now.state === 'open' ? await endPullRequest(ports, project.id, now, { state: 'closed' }, by) : now
  if (state === 'merged') throw new AppError('conflict', `Pull request ${number} is already merged`)
}

/**
 * Opens a closed pull request again. Opening an open one changes nothing.
 * @throws AppError `not_found`, or `conflict` when it is merged, its branch is gone or has nothing left to merge, or
 * another pull request of the branch is open
 */
export async function reopenPullRequest(
  ports: LocalForgePorts,
  project: LocalProject,
  number: number,
  by?: string,
): Promise<void> {
  const row = await readPullRequest(ports.store.db, project.id, number)
  if (!row) throw new AppError('not_found', `Pull request ${number} not found`)
  const { head, base } = await readBranches(project, row)
  if (row.state === 'closed' && (head === undefined || base === undefined))
    throw new AppError(
      'conflict',
      `The branch ${JSON.stringify(head === undefined ? row.head : row.base)} no longer exists: push it again, then reopen this`,
    )
  const common =
    head === undefined || base === undefined ? undefined : await mergeBase(project.repository, base, head)
  if (row.state === 'closed' && common === head)
    throw new AppError('conflict', `${row.base} already has everything that ${row.head} has`)
  await ports.store.transaction(async (tx) => {
    await lockPullRequests(tx, project.id)
    const now = await readPullRequest(tx, project.id, number)
    if (now?.state === 'open') return
    if (now?.state !== 'closed') throw new AppError('conflict', `Pull request ${number} is already merged`)
    const newest = await newestByHead(tx, project.id, row.head)
    if (newest?.state === 'open')
      throw new AppError('conflict', `Pull request ${newest.number} of the same branch is open: use that one`)
    await updatePullRequest(tx, project.id, number, {
      state: 'open',
      closed_at: null,
      ...(head !== undefined && { head_commit: head }),
      ...(common !== undefined && { base_commit: common }),
    })
    await ports.onStateChange(tx, { projectId: project.id, number, state: 'open', by })
  })
  if (head !== undefined) await keepCommits(project, number, head)
}

/**
 * Marks an open pull request as merged or closed, and reports it, in one transaction. One that has already ended is
 * left alone.
 */
export async function endPullRequest(
  ports: Pick<LocalForgePorts, 'store' | 'onStateChange'>,
  projectId: string,
  row: PullRequestRow,
  end: { state: 'closed' } | { state: 'merged'; head_commit: string; merge_commit: string },
  by?: string,
): Promise<PullRequestRow> {
  return ports.store.transaction(async (tx) => {
    await lockPullRequests(tx, projectId)
    const now = await readPullRequest(tx, projectId, row.number)
    if (now?.state !== 'open') return now ?? row
    await updatePullRequest(tx, projectId, row.number, { ...end, closed_at: sql<Date>`now()` })
    await ports.onStateChange(tx, {
      projectId,
      number: row.number,
      state: end.state,
      ...(by !== undefined && { by }),
    })
    return (await readPullRequest(tx, projectId, row.number)) ?? row
  })
}

/** Updates an open pull request from git: moved branches, a merge made by hand, a deleted branch. */
export async function syncPullRequest(
  ports: Pick<LocalForgePorts, 'store' | 'onStateChange'>,
  project: LocalProject,
  row: PullRequestRow,
): Promise<PullRequestRow> {
  if (row.state !== 'open') return row
  return compareBranches(ports, project, row, await readBranches(project, row))
}

/** The same for all open pull requests of a project whose mirror was fetched just now. */
export async function syncPullRequests(ports: LocalForgePorts, project: LocalProject): Promise<void> {
  for (const row of await readPullRequests(ports.store.db, project.id, { state: 'open', limit: 200 })) {
    const [head, base] = await resolveBranches(project.repository, [row.head, row.base])
    await compareBranches(ports, project, row, { head, base })
  }
}

async function compareBranches(
  ports: Pick<LocalForgePorts, 'store' | 'onStateChange'>,
  project: LocalProject,
  row: PullRequestRow,
  present: { head: string | undefined; base: string | undefined },
): Promise<PullRequestRow> {
  const { head = row.head_commit, base } = present
  const common = base === undefined ? undefined : await mergeBase(project.repository, base, head)
  if (base !== undefined && common === head) {
    return endPullRequest(ports, project.id, row, { state: 'merged', head_commit: head, merge_commit: base })
  }
  if (present.head === undefined) return endPullRequest(ports, project.id, row, { state: 'closed' })
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

/** Keeps the commits of a pull request by a reference, so that its diff can be read after the branch was deleted. */
export async function keepCommits(
  project: Pick<LocalProject, 'id' | 'repository'>,
  number: number,
  head: string,
): Promise<void> {
  const reference = `refs/docwright/pulls/${project.id}/${number}`
  await updateReference(project.repository, { reference, commit: head }).catch((error: unknown) => {
    // Another process writes the same reference at this moment.
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
  })
}

/** The present commits of both branches; undefined for a branch that does not exist. */
export async function readBranches(
  project: Pick<LocalProject, 'repository' | 'remote'>,
  names: { head: string; base: string },
): Promise<{ head: string | undefined; base: string | undefined }> {
  await fetchMirror(project.repository, project.remote)
  const [head, base] = await resolveBranches(project.repository, [names.head, names.base])
  return { head, base }
}

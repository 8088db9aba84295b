import { findJobByBranch, type Job } from '../../features/agent/jobs.ts'
import { findJobOfPullRequest } from '../../features/agent/review/find-reviewed-job.ts'
import { judgeMerge, type MergeJudgement } from '../../features/agent/review/judge-merge.ts'
import { readReviewComments } from '../../features/agent/review/read-review.ts'
import { nameOf, type Caller } from '../../features/projects/allow.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Merger, Mergeability } from '../../integrations/forges/local/merge-pull-request.ts'
import type { PullRequest } from '../../integrations/forges/local/pull-request-detail.ts'
import type { Repository } from '../../integrations/git/git.ts'
import type { Reader, Store } from '../../store/database.ts'

export interface JudgePorts {
  store: Store
  mirror(project: Project, commits: readonly string[]): Promise<Repository>
}

/** Whether a pull request of this server can be merged, and whether it should be. */
export async function judgePull(
  { store, mirror }: JudgePorts,
  project: Project,
  pull: PullRequest,
  { state, conflicts, advice, behind = 0 }: Mergeability,
): Promise<MergeJudgement> {
  if (state === 'merged' || state === 'closed') return { verdict: state, reasons: [] }
  const job = await jobOfPull(store.db, project, pull)
  const open = async (): Promise<{ repository: Repository; from: string; to: string }> => ({
    repository: await mirror(project, [pull.baseCommit, pull.headCommit]),
    from: pull.baseCommit,
    to: pull.headCommit,
  })
  const comments = job ? await readReviewComments(store.db, job.id, open) : []
  const isExplained = state === 'clean' || conflicts.length > 0
  const obstacle = advice ?? (isExplained ? undefined : 'It cannot be merged now')
  return judgeMerge({ ...pull, conflicts, obstacle, behind }, job, comments)
}

/** The job that opened a pull request of this server. Before that is recorded, it is known by its branch. */
export async function jobOfPull(
  reader: Reader,
  project: Project,
  { number, head }: Pick<PullRequest, 'number' | 'head'>,
): Promise<Job | undefined> {
  return (
    (await findJobOfPullRequest(reader, project, number)) ?? (await findJobByBranch(reader, project.id, head))
  )
}

/** Whoever asks, as a merge names them. */
export function mergerOf(caller: Caller): Merger {
  if (caller.kind !== 'person') return { name: nameOf(caller) }
  const { name, email, credit } = caller.person
  return { name, email, credit }
}

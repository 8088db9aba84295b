import { findJobByBranch, type Job } from '../../features/agent/jobs.ts'
import { findJobOfPullRequest } from '../../features/agent/review/find-reviewed-job.ts'
import {
  judgeMerge,
  tryMerge,
  type JudgedRequest,
  type MergeJudgement,
} from '../../features/agent/review/judge-merge.ts'
import { readReviewComments } from '../../features/agent/review/read-review.ts'
import { diffedProject, jobChange, type Change } from '../../features/agent/workspace/job-work.ts'
import type { OpenMirror } from '../../features/projects/projects.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { PullRequests } from '../../features/projects/pull-requests.ts'
import type { Mergeability } from '../../integrations/forges/local/merge-pull-request.ts'
import type { PullRequest } from '../../integrations/forges/local/pull-request-detail.ts'
import type { Repository } from '../../integrations/git/git.ts'
import { AppError, asProblem } from '../../lib/errors.ts'
import type { Reader, Store } from '../../store/database.ts'
import { findPull } from './find-pull.ts'

export interface JudgePorts {
  store: Store
  mirror: OpenMirror
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

/** What is known here of merging a pull request that a job has opened at a git host. */
export interface HostedJudgement {
  judgement: MergeJudgement
  merge: Pick<JudgedRequest, 'conflicts' | 'obstacle' | 'behind'>
}

/** @param change of its job; undefined where it cannot be read */
export async function judgeHostedPull(
  { store }: Pick<JudgePorts, 'store'>,
  job: Job,
  { state, draft, base }: Pick<JudgedRequest, 'state' | 'draft' | 'base'>,
  change: Change | undefined,
): Promise<HostedJudgement> {
  const merge: HostedJudgement['merge'] =
    change === undefined
      ? { conflicts: [], obstacle: undefined, behind: 0 }
      : await tryMerge(change.repository, { base, head: job.branch })
  const comments = await readReviewComments(store.db, job.id, change)
  return { judgement: judgeMerge({ state, draft, base, ...merge }, job, comments), merge }
}

/** The change of a job as its page and that of its pull request show it. */
export async function changeOf(
  { store, mirror }: JudgePorts,
  project: Project,
  { id }: Pick<Job, 'id'>,
): Promise<Change | undefined> {
  return jobChange(store, diffedProject(project, mirror), id)
}

/** The same; undefined where its commits are gone. */
export async function readableChange(
  ports: JudgePorts,
  project: Project,
  job: Pick<Job, 'id'>,
): Promise<Change | undefined> {
  const change = await changeOf(ports, project, job).catch(asProblem)
  return change instanceof AppError ? undefined : change
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

/** The two sides of a pull request of this server. */
export async function changeOfPull(
  { pullRequests }: Pick<ShownPorts, 'pullRequests'>,
  project: Project,
  pull: PullRequest,
): Promise<Change> {
  return { ...(await pullRequests.difference(project, pull)), head: pull.headCommit }
}

interface ShownPorts extends JudgePorts {
  pullRequests: Pick<PullRequests, 'find' | 'difference'>
}

/** What the page of the pull request that a job has opened shows as its change. */
export async function changeOnPage(
  ports: ShownPorts,
  project: Project,
  job: Pick<Job, 'id' | 'pullRequest'>,
): Promise<Change | undefined> {
  if (project.kind === 'https') return changeOf(ports, project, job)
  return changeOfPull(ports, project, await findPull(ports, project, `${job.pullRequest?.number}`))
}

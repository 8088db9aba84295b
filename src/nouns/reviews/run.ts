import type { z } from '@hono/zod-openapi'
import type { Endpoint } from '../../api/endpoint.ts'
import { notFound } from '../../api/errors.ts'
import type { Job } from '../../features/agent/jobs.ts'
import { listChangeCommits } from '../../features/agent/review/list-change-commits.ts'
import { readReviewComments } from '../../features/agent/review/read-review.ts'
import { sendComments } from '../../features/agent/review/send-comments.ts'
import { markViewed as mark, readProgress } from '../../features/agent/review/viewed-files.ts'
import {
  addLineComment,
  changeLineComment,
  removeLineComment,
  type Reviewer,
} from '../../features/agent/review/write-comments.ts'
import { diffedProject, jobChange, type Change } from '../../features/agent/workspace/job-work.ts'
import { askedBy, idOf, isOperator, nameOf, type Caller } from '../../features/projects/allow.ts'
import { limits } from '../../features/projects/limits.ts'
import type { OpenMirror } from '../../features/projects/projects.ts'
import type { Project } from '../../features/projects/projects.ts'
import { AppError } from '../../lib/errors.ts'
import type { JobEndpointPorts } from '../jobs/job-body.ts'
import type { Store } from '../../store/database.ts'
import { httpDoor } from '../../verbs/http.ts'
import { deed } from '../../verbs/verb.ts'
import type { Recorded } from '../../verbs/present.ts'
import { doNow, onceDoor, requireJob, type Once, type OncePorts } from '../jobs/once.ts'
import type { comments, progress } from './answers.ts'
import * as verbs from './verbs.ts'

export interface ReviewPorts {
  store: Store
  mirror: OpenMirror
  /** The change that a page shows, when it is not all that the job has changed. */
  changeShown?(project: Project, job: Job): Promise<Change | undefined>
}

const listJobComments = deed(verbs.listJobComments, async (ports: ReviewPorts, { project }, { id }) =>
  readAll(ports, project, await requireJob(ports, project, id)),
)

export const addJobComment = deed(
  verbs.addJobComment,
  async (ports: ReviewPorts, { project, caller }, { id, ...input }) => {
    const job = await requireJob(ports, project, id)
    const added = await addLineComment(
      ports.store,
      diffedProject(project, ports.mirror),
      job.id,
      reviewerOf(caller),
      { ...input, endLine: input.endLine ?? input.line },
    )
    if (!added) throw notFound('job', job.id)
    return readAll(ports, project, job)
  },
)

export const changeJobComment = deed(
  verbs.changeJobComment,
  async (ports: ReviewPorts, { project, caller }, { id, comment, ...change }) => {
    const job = await requireJob(ports, project, id)
    const place = placeOf(project, job, comment)
    if (!(await changeLineComment(ports.store, place, reviewerOf(caller), change)))
      throw notFound('comment', comment)
    return readAll(ports, project, job)
  },
)

export const deleteJobComment = deed(
  verbs.deleteJobComment,
  async (ports: ReviewPorts, { project, caller }, { id, comment }) => {
    const job = await requireJob(ports, project, id)
    if (!(await removeLineComment(ports.store, placeOf(project, job, comment), reviewerOf(caller))))
      throw notFound('comment', comment)
    return readAll(ports, project, job)
  },
)

/** A request with the same `Idempotency-Key` sends them once. */
const sendOnce: Once<typeof verbs.sendJobComments.input> = {
  verb: verbs.sendJobComments,
  limit: limits.jobMessage,
  operation: 'send comments',
  run(ports, { project, caller, id }, { remark }, finish, begin) {
    const input = { remark: remark ?? undefined, askedBy: askedBy(caller) }
    return sendComments(ports, project, id, input, finish, begin)
  },
}

export const sendJobComments = deed(verbs.sendJobComments, (ports: OncePorts, asking, { id, ...input }) =>
  doNow(ports, sendOnce, { ...asking, id }, input),
)

const getReviewProgress = deed(
  verbs.getReviewProgress,
  async (ports: ReviewPorts, { project, caller }, { id }) => {
    const job = await requireJob(ports, project, id)
    return progressOf(ports, job, idOf(caller), await changeOf(ports, project, job))
  },
)

export const markViewed = deed(
  verbs.markViewed,
  async (ports: ReviewPorts, { project, caller }, { id, ...file }) => {
    const job = await requireJob(ports, project, id)
    const change = await changeOf(ports, project, job)
    if (change === undefined) throw new AppError('conflict', 'The job has not changed anything yet')
    const viewer = { projectId: project.id, jobId: job.id, viewerId: idOf(caller) }
    await mark(ports.store, viewer, change, file)
    return progressOf(ports, job, viewer.viewerId, change)
  },
)

const listJobCommits = deed(verbs.listJobCommits, async (ports: ReviewPorts, { project }, { id }) => {
  const job = await requireJob(ports, project, id)
  const change = await changeOf(ports, project, job)
  const history = change === undefined ? [] : await listChangeCommits(change)
  return { commits: history }
})

export function reviewEndpoints(ports: ReviewPorts & JobEndpointPorts): Endpoint[] {
  return [
    ...httpDoor(ports, [listJobComments, addJobComment, changeJobComment, deleteJobComment]),
    onceDoor(ports, sendOnce),
    ...httpDoor(ports, [getReviewProgress, markViewed, listJobCommits]),
  ]
}

async function readAll(
  ports: ReviewPorts,
  project: Project,
  job: Job,
): Promise<Recorded<z.output<typeof comments>>> {
  const change = await changeOf(ports, project, job).catch(() => undefined)
  const all = await readReviewComments(ports.store.db, job.id, change)
  return { comments: all.map((one) => ({ ...one, outdated: one.now === undefined })) }
}

async function progressOf(
  { store }: ReviewPorts,
  job: Job,
  viewerId: string,
  change: Change | undefined,
): Promise<z.output<typeof progress>> {
  if (change === undefined) return { files: [], viewed: 0 }
  const { files, viewed } = await readProgress(store.db, job.id, viewerId, change)
  return { files: files.map((path) => ({ path, viewed: viewed.has(path) })), viewed: viewed.size }
}

async function changeOf(
  { store, mirror, changeShown }: ReviewPorts,
  project: Project,
  job: Job,
): Promise<Change | undefined> {
  return changeShown
    ? changeShown(project, job)
    : jobChange(store, diffedProject(project, mirror), job.id, { fresh: false })
}

/** Whoever asks, as the author of comments. */
function reviewerOf(caller: Caller): Reviewer {
  return { id: idOf(caller), name: nameOf(caller), isOperator: isOperator(caller) }
}

function placeOf(project: Project, job: Job, id: string): { projectId: string; jobId: string; id: string } {
  return { projectId: project.id, jobId: job.id, id }
}

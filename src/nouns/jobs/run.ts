import { diffAnswer, diffResponse, operations } from '../../api/description/operation.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { hasVersion } from '../../api/entity-tag.ts'
import { notFound } from '../../api/errors.ts'
import { jobToBody, type JobEndpointPorts } from './job-body.ts'
import { listEventsEndpoint } from './list-events.ts'
import { publishKept } from '../../features/agent/add-message.ts'
import { approve as allowInJob } from '../../features/agent/approve.ts'
import { archiveJob as putAway } from '../../features/agent/archive-job.ts'
import { cancelJob as endJob } from '../../features/agent/cancel-job.ts'
import * as table from '../../features/agent/jobs.ts'
import { listTurnRemarks } from '../../features/agent/turn-remarks.ts'
import { listTurns as readTurns } from '../../features/agent/turns.ts'
import { diffedProject, jobDiff, withKeptChanges } from '../../features/agent/workspace/job-work.ts'
import { askedBy, nameOf } from '../../features/projects/allow.ts'
import { countLimits, limits, useBy } from '../../features/projects/limits.ts'
import type { OpenMirror } from '../../features/projects/projects.ts'
import type { Project } from '../../features/projects/projects.ts'
import { allowAlways } from '../../features/projects/projects.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import type { Tx } from '../../store/database.ts'
import { httpDoor } from '../../verbs/http.ts'
import { deed } from '../../verbs/verb.ts'
import type { JobBody } from './answers.ts'
import { createOnce, onceDoor, orNotFound, requireJob, sendOnce, type OncePorts } from './once.ts'
import * as verbs from './verbs.ts'

export interface JobNounPorts extends OncePorts {
  mirror: OpenMirror
}

const listJobs = deed(verbs.listJobs, async (ports: JobNounPorts, { project }, { state, ...query }) => {
  const page = await table.listJobs(ports.store.db, project.id, { ...query, states: state && [state] })
  const jobs: JobBody[] = []
  // One by one, because the kept files of a job are read for that.
  for (const job of page.rows) jobs.push(await present(ports, project, job))
  return { jobs, nextCursor: page.next }
})

const getJob = deed(verbs.getJob, async (ports: JobNounPorts, { project, context }, { id }) => {
  const job = await requireJob(ports, project, id)
  const tag = `"${job.revision}"`
  const headers = { ETag: tag, 'Cache-Control': 'no-cache' }
  if (hasVersion(context, tag)) return context.body(null, 304, headers)
  const body = JSON.stringify(await present(ports, project, job))
  return context.body(body, 200, { ...headers, 'Content-Type': 'application/json' })
})

export const archiveJob = deed(verbs.archiveJob, async (ports: JobNounPorts, { project }, { id }) =>
  act(ports, project, id, () => putAway(ports.store, project, id)),
)

export const cancelJob = deed(verbs.cancelJob, async (ports: JobNounPorts, { project, caller }, { id }) =>
  act(ports, project, id, () => endJob(ports.store, project, id, nameOf(caller))),
)

export const publishJob = deed(verbs.publishJob, async (ports: JobNounPorts, { project, caller }, { id }) =>
  act(ports, project, id, () => publishKept(ports, project, id, countIn(project), askedBy(caller))),
)

export const approve = deed(
  verbs.approve,
  async (ports: JobNounPorts, { project, caller }, { id, always = false, kind, value }) => {
    const remember = (tx: Tx) => (always ? allowAlways(tx, project.id, { kind, value }) : Promise.resolve())
    const approved = { kind, value, by: nameOf(caller), askedBy: askedBy(caller) }
    return act(ports, project, id, () => allowInJob(ports, project, id, approved, countIn(project), remember))
  },
)

const listTurns = deed(verbs.listTurns, async (ports: JobNounPorts, { project }, { id: name }) => {
  const { db } = ports.store
  const { id } = await requireJob(ports, project, name)
  const remarks = await listTurnRemarks(db, project.id, id)
  const turns = await readTurns(db, project.id, id)
  return {
    turns: turns.map((turn) => {
      const { author, waiting } = remarks.get(turn.n) ?? {}
      return { ...turn, author, waiting }
    }),
  }
})

/** What gives jobs work, reads, ends and follows them. */
export function jobEndpoints(ports: JobNounPorts & JobEndpointPorts & { stopping: AbortSignal }): Endpoint[] {
  const { onProject } = operations(ports.access, 'Agent jobs')
  return [
    onceDoor(ports, createOnce),
    onceDoor(ports, sendOnce),
    ...httpDoor(ports, [getJob, listJobs, archiveJob, cancelJob, publishJob, approve, listTurns]),
    onProject('getJobDiff', `${verbs.getJob.address}/diff`, 'Get job diff', {
      description:
        'The changes of the job since its base as a unified diff: what it has published, what people pushed to its branch since, what a turn has left unpublished (see `kept`), and what the turn in progress has changed so far.',
      answer: [200, ...diffAnswer],
      async handle({ context, project }) {
        const id = context.req.param('id') ?? ''
        const diffed = diffedProject(project, ports.mirror)
        const diff = hasUnstorable(id) ? undefined : await jobDiff(ports.store, diffed, id)
        if (diff === undefined) throw notFound('job', id)
        return diffResponse(context, diff)
      },
    }),
    listEventsEndpoint(ports),
  ]
}

async function act(
  ports: JobNounPorts,
  project: Project,
  id: string,
  work: () => Promise<table.Job | undefined>,
): Promise<JobBody> {
  return present(ports, project, await orNotFound(id, work()))
}

function countIn(project: Project): (tx: Tx) => Promise<void> {
  return (tx) => countLimits(tx, [useBy(project, limits.jobMessage)])
}

async function present(ports: JobNounPorts, project: Project, job: table.Job): Promise<JobBody> {
  const whole = await withKeptChanges(ports.store, diffedProject(project, ports.mirror), job)
  return jobToBody(whole, project, ports)
}

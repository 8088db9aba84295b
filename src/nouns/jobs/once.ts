import type { z } from '@hono/zod-openapi'
import { describe, type Address } from '../../api/description/operation.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { notFound } from '../../api/errors.ts'
import { checkBody, jobBodyLimit, readJson } from '../../api/read-body.ts'
import {
  answerOnce,
  checkLimitsUnlessAnswered,
  sendReply,
  type OnceOperation,
  type Reply,
} from './answer-once.ts'
import { readKey } from '../../api/idempotency-key.ts'
import { jobToBody, oneJob, type JobEndpointPorts } from './job-body.ts'
import { addMessage } from '../../features/agent/add-message.ts'
import { createJob as makeJob } from '../../features/agent/create-job.ts'
import { getJob, type Job } from '../../features/agent/jobs.ts'
import { askedBy, type Caller } from '../../features/projects/allow.ts'
import { checkLimits, countLimits, limits, useBy, type Limit } from '../../features/projects/limits.ts'
import type { Project } from '../../features/projects/projects.ts'
import { idempotencyHeader } from '../../lib/idempotency-header.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import type { AboutChangeColumn } from '../../store/columns.ts'
import type { Tx } from '../../store/database.ts'
import { deed, type Verb } from '../../verbs/verb.ts'
import type { JobBody, jobBody } from './answers.ts'
import type { CreateJobBody } from './inputs.ts'
import * as verbs from './verbs.ts'

export type OncePorts = Omit<JobEndpointPorts, 'access'>

/** Who asks for work, and on which job: none when it is to be made. */
interface Asked {
  project: Project
  caller: Caller
  id?: string | undefined
}

/** A verb that gives a job work. Programs may repeat its request with an `Idempotency-Key`. */
export interface Once<Input extends z.ZodObject> {
  verb: Verb<Address, Input, typeof jobBody>
  limit: Limit
  /** What a key is kept with, before the id of the job. */
  operation: string
  /** Does it in a transaction, in which it calls `begin` first and `finish`, with the resulting job, last. */
  run(
    ports: OncePorts,
    asked: Asked & { id: string },
    input: z.output<Input>,
    finish: (tx: Tx, job: Job) => Promise<void>,
    begin: (tx: Tx) => Promise<void>,
  ): Promise<Job | undefined>
}

export const createOnce: Once<typeof verbs.createJob.input> = {
  verb: verbs.createJob,
  limit: limits.jobCreate,
  operation: 'create',
  run: (ports, { project, caller }, input, finish, begin) =>
    makeJob(ports, project, { ...newJobOf(input), askedBy: askedBy(caller) }, finish, begin),
}

export const sendOnce: Once<typeof verbs.sendMessage.input> = {
  verb: verbs.sendMessage,
  limit: limits.jobMessage,
  operation: 'message',
  run: (ports, { project, caller, id }, input, finish, begin) =>
    addMessage(ports, project, id, { ...input, askedBy: askedBy(caller) }, finish, begin),
}

// Forms are sent without a key: a browser asks before it repeats one.
export const createJob = deed(verbs.createJob, (ports: OncePorts, asking, input) =>
  doNow(ports, createOnce, asking, input),
)

export const sendMessage = deed(verbs.sendMessage, (ports: OncePorts, asking, { id, ...input }) =>
  doNow(ports, sendOnce, { ...asking, id }, input),
)

function aboutOf(about: NonNullable<CreateJobBody['about']>): AboutChangeColumn {
  const { repository, commit, pullRequest, range } = about
  return {
    ...(repository != null && { repository }),
    ...(commit != null && { commit }),
    ...(pullRequest != null && { pullRequest }),
    ...(range != null && { range }),
  }
}

// In requests, null means the same as an absent field.
function newJobOf({ prompt, base, model, draft, budget, about }: CreateJobBody) {
  return {
    prompt,
    base: base ?? undefined,
    model: model ?? undefined,
    draft: draft ?? undefined,
    about: about ? aboutOf(about) : undefined,
    budget: budget
      ? {
          steps: budget.steps ?? undefined,
          tokens: budget.tokens ?? undefined,
          cost: budget.cost ? Math.ceil(budget.cost * 1e6) : undefined,
          minutes: budget.minutes ?? undefined,
        }
      : undefined,
  }
}

/** The endpoint of such a verb. */
export function onceDoor<Input extends z.ZodObject>(ports: JobEndpointPorts, once: Once<Input>): Endpoint {
  const { name, address, input, answer, ...verb } = once.verb
  const [status] = answer
  return {
    route: describe(name, address, {
      ...verb,
      headers: idempotencyHeader,
      body: input,
      responses: { [status]: oneJob },
    }),
    async handle(context) {
      const { caller, project } = await ports.access.project(context, name)
      const id = context.req.param('id')
      if (id !== undefined) await requireJob(ports, project, id)
      const key = readKey(context)
      await checkLimitsUnlessAnswered(key, operationOf(ports, once, { project, id }))
      const body = await readJson(context, jobBodyLimit)
      return sendReply(context, await doOnce(ports, once, { project, caller, id }, key, body), status)
    },
  }
}

/**
 * Does it once per key.
 * @param body as the client sent it
 * @throws AppError `invalid`, `not_found`, `conflict`, `mismatch`, `unavailable`; LimitError
 */
export async function doOnce<Input extends z.ZodObject>(
  ports: OncePorts,
  once: Once<Input>,
  { id = '', ...asked }: Asked,
  key: string | undefined,
  body: unknown,
): Promise<Reply> {
  const { project } = asked
  const input = checkBody(once.verb.input, body)
  return answerOnce(key, {
    ...operationOf(ports, once, { project, id }),
    body,
    run: (finish, begin) => orNotFound(id, once.run(ports, { ...asked, id }, input, finish, begin)),
    show: (job) => jobToBody(job, project, ports),
  })
}

/** Does it without a key. @throws AppError `not_found`, `conflict`, `unavailable`; LimitError */
export async function doNow<Input extends z.ZodObject>(
  ports: OncePorts,
  { run, limit }: Once<Input>,
  { project, caller, id = '' }: Asked,
  input: z.output<Input>,
): Promise<JobBody> {
  const uses = [useBy(project, limit)]
  const finish = (tx: Tx): Promise<void> => countLimits(tx, uses)
  const begin = (tx: Tx): Promise<void> => checkLimits(tx, uses)
  return jobToBody(
    await orNotFound(
      id,
      hasUnstorable(id) ? undefined : run(ports, { project, caller, id }, input, finish, begin),
    ),
    project,
    ports,
  )
}

/** The job that a path names. @throws AppError `not_found` */
export async function requireJob(
  { store }: Pick<OncePorts, 'store'>,
  project: Project,
  id: string,
): Promise<Job> {
  return orNotFound(id, hasUnstorable(id) ? undefined : getJob(store.db, project.id, id))
}

/** @throws AppError `not_found` */
export async function orNotFound(id: string, job: Promise<Job | undefined> | undefined): Promise<Job> {
  const match = await job
  if (match === undefined) throw notFound('job', id)
  return match
}

function operationOf<Input extends z.ZodObject>(
  { store }: Pick<OncePorts, 'store'>,
  { operation, limit }: Once<Input>,
  { project, id = '' }: { project: Project; id: string | undefined },
): OnceOperation {
  return {
    store,
    projectId: project.id,
    operation: `${operation} ${id}`.trimEnd(),
    uses: [useBy(project, limit)],
  }
}

import { z } from '@hono/zod-openapi'
import type { EventType } from '../../features/agent/events.ts'
import { allowedKind, eventAnswer, failureBody, turnOutcome } from './answers.ts'
import { used } from '../usage/answers.ts'

const message = z.string().describe('For people.')
const progress = {
  phase: z.string().describe('As git calls it.'),
  done: z.int(),
  total: z.int().nullable(),
  message,
}
const request = { number: z.int(), link: z.url() }
const opened = { ...request, title: z.string() }
const moved = { ...request, by: z.string().optional() }

/** What each type of event means, and the fields of its `data`. */
const kinds: Record<EventType, readonly [meaning: string, data: z.ZodRawShape]> = {
  'turn.queued': [
    'A prompt is queued.',
    { prompt: z.string(), author: z.string().optional(), publishes: z.boolean().optional() },
  ],
  'turn.started': [
    'The agent begins with a prompt.',
    { base: z.string(), baseCommit: z.string(), branch: z.string(), fetchMilliseconds: z.number() },
  ],
  fetching: ['The repository is fetched.', progress],
  pushing: ['The branch is pushed.', progress],
  'turn.waiting': [
    'The turn waits, and continues automatically.',
    { reason: z.string(), until: z.iso.datetime(), message },
  ],
  'turn.asked': ['The agent asks a question.', { message }],
  'base.renamed': ['The base branch was renamed.', { from: z.string(), to: z.string(), message }],
  'base.merged': [
    'The base branch has moved, and was merged in where that is possible.',
    {
      base: z.string(),
      baseCommit: z.string(),
      state: z.enum(['merged', 'refused']),
      conflicts: z.array(z.string()).describe('Paths of files, at most 50.'),
      message,
    },
  ],
  'work.carried': [
    'Unpublished changes of an earlier turn are continued.',
    { from: z.int().describe('The earlier turn.'), files: z.array(z.string()), message },
  ],
  'branch.moved': ['Someone else pushed to the branch.', { branch: z.string(), head: z.string(), message }],
  step: [
    'The model answered.',
    {
      step: z.int(),
      model: z.string(),
      thinking: z.string().optional(),
      text: z.string().optional(),
      tools: z.array(z.string()).describe('Names of the tools that it calls.'),
      ...used,
      elapsedMilliseconds: z.number(),
    },
  ],
  tool: ['A tool was called.', { tool: z.string(), description: z.string().optional(), ok: z.boolean() }],
  'file.changed': ['A file was changed.', { path: z.string(), change: z.string() }],
  'model.fallback': ['Another model answered.', { model: z.string(), fallback: z.string(), message }],
  attention: ['A person should look at the job.', { reason: z.string(), message }],
  approved: [
    'A person allowed what the policy had blocked.',
    { kind: allowedKind, value: z.string(), by: z.string(), message },
  ],
  checks: [
    'The changes were checked.',
    {
      round: z.int(),
      errors: z.int(),
      warnings: z.int(),
      first: z.array(z.looseObject({ path: z.string(), message: z.string() })).describe('At most 20.'),
    },
  ],
  'comments.skipped': ['Comments were too many to read.', { number: z.int(), since: z.string(), message }],
  published: [
    'The changes were pushed.',
    { branch: z.string(), commit: z.string(), files: z.int().describe('How many were changed.') },
  ],
  'pull_request.opened': ['The pull request was opened.', opened],
  'pull_request.updated': ['The pull request has new commits.', opened],
  'pull_request.merged': ['The pull request was merged.', moved],
  'pull_request.closed': ['The pull request was closed.', moved],
  'pull_request.reopened': ['The pull request was reopened.', moved],
  'turn.completed': ['A prompt is done.', { outcome: turnOutcome, summary: z.string() }],
  'turn.failed': ['A prompt failed.', failureBody.shape],
  cancelled: ['The job was cancelled.', { message, by: z.string().optional() }],
  archived: ['The job was archived.', { message }],
}

const bodies = Object.entries(kinds).map(([type, [meaning, data]]) => {
  const name = `JobEvent${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`
  return z
    .object({
      ...eventAnswer.shape,
      type: z.literal(type),
      data: z.object(data).openapi(`${name}Data`, { description: meaning }),
    })
    .openapi(name, { description: meaning })
})
const [first, ...others] = bodies
if (!first) throw new Error('There are no types of events')

/** What happened in a job, by its `type`. Fields that a type does not name are to be ignored. */
export const jobEvent = z.discriminatedUnion('type', [first, ...others]).openapi('JobEvent', {
  description:
    'What happened in a job, one of by its `type`. Later versions may bring types and fields that are not named here: ignore them.',
})

export const eventListBody = z
  .object({ events: z.array(jobEvent) })
  .openapi('EventList', { description: 'A page of the events of a job.' })

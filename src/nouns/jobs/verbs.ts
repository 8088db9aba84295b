import { z } from '@hono/zod-openapi'
import { idCursor, limitUpTo } from '../../lib/list-query.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { defineVerb } from '../../verbs/verb.ts'
import { jobBody, jobListBody, jobState, jobStatus, turnListBody } from './answers.ts'
import { approveBody, createJobBody, messageBody } from './inputs.ts'

const path = '/v2/agent/{projectId}/job'
const one = `${path}/{id}` as const
const tag = 'Agent jobs'
const nothing = { input: z.object({}), fields: {} }
const theJob = { output: jobBody, answer: [200, 'The job'] } as const

export const createJob = defineVerb({
  name: 'createJob',
  address: `post ${path}`,
  tag,
  summary: 'Create agent job',
  description:
    'Creates a job that runs in the background. If the agent edits files, it opens a pull request, and `prLink` is filled in. At most 100 per project in any 60 minutes.',
  errors: [409, 422, 429],
  input: createJobBody,
  output: jobBody,
  answer: [201, 'The job'],
  fields: {
    prompt: { label: 'What do you want to change?', placeholder: 'Fix broken links in guides/', rows: 3 },
    base: { label: 'Branch to start from' },
    model: { label: 'Model' },
    draft: { label: 'Open the pull request as a draft' },
    budget: { label: 'Budget' },
    about: { label: 'Code change to document' },
  },
})

export const sendMessage = defineVerb({
  name: 'sendMessage',
  address: `post ${one}/message`,
  tag,
  summary: 'Send follow-up message',
  description:
    'Queues a follow-up after the job’s waiting turns. The response already shows the job as `active`. At most 100 per project in any 60 minutes, counted separately from new jobs.',
  errors: [409, 422, 429],
  input: messageBody,
  fields: {
    prompt: { label: 'Follow up', placeholder: 'Describe what to change', rows: 3, draft: true },
  },
  ...theJob,
})

export const listJobs = defineVerb({
  name: 'listJobs',
  address: 'get /v2/agent/{projectId}/jobs',
  tag,
  summary: 'List agent jobs',
  description:
    'Newest first. Pass `nextCursor` as `cursor` for the next page. With `state` or `text` a page is searched for in some thousand jobs: it may be short, or empty, while `nextCursor` leads on.',
  input: z.object({
    status: jobStatus.optional(),
    state: jobState
      .optional()
      .describe('Finer than `status`: what the job does or waits for, or what came of it.'),
    text: z
      .string()
      .max(200, 'is longer than 200 characters')
      .refine((text) => !hasUnstorable(text), 'contains a NUL character; remove it')
      .optional()
      .describe('In the title or a prompt.'),
    limit: limitUpTo(100, 20),
    cursor: idCursor('job').optional(),
  }),
  output: jobListBody,
  answer: [200, 'A page of jobs'],
  fields: {
    status: { label: 'Status', option: '--status <status>', help: 'active, completed, archived, or failed' },
    state: { label: 'State' },
    text: { label: 'Text' },
    limit: { label: 'At most', option: '--limit <number>', help: 'maximum number of results' },
    cursor: { label: 'Page' },
  },
})

export const getJob = defineVerb({
  name: 'getJob',
  address: `get ${one}`,
  tag,
  summary: 'Get agent job',
  description:
    'Poll until `status` is `completed`, `archived` or `failed`. Send `If-None-Match` to get 304 while nothing has changed.',
  also: { 304: { description: 'Not changed since the entity tag that was sent' } },
  ...nothing,
  ...theJob,
})

export const archiveJob = defineVerb({
  name: 'archiveJob',
  address: `post ${one}/archive`,
  tag,
  summary: 'Archive agent job',
  description: 'Archives the job permanently and stops its work if it runs. Archiving again changes nothing.',
  ...nothing,
  ...theJob,
})

export const cancelJob = defineVerb({
  name: 'cancelJob',
  address: `post ${one}/cancel`,
  tag,
  summary: 'Cancel agent job',
  description:
    'Ends the turn in progress as failed and drops the follow-ups that wait. A job that is not active stays as it is.',
  ...nothing,
  ...theJob,
})

export const publishJob = defineVerb({
  name: 'publishJob',
  address: `post ${one}/publish`,
  tag,
  summary: 'Publish unpublished changes',
  description:
    'Opens a draft pull request with the changes that a turn left unpublished, because a person decided so, or adds them to the open one. What the policy refuses is left out and named in it. No model is asked. Answers 409 while the job is active, and when nothing is kept.',
  errors: [400, 409, 429],
  ...nothing,
  output: jobBody,
  answer: [200, 'The job, active until the changes are published'],
})

export const approve = defineVerb({
  name: 'approve',
  address: `post ${one}/approve`,
  tag,
  summary: 'Allow blocked changes',
  description:
    'Allows one host, module or part of a page in the changes of this job, which `failure.files` or `checks` name as an `approval`. It is recorded as the event `approved`. With the last of them the unpublished changes are published without asking a model. Answers 409 when the job was not refused because of it.',
  errors: [409, 429],
  input: approveBody,
  output: jobBody,
  answer: [200, 'The job, active when its changes are tried again'],
  fields: {
    kind: { label: 'Kind' },
    value: { label: 'Host, module or part' },
    always: { label: 'Always' },
  },
})

export const listTurns = defineVerb({
  name: 'listTurns',
  address: `get ${one}/turns`,
  tag,
  summary: 'List job turns',
  description: 'Each prompt in order, with its author and its result.',
  ...nothing,
  output: turnListBody,
  answer: [200, 'The turns'],
})

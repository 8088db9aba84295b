import { z } from '@hono/zod-openapi'
import { longestComment } from '../../lib/prompts/review-prompt.ts'
import { textUpTo } from '../../lib/text/text-up-to.ts'
import { wholeNumber } from '../../lib/whole-number.ts'
import { defineVerb } from '../../verbs/verb.ts'
import { jobBody } from '../jobs/answers.ts'
import { comments, commits, progress, side } from './answers.ts'

const line = wholeNumber(1, 10_000_000)
const textRule = 'must be text of 1 to 10,000 characters'
const text = textUpTo(longestComment, textRule)
  .min(1, textRule)
  .refine((value) => value.trim() !== '', textRule)
const pathRule = 'must be text of 1 to 4,000 characters'
const path = textUpTo(4000, pathRule).min(1, pathRule)
const choice = z.boolean({ error: 'must be true or false' })

const addBody = z
  .object({
    path,
    side: side.default('new'),
    line,
    endLine: line.optional().describe('Last line of a range; at most 100 lines.'),
    revision: z
      .string()
      .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, 'must be the id of a commit or tree')
      .openapi({ example: '4b825dc642cb6eb9a060e54bf8d69288fbee4904' })
      .optional()
      .describe('Commit or tree whose lines are counted; the present one when absent.'),
    body: text.openapi({ description: 'Markdown.', example: 'Say how long it waits.' }),
  })
  .openapi('AddJobComment', { description: 'A comment to add.' })
const changeBody = z
  .object({
    body: text.optional().openapi({ description: 'Markdown. Only its author, and only before it is sent.' }),
    resolved: choice.optional(),
  })
  .openapi('ChangeJobComment', { description: 'A change of a comment.' })
const sendBody = z
  .object({
    remark: textUpTo(longestComment, 'must be text of at most 10,000 characters')
      .nullish()
      .openapi({ description: 'Summary.' }),
  })
  .openapi('SendJobComments', { description: 'Comments to send to the agent as one prompt.' })
const viewedBody = z
  .object({ path, viewed: choice })
  .openapi('MarkViewed', { description: 'A file that was viewed, or not.' })

const job = '/v2/agent/{projectId}/job/{id}'
const tag = 'Agent jobs'
const nothing = { input: z.object({}), fields: {} }
const all = {
  output: comments,
  answer: [200, 'The comments in the order in which they were made'],
} as const
const files = { output: progress, answer: [200, 'The files'] } as const
const bodyWords = { label: 'Your comment', rows: 4 }

export const listJobComments = defineVerb({
  name: 'listJobComments',
  address: `get ${job}/comments`,
  tag,
  summary: 'List comments on a job',
  description: 'Comments on lines of the job’s changes: the draft review and what was sent.',
  ...nothing,
  ...all,
})

export const addJobComment = defineVerb({
  name: 'addJobComment',
  address: `post ${job}/comments`,
  tag,
  summary: 'Comment on lines of a job',
  description:
    'Adds a comment to the draft review of the job. The agent gets it when the review is sent. The lines are quoted with it.',
  errors: [409],
  input: addBody,
  output: comments,
  answer: [201, 'The comments'],
  fields: {
    path: { label: 'File' },
    side: { label: 'Side' },
    line: { label: 'Line' },
    endLine: { label: 'to' },
    revision: { label: 'Commit' },
    body: { ...bodyWords, label: 'Leave a comment', draft: true },
  },
})

export const changeJobComment = defineVerb({
  name: 'changeJobComment',
  address: `patch ${job}/comments/{comment}`,
  tag,
  summary: 'Change a comment on a job',
  description: 'Changes the text of an unsent comment, or marks a comment as resolved.',
  errors: [409],
  input: changeBody,
  fields: { body: bodyWords, resolved: { label: 'Resolved' } },
  ...all,
})

export const deleteJobComment = defineVerb({
  name: 'deleteJobComment',
  address: `delete ${job}/comments/{comment}`,
  tag,
  summary: 'Delete a comment on a job',
  description: 'Only before it is sent.',
  errors: [409],
  ...nothing,
  ...all,
})

export const sendJobComments = defineVerb({
  name: 'sendJobComments',
  address: `post ${job}/comments/send`,
  tag,
  summary: 'Send the comments on a job',
  description:
    'Sends everyone’s unsent comments as one follow-up. It counts as a message. Answers 409 when there is none.',
  errors: [409, 422, 429],
  input: sendBody,
  output: jobBody,
  answer: [200, 'The job'],
  fields: { remark: { label: 'Summary', hint: 'optional', rows: 2, draft: true } },
})

export const getReviewProgress = defineVerb({
  name: 'getReviewProgress',
  address: `get ${job}/viewed`,
  tag,
  summary: 'List viewed files',
  description: 'The files of the job’s changes, and which of them the caller has viewed.',
  ...nothing,
  ...files,
})

export const markViewed = defineVerb({
  name: 'markViewed',
  address: `post ${job}/viewed`,
  tag,
  summary: 'Mark a file as viewed',
  description: 'Kept for the caller alone. The mark falls off when the file changes again.',
  errors: [409],
  input: viewedBody,
  fields: { path: { label: 'File' }, viewed: { label: 'Viewed' } },
  ...files,
})

export const listJobCommits = defineVerb({
  name: 'listJobCommits',
  address: `get ${job}/commits`,
  tag,
  summary: 'List commits of a job',
  description: 'The commits of the job’s branch since it left its base, newest first, at most 250.',
  ...nothing,
  output: commits,
  answer: [200, 'The commits'],
})

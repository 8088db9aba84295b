import { z } from '@hono/zod-openapi'
import { limitUpTo } from '../../lib/list-query.ts'
import { textUpTo } from '../../lib/text/text-up-to.ts'
import { defineVerb } from '../../verbs/verb.ts'
import { pullRequestState } from '../jobs/answers.ts'
import { mergeStyle, pullComments, pullDetail, pullList } from './answers.ts'

const commentRule = 'must be text of 1 to 20,000 characters'
const commentBody = z
  .object({
    body: textUpTo(20_000, commentRule)
      .min(1, commentRule)
      .openapi({ description: 'Markdown.', example: 'Shorter, please.' }),
  })
  .openapi('AddComment', { description: 'A comment to add.' })

const path = '/admin/projects/{domain}/pulls'
const one = `${path}/{number}` as const
const tag = 'Pull requests'
const nothing = { input: z.object({}), fields: {} }
const pull = { output: pullDetail, answer: [200, 'The pull request'] } as const
const comments = 'The comments, oldest first'

export const listPullRequests = defineVerb({
  name: 'listPullRequests',
  address: `get ${path}`,
  tag,
  summary: 'List pull requests',
  description:
    'For projects whose repository is a folder on the server; newest first. Pull requests on a git host are in the jobs, as `pullRequest`.',
  input: z.object({ state: pullRequestState.optional(), limit: limitUpTo(200, 50) }),
  output: pullList,
  answer: [200, 'The pull requests'],
  fields: {
    state: { label: 'State', option: '--state <state>', help: 'open, merged, or closed' },
    limit: { label: 'At most' },
  },
})

export const getPullRequest = defineVerb({
  name: 'getPullRequest',
  address: `get ${one}`,
  tag,
  summary: 'Get a pull request',
  description:
    'Returns its current state and whether it can be merged. At a git host, those that jobs have opened are asked for.',
  ...nothing,
  ...pull,
})

export const mergePullRequest = defineVerb({
  name: 'mergePullRequest',
  address: `post ${one}/merge`,
  tag,
  summary: 'Merge a pull request',
  description:
    'In a folder on the server it makes a merge commit and pushes it to the base branch. At a git host, the host merges what a job has opened, with the rules of the repository. The pages are updated within seconds.',
  errors: [409],
  asQuery: true,
  input: z.object({
    style: mergeStyle
      .optional()
      .openapi({ description: 'The first of its `mergeStyles` when not given.', example: 'squash' }),
    headCommit: z
      .string()
      .regex(/^[0-9a-f]{7,64}$/, 'must be the name of a commit')
      .openapi({ example: '8fdaf8df' })
      .optional()
      .describe('The commit that was looked at: with another one at the head, nothing is merged.'),
  }),
  fields: { style: { label: 'How' }, headCommit: { label: 'Commit' } },
  ...pull,
})

export const closePullRequest = defineVerb({
  name: 'closePullRequest',
  address: `post ${one}/close`,
  tag,
  summary: 'Close a pull request',
  description: 'Closes it without merging and keeps its branch. Closing it again changes nothing.',
  errors: [409],
  ...nothing,
  ...pull,
})

export const reopenPullRequest = defineVerb({
  name: 'reopenPullRequest',
  address: `post ${one}/reopen`,
  tag,
  summary: 'Reopen a pull request',
  description:
    'Opens a closed one again, with its branch as it is now. Answers 409 when it is merged, its branch no longer exists, or the base has everything already.',
  errors: [409],
  ...nothing,
  ...pull,
})

export const listComments = defineVerb({
  name: 'listComments',
  address: `get ${one}/comments`,
  tag,
  summary: 'List comments',
  description: 'The latest 200, oldest first.',
  ...nothing,
  output: pullComments,
  answer: [200, comments],
})

export const addComment = defineVerb({
  name: 'addComment',
  address: `post ${one}/comments`,
  tag,
  summary: 'Comment on a pull request',
  description: 'The agent reads it with the next follow-up of the job.',
  input: commentBody,
  output: pullComments,
  answer: [201, comments],
  fields: {
    body: {
      label: 'Comment',
      placeholder: 'Add context or instructions for the agent',
      rows: 3,
      draft: true,
    },
  },
})

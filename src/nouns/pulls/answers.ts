import { z } from '@hono/zod-openapi'
import { mergeStyles } from '../../integrations/forges/merging.ts'
import { pullRequestState } from '../jobs/answers.ts'

const shape = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().describe('Markdown.'),
  state: pullRequestState,
  draft: z.boolean(),
  head: z.string().describe('Branch with the change.'),
  base: z.string().describe('Branch that the change is for.'),
  headCommit: z.string(),
  baseCommit: z.string().describe('Commit at which the branch left its base.'),
  mergeCommit: z.string().nullable(),
  createdAt: z.iso.datetime(),
  closedAt: z.iso.datetime().nullable().describe('When it was merged or closed.'),
})
const listedPull = shape.openapi('ListedPullRequest', { description: 'A pull request in a list.' })
export const mergeStyle = z.enum(mergeStyles)

export const pullDetail = shape
  .extend({
    link: z.string().nullable().describe('Where it is at its git host; null for one of this server.'),
    mergeStyles: mergeStyle.array().describe('How it may be merged: the default first.'),
    mergeability: z.object({
      state: z
        .enum(['clean', 'conflicts', 'checked_out', 'merged', 'closed', 'missing'])
        .describe(
          '`missing`: one of the branches no longer exists. `checked_out`: the base is checked out in the repository, whose files only people change.',
        ),
      conflicts: z.array(z.string()).describe('Paths of the files in conflict.'),
      advice: z.string().nullable().describe('What blocks merging, and what to do; null when nothing does.'),
      behind: z
        .int()
        .describe('Commits of the base that the branch does not have; 100 for that many or more.'),
    }),
    judgement: z
      .object({
        verdict: z
          .enum(['ready', 'not_yet', 'blocked', 'merged', 'closed'])
          .describe('`not_yet`: it can be merged, but should not be. `blocked`: it cannot be merged.'),
        reasons: z.array(
          z.object({
            code: z.string(),
            weight: z.enum(['blocker', 'doubt', 'note']),
            message: z.string(),
          }),
        ),
      })
      .describe('Whether it can be merged, and whether it should be.'),
  })
  .openapi('PullRequest', { description: 'A pull request, and whether it can be merged.' })

export const pullComments = z
  .object({
    comments: z.array(
      z.object({
        n: z.int(),
        author: z.string(),
        body: z.string().describe('Markdown.'),
        createdAt: z.iso.datetime(),
      }),
    ),
  })
  .openapi('PullRequestComments', { description: 'The comments of a pull request.' })

export const pullList = z
  .object({ pullRequests: z.array(listedPull) })
  .openapi('PullRequestList', { description: 'A page of pull requests.' })

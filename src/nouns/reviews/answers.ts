import { z } from '@hono/zod-openapi'

export const side = z.enum(['old', 'new'], { error: 'must be old or new' })

const comment = z
  .object({
    id: z.string(),
    author: z.string(),
    path: z.string(),
    side: side.describe('`new`: the file after the change. `old`: the file before it.'),
    line: z.int().describe('First line, as it was counted when the comment was made.'),
    endLine: z.int(),
    revision: z.string().describe('Commit or tree that the lines are of.'),
    quote: z.string().describe('The lines as they were then.'),
    body: z.string().describe('Markdown.'),
    state: z
      .enum(['draft', 'waiting', 'changed', 'unchanged', 'failed', 'resolved'])
      .describe(
        '`draft`: not sent. `waiting`: the agent has yet to work on it. `changed`, `unchanged`: whether its lines differ after the follow-up. `failed`: the follow-up failed.',
      ),
    outdated: z.boolean().describe('Its lines are no longer in the change.'),
    now: z
      .object({ line: z.int(), endLine: z.int() })
      .nullable()
      .describe('Where its lines are now; null when outdated.'),
    turn: z.int().nullable().describe('The turn that it was sent with.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().nullable(),
  })
  .openapi('JobComment', { description: 'A comment on lines of a change.' })
export const comments = z
  .object({ comments: z.array(comment) })
  .openapi('JobCommentList', { description: 'The comments on a change.' })

const commit = z.object({
  id: z.string(),
  parent: z.string().nullable(),
  title: z.string(),
  author: z.string(),
  coAuthors: z.array(z.string()),
  date: z.iso.datetime(),
})
export const commits = z
  .object({ commits: z.array(commit) })
  .openapi('JobCommits', { description: 'The commits of a job.' })

export const progress = z
  .object({
    files: z.array(z.object({ path: z.string(), viewed: z.boolean() })),
    viewed: z.int().describe('How many files were viewed and have not changed since.'),
  })
  .openapi('ReviewProgress', { description: 'Which files of a change were viewed.' })

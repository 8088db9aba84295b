import { z } from '@hono/zod-openapi'
import { textUpTo } from '../../lib/text/text-up-to.ts'

const text = z.string({ error: 'must be text' }).max(200, 'must be text of at most 200 characters').nullish()

/** Narrows a search, and says which groups the reader is in: none without it. Unknown fields are ignored. */
export const searchFilter = z
  .object(
    {
      version: text,
      language: text,
      tag: text.describe(
        'Only pages with this in their front matter: `tags`, `tag`, `categories` or `category`.',
      ),
      groups: z
        .array(z.string({ error: 'must be text' }), { error: 'must be a list of texts' })
        .max(100, 'must be a list of at most 100')
        .nullish()
        .describe(
          'Groups of the reader. Pages with `groups` in their front matter are seen only with one of these, pages without always.',
        ),
    },
    { error: 'must be an object with `version`, `language`, `tag` or `groups`' },
  )
  .openapi('PageFilter', { description: 'The pages to search in, and the groups that the reader is in.' })
  .nullish()
  .transform((filter) => ({
    version: filter?.version ?? undefined,
    language: filter?.language ?? undefined,
    tag: filter?.tag ?? undefined,
    groups: filter?.groups ?? [],
  }))

/** Of a question that is tried, in characters. */
export const longestQuestion = 20_000

/** A question that is tried. */
export const tracedQuestion = z.object({
  question: textUpTo(longestQuestion, 'must be text of at most 20,000 characters').refine(
    (text) => text.trim() !== '',
    'is empty; write what a reader would ask',
  ),
  history: z
    .array(
      z.object({
        role: z.enum(['user', 'assistant']),
        text: textUpTo(100_000, 'must be text of at most 100,000 characters'),
      }),
    )
    .max(40, 'must be at most 40 messages')
    .optional()
    .describe('What was said before, oldest first.'),
  currentPath: textUpTo(200, 'must be text of at most 200 characters')
    .optional()
    .describe('The page that the reader is on: its slug, address or path.'),
  model: textUpTo(200, 'must be the name of a model')
    .optional()
    .describe('The model that answers, in place of the project’s own.'),
  filter: searchFilter,
})

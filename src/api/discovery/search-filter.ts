import { z } from '@hono/zod-openapi'

const text = z.string({ error: 'must be text' }).max(200, 'must be text of at most 200 characters').nullish()

/** Narrows a search. Unknown fields are ignored. */
export const searchFilter = z
  .object(
    {
      version: text,
      language: text,
      groups: z
        .array(z.string({ error: 'must be text' }), { error: 'must be a list of texts' })
        .max(100, 'must be a list of at most 100')
        .nullish()
        .describe('Pages with any of these in their front matter: `groups`, `tags` or `categories`.'),
    },
    { error: 'must be an object with `version`, `language` or `groups`' },
  )
  .nullish()
  .transform((filter) =>
    filter
      ? {
          version: filter.version ?? undefined,
          language: filter.language ?? undefined,
          groups: filter.groups ?? undefined,
        }
      : undefined,
  )

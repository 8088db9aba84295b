import { z } from '@hono/zod-openapi'

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

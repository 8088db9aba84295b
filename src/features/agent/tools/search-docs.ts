import { z } from 'zod'
import { ToolError } from '../../../lib/tool-error.ts'
import { notShown } from './calls/shown-schema.ts'
import { type AgentTool, defineTool } from './calls/tool.ts'

/** One section. */
export interface DocsResult {
  path: string
  url: string
  title: string
  heading: string | undefined
  content: string
}

/**
 * Searches the project's index: the documentation at its last synchronization, without this turn's changes. Undefined
 * while its pages are read for the first time.
 */
export type SearchDocs = (query: string, limit: number) => Promise<readonly DocsResult[] | undefined>

const maxContent = 4000

export function searchDocsTool(search: SearchDocs): AgentTool {
  return defineTool({
    name: 'search_docs',
    description: 'Finds sections by keywords.',
    input: z.object({
      query: z.string().min(1).max(1000),
      limit: z.number().int().min(1).max(20).optional().meta(notShown),
    }),
    run: async ({ query, limit = 5 }) => {
      const results = await search(query, limit)
      if (results === undefined)
        throw new ToolError(
          'unavailable',
          'The documentation is being indexed for the first time: use grep and list_files instead',
        )
      return {
        results: results.slice(0, limit).map(({ path, url, title, heading, content }) => ({
          path,
          url,
          title,
          heading: heading ?? null,
          content: content.slice(0, maxContent).toWellFormed(),
        })),
      }
    },
  })
}

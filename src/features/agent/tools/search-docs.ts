import { z } from 'zod'
import { ToolError } from '../../../lib/tool-error.ts'
import { notShown } from './calls/shown-schema.ts'
import { decodeText } from '../../../site/text/encoding.ts'
import { splitLines } from '../../../site/text/text-file.ts'
import type { Workspace } from '../workspace/workspace.ts'
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
const maxHeading = 500

export function searchDocsTool(search: SearchDocs, workspace?: Workspace): AgentTool {
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
        results: await Promise.all(
          results.slice(0, limit).map(async ({ path, url, title, heading, content }) => ({
            path,
            lines: await linesOf(workspace, path, heading),
            url,
            title,
            heading: heading ?? null,
            content: content.slice(0, maxContent).toWellFormed(),
          })),
        ),
      }
    },
  })
}

/** The lines of a section in its file as it is now, `12-30`; undefined where its heading is not found. */
async function linesOf(
  workspace: Workspace | undefined,
  path: string,
  heading: string | undefined,
): Promise<string | undefined> {
  const bytes = workspace?.has(path) === true ? await workspace.read(path) : undefined
  const text = bytes && decodeText(bytes)?.text
  if (text === undefined) return undefined
  const lines = splitLines(text).map(({ start, end }) => text.slice(start, Math.min(end, start + maxHeading)))
  const isNamed = (line: string) => {
    const name = /^ {0,3}(?:#{1,6}|={1,6}) (.*)$/
      .exec(line)?.[1]
      ?.replaceAll(/\s*(?:\{[^{}]*\}|#+)\s*$|[`*]/g, '')
      .trim()
    return name !== undefined && name !== '' && (name === heading || heading?.endsWith(` ${name}`) === true)
  }
  const at = heading === undefined ? 0 : lines.findIndex(isNamed)
  if (at === -1 || lines.length === 0) return undefined
  const next = lines.findIndex((line, index) => index > at && /^ {0,3}(?:#{1,6}|={2,6}) /.test(line))
  return `${at + 1}-${next === -1 ? lines.length : next}`
}

import { tool, type ToolSet } from 'ai'
import { z } from 'zod'
import { confidenceFloor, weakFloor, type Lookup } from '../lookup.ts'

export const weakNote =
  'These results share only some words with the query; they may be about something else.'

/** The tools of hosted models, which only read. */
export function createTools(lookup: Lookup): ToolSet {
  return {
    search: tool({
      description:
        'Searches this documentation. Returns the best sections; none when it does not speak of the query.',
      inputSchema,
      execute: ({ query }) => lookup.search(query, weakFloor),
      toModelOutput: ({ input, output }) =>
        asJson(lookup.isWeak(input.query) ? { note: weakNote, ...output } : output),
    }),
    read_page: tool({
      description: 'Reads one page of this documentation as Markdown, with the addresses of its sections.',
      inputSchema: z.object({
        path: z.string().describe('The path or url of a search result or of a link between pages'),
      }),
      execute: ({ path }) => lookup.readPage(path),
      toModelOutput: ({ output }) => asJson({ ...output, sections: lookup.placesOn(output.url) }),
    }),
  }
}

/** The built-in model quotes what it gets, so it gets only results that are likely about the question. */
export function createSearchTool(lookup: Lookup): ToolSet {
  return {
    search: tool({
      description: 'Searches this documentation.',
      inputSchema,
      execute: ({ query }) => lookup.search(query, confidenceFloor),
    }),
  }
}

function asJson(value: object): { type: 'text'; value: string } {
  return { type: 'text', value: JSON.stringify(value) }
}

const inputSchema = z.object({
  query: z.string().describe('What to look for, in the words of the documentation'),
})

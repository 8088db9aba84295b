import { tool, type ToolSet } from 'ai'
import { z } from 'zod'
import { confidenceFloor, weakFloor, type Lookup } from '../search/lookup.ts'
import { planOf } from '../search/plan-search.ts'
import { printPage, printResults } from './print-material.ts'

/** The tools of hosted models, which only read. */
export function createTools(
  lookup: Pick<Lookup, 'search' | 'confidenceIn' | 'readPage' | 'placesOn'>,
): ToolSet {
  return {
    search: tool({
      description:
        'Searches this documentation. Returns the best sections; none when it does not speak of the query.',
      inputSchema,
      execute: ({ query }) => lookup.search(planOf(query, 'model'), weakFloor),
      toModelOutput: ({ input, output }) => asText(printResults(output, lookup.confidenceIn(input.query))),
    }),
    read_page: tool({
      description: 'Reads one page of this documentation as Markdown, with the addresses of its sections.',
      inputSchema: z.object({
        path: z.string().describe('The path or url of a search result or of a link between pages'),
      }),
      execute: ({ path }) => lookup.readPage(path),
      toModelOutput: ({ output }) => asText(printPage(output, lookup.placesOn(output.url))),
    }),
  }
}

/** The built-in model searches again for the words that pages hold. It quotes what it gets, so it gets only what is likely. */
export function createSearchTool(lookup: Lookup): ToolSet {
  return {
    search: tool({
      description: 'Searches this documentation.',
      inputSchema,
      execute: ({ query }) => lookup.search(planOf(query, 'model'), confidenceFloor),
    }),
  }
}

function asText(value: string): { type: 'text'; value: string } {
  return { type: 'text', value }
}

const inputSchema = z.object({
  query: z.string().describe('What to look for, in the words of the documentation'),
})

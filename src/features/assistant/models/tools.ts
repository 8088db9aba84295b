import { tool, type ToolSet } from 'ai'
import { z } from 'zod'
import { weakFloor, type Lookup } from '../lookup.ts'
import { planOf } from '../plan-search.ts'
import { printPage, printResults } from './print-material.ts'

/** The tools of hosted models, which only read. */
export function createTools(lookup: Lookup): ToolSet {
  return {
    search: tool({
      description:
        'Searches this documentation. Returns the best sections; none when it does not speak of the query.',
      inputSchema: z.object({
        query: z.string().describe('What to look for, in the words of the documentation'),
      }),
      execute: ({ query }) => lookup.search(planOf(query), weakFloor),
      toModelOutput: ({ input, output }) =>
        asText(printResults(output.results, lookup.confidenceIn(input.query))),
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

function asText(value: string): { type: 'text'; value: string } {
  return { type: 'text', value }
}

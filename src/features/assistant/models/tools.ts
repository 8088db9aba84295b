import { tool, type ToolSet } from 'ai'
import { z } from 'zod'
import { confidenceFloor, weakFloor, type Lookup } from '../search/lookup.ts'
import { planOf } from '../search/plan-search.ts'
import { cutText } from './fit-conversation.ts'
import { printPage, printResults } from './print-material.ts'

/**
 * The tools of hosted models, which only read.
 * @param room bytes that all their outputs may take
 */
export function createTools(
  lookup: Pick<Lookup, 'search' | 'confidenceIn' | 'readPage' | 'placesOn'>,
  room: number,
): ToolSet {
  let left = room
  // The same output is printed for every call after it.
  const printed = new Map<string, string>()
  const fit = (id: string, text: string): { type: 'text'; value: string } => {
    const known = printed.get(id)
    if (known !== undefined) return { type: 'text', value: known }
    // What is looked up later needs some, too.
    const value = left < leastRoom ? noRoom : cutText(text, left * shareOfOne)
    left -= Buffer.byteLength(value)
    printed.set(id, value)
    return { type: 'text', value }
  }
  return {
    search: tool({
      description:
        'Searches this documentation. Returns the best sections; none when it does not speak of the query.',
      inputSchema,
      execute: ({ query }) => lookup.search(planOf(query, 'model'), weakFloor),
      toModelOutput: ({ toolCallId, input, output }) =>
        fit(toolCallId, printResults(output, lookup.confidenceIn(input.query))),
    }),
    read_page: tool({
      description: 'Reads one page of this documentation as Markdown, with the addresses of its sections.',
      inputSchema: z.object({
        path: z.string().describe('The path or url of a search result or of a link between pages'),
      }),
      execute: ({ path }) => lookup.readPage(path),
      toModelOutput: ({ toolCallId, output }) =>
        fit(toolCallId, printPage(output, lookup.placesOn(output.url))),
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

const shareOfOne = 0.7
const leastRoom = 600
const noRoom = 'Nothing more fits: answer from what was found.'

const inputSchema = z.object({
  query: z.string().describe('What to look for, in the words of the documentation'),
})

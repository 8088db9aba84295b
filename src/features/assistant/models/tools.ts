import { tool, type ToolSet } from 'ai'
import { z } from 'zod'
import { AppError } from '../../../lib/errors.ts'
import { confidenceFloor, weakFloor, type Lookup } from '../search/lookup.ts'
import { planOf } from '../search/plan-search.ts'
import { cutText } from './fit-conversation.ts'
import type { CodeHit } from '../code/search-code.ts'
import { printCode, printPage, printResults } from './print-material.ts'

/**
 * The tools of hosted models, which only read.
 * @param room bytes that all their outputs may take
 * @param code where the project lets it search its context repositories
 */
export function createTools(
  lookup: Pick<Lookup, 'search' | 'confidenceIn' | 'repeatsIn' | 'readPage' | 'placesOn'>,
  room: number,
  code?: SearchCode,
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
        fit(
          toolCallId,
          printResults(output, lookup.confidenceIn(input.query), lookup.repeatsIn(input.query)),
        ),
    }),
    ...(code && {
      search_code: tool({
        description:
          'Searches the source code, where the question asks for it or the documentation does not say it. Cite the url of a result, or name its place where it has none.',
        inputSchema: codeSchema,
        execute: async ({ query }) => ({ results: await code(query) }),
        toModelOutput: ({ toolCallId, output }) => fit(toolCallId, printCode(output.results)),
      }),
    }),
    read_page: tool({
      description:
        'Reads a page of this documentation, or one section of it (url#section), and lists the sections that are left out.',
      inputSchema: pageSchema,
      execute: ({ url, path, from }) => {
        const name = url || path
        if (!name) throw new AppError('invalid', 'Give the url of a page')
        return lookup.readPage({ name, from: Math.max(0, Math.floor(from ?? 0)) })
      },
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

/** Places in the code that hold a text, or most of its words. */
export type SearchCode = (query: string) => Promise<CodeHit[]>

const codeSchema = z.object({
  query: z.string().describe('An identifier, a message, or a few words as they stand in the code'),
})

const pageSchema = z.object({
  url: z.string().nullish().describe('The url of a result, page or section'),
  path: z.string().nullish().describe('Instead of url: the path of a page'),
  from: z.number().nullish().describe('To read on: the number that the reading before named'),
})

const inputSchema = z.object({
  query: z.string().describe('What to look for, in the words of the documentation'),
})

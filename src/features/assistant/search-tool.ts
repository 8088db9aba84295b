import { tool } from 'ai'
import type { Tool } from 'ai'
import { z } from 'zod'
import { makeStorable } from '../../lib/plain-text.ts'
import type { Citations, Result } from './citations.ts'
import type { Looked } from './outcome.ts'
import type { ContextItem, Search, SearchFilter, SearchHit } from './ports.ts'

/** How a request wants its searches done. */
export interface Retrieval {
  projectId: string
  /** Number of results. */
  pageSize: number
  filter: SearchFilter | undefined
  currentPath: string | undefined
  context: ContextItem[]
}

/** Searches of one answer, by the model and by ourselves, with what they found. */
export interface Lookup {
  run(query: string): Promise<{ results: Result[] }>
  looked: Looked
  /** Hits that were good enough to be shown, best first, in the order of the searches. */
  hits: SearchHit[]
  failed: boolean
}

/** Below it the search itself says that the documentation hardly speaks of the query. */
const confidenceFloor = 0.3
const longestQuery = 1000
const longestContent = 4000
const longestOutput = 60_000

export function createLookup(
  { search, onError }: { search: Search; onError(error: unknown): void },
  citations: Citations,
  retrieval: Retrieval,
): Lookup {
  const { projectId, pageSize, filter, currentPath, context } = retrieval
  const lookup: Lookup = {
    looked: { searches: 0, hits: 0 },
    hits: [],
    failed: false,
    async run(query) {
      try {
        const request = { limit: pageSize, filter, currentPath, context }
        const found = await search(projectId, {
          ...request,
          query: makeStorable(query.slice(0, longestQuery)),
        })
        lookup.looked.searches++
        lookup.looked.hits += found.hits.length
        if (found.confidence < confidenceFloor) return { results: [] }
        const hits = found.hits.slice(0, pageSize)
        lookup.hits.push(...hits)
        const length = Math.min(longestContent, Math.floor(longestOutput / Math.max(1, hits.length)))
        return { results: hits.map((hit) => citations.add(hit, makeStorable(hit.content.slice(0, length)))) }
      } catch (cause) {
        lookup.failed = true
        onError(cause)
        // Model and client are shown this text.
        throw new Error('The search failed; say so instead of answering', { cause })
      }
    },
  }
  return lookup
}

export type SearchTool = Tool<{ query: string }, { results: Result[] }>

export function createSearchTool(lookup: Lookup): SearchTool {
  return tool({
    description:
      'Searches this documentation. Returns the best sections; none when it does not speak of the query.',
    inputSchema: z.object({
      query: z.string().describe('What to look for, in the words of the documentation'),
    }),
    execute: ({ query }) => lookup.run(query),
  })
}

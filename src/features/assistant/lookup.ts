import { AppError } from '../../lib/errors.ts'
import { makeStorable } from '../../lib/plain-text.ts'
import type { Citations, PageText, Place, Result } from './citations.ts'
import type { Looked } from './outcome.ts'
import type { AssistantProject, ContextItem, Search, SearchFilter, SearchHit, SearchResult } from './ports.ts'

/** How a request wants its searches done. */
export interface Retrieval<Project extends AssistantProject> {
  project: Project
  /** Number of results. */
  pageSize: number
  filter: SearchFilter | undefined
  currentPath: string | undefined
  context: ContextItem[]
}

/** The output of a search as model and client see it. */
interface Found {
  results: Result[]
  /** Words of the query that no page holds; left out where there are none. */
  unknown?: string[]
}

/** The lookups of one answer, by models and by the assistant itself. */
export interface Lookup {
  /** @param floor confidence below which nothing is returned */
  search(query: string, floor: number): Promise<Found>
  /** Whether a query only found results that may be about something else. */
  isWeak(query: string): boolean
  readPage(name: string): Promise<PageText>
  /** The sections of a page that was read, by its address. */
  placesOn(url: string): Place[]
  looked: Looked
  /** Hits that were good enough to be shown, best first, in the order of the searches. */
  hits: SearchHit[]
  /** Whether every search failed. */
  down(): boolean
}

/** Below this confidence, the documentation hardly mentions the query. */
export const confidenceFloor = 0.3
/**
 * Hosted models judge by themselves what is about the question, so they also see results that share only some of
 * its words.
 */
export const weakFloor = 0.1
const mostLookups = 12
const longestQuery = 1000
const longestContent = 4000
const longestOutput = 60_000
const longestPage = 20_000
const mostUnknown = 20
/** Characters of one answer's lookups together: a model pays for them with every further call. */
const mostMaterial = 150_000

export function createLookup<Project extends AssistantProject>(
  { search, onError }: { search: Search<Project>; onError(error: unknown): void },
  citations: Citations,
  { project, pageSize, filter, currentPath, context }: Retrieval<Project>,
): Lookup {
  const searches = new Map<string, SearchResult>()
  let failed = false
  let lookups = 0
  let material = 0

  const longest = Math.min(longestContent, Math.floor(longestOutput / pageSize))

  const take = (): void => {
    lookups++
    if (lookups <= mostLookups && material < mostMaterial) return
    throw new AppError('rate_limited', 'Nothing more is looked up for this answer; use what was found')
  }

  const find = async (query: string): Promise<SearchResult> => {
    const known = searches.get(query)
    if (known) return known
    try {
      const request = { query, limit: pageSize, filter, currentPath, context, longest }
      const found = await search(project, request)
      searches.set(query, found)
      lookup.looked.searches++
      lookup.looked.hits += found.hits.length
      if (found.confidence >= confidenceFloor) lookup.hits.push(...found.hits.slice(0, pageSize))
      return found
    } catch (cause) {
      failed = true
      onError(cause)
      // Model and client are shown this text.
      throw new AppError('unavailable', 'The search failed; say so instead of answering', { cause })
    }
  }

  const lookup: Lookup = {
    looked: { searches: 0, hits: 0 },
    hits: [],
    down: () => failed && searches.size === 0,
    isWeak(query) {
      const { confidence = 0 } = searches.get(searchable(query)) ?? {}
      return confidence >= weakFloor && confidence < confidenceFloor
    },
    placesOn: (url) => citations.placesOn(url),
    async search(query, floor) {
      take()
      const found = await find(searchable(query))
      const unknown = found.unknown?.slice(0, mostUnknown) ?? []
      const words = unknown.length > 0 ? { unknown } : {}
      if (found.confidence < floor) return { results: [], ...words }
      const hits = found.hits.slice(0, pageSize)
      const results = hits.map((hit) => citations.add(hit, makeStorable(hit.content.slice(0, longest))))
      for (const { content } of results) material += content.length
      return { results, ...words }
    },
    async readPage(name) {
      take()
      const page = await citations.readPage(name, longestPage)
      if (!page)
        throw new AppError('not_found', 'There is no such page; take the path or url of a search result')
      material += page.content.length
      return page
    },
  }
  return lookup
}

function searchable(query: string): string {
  return makeStorable(query.slice(0, longestQuery))
}

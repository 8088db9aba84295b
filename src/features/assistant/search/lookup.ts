import { AppError } from '../../../lib/errors.ts'
import { questionTerms, termsOf } from '../../../lib/prompts/question-terms.ts'
import { makeStorable } from '../../../lib/text/plain-text.ts'
import type { Citations, PageText, Place, Result } from '../links/citations.ts'
import { fuseResults } from './fuse-results.ts'
import type { Looked } from '../outcome.ts'
import type { PlannedSearch, SearchPlan } from './plan-search.ts'
import type {
  AssistantProject,
  ContextItem,
  Search,
  SearchFilter,
  SearchHit,
  SearchResult,
} from '../ports.ts'

/** How a request wants its searches done. */
export interface Retrieval<Project extends AssistantProject> {
  project: Project
  /** Number of results; from 5 on, which is the default, at least 8. */
  pageSize: number
  filter: SearchFilter | undefined
  currentPath: string | undefined
  context: ContextItem[]
}

/** The output of a search as model and client see it. */
export interface Found {
  results: Result[]
  /** Words of the query that no page holds; left out where there are none. */
  unknown?: string[]
}

/** The lookups of one answer, by models and by the assistant itself. */
export interface Lookup {
  /**
   * Runs the searches of a plan and fuses their results.
   * @param floor confidence below which nothing is returned
   */
  search(plan: SearchPlan, floor: number): Promise<Found>
  /**
   * Runs the searches of a plan ahead of `search`. Never rejects.
   * @returns titles of the pages that come first
   */
  prepare(plan: SearchPlan): Promise<string[]>
  /** How well the documentation covers a query that was searched for (see SearchResult). */
  confidenceIn(query: string): number
  /** The first sections of pages that were found and are not likely about what was searched for; at most three. */
  nearest(): Result[]
  readPage(name: string): Promise<PageText>
  /**
   * The page that the reader is on, by its best sections for what is searched for, or by its beginning; undefined where
   * there is no such page.
   */
  readersPage(name: string, plan: SearchPlan | undefined): Promise<ReadersPage | undefined>
  /** The sections of a page that was read, by its address. */
  placesOn(url: string): Place[]
  looked: Looked
  /** Hits that were good enough to be shown, best first, in the order of the searches. */
  hits: SearchHit[]
  /** Whether every search failed. */
  down(): boolean
}

/** One search of a lookup, with what it was fused from. */
export interface Searched {
  query: string
  floor: number
  confidence: number
  unknown: readonly string[]
  /** Sections that are shown at most. */
  count: number
  lists: (PlannedSearch & { hits: SearchHit[]; confidence: number })[]
  /** What came of fusing them, best first. */
  fused: SearchHit[]
}

/** Is told what an answer looks up. */
export interface LookupObserver {
  searching(query: string): (found: Searched) => void
  reading(name: string): (page: PageText | undefined) => void
}

export interface ReadersPage {
  title: string
  /** Absolute. */
  url: string
  sections: Result[]
  places: Place[]
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
const usualResults = 8
/** Sections of each search that are fused with others: more than are shown, because searches find different ones. */
const mostFused = 30
const mostOfReadersPage = 4
const longestOfReadersPage = 2000
const mostUnknown = 20
const mostNearest = 3
const mostTitles = 6
/** Characters of one answer's lookups together: a model pays for them with every further call. */
const mostMaterial = 150_000

export function createLookup<Project extends AssistantProject>(
  { search, onError }: { search: Search<Project>; onError(error: unknown): void },
  citations: Citations,
  { project, pageSize, filter, currentPath, context }: Retrieval<Project>,
  observer?: LookupObserver,
): Lookup {
  const searches = new Map<string, Promise<SearchResult>>()
  const confidences = new Map<string, number>()
  const near = new Map<string, SearchHit>()
  let failed = false
  let lookups = 0
  let material = 0

  const count = pageSize < 5 ? pageSize : Math.max(usualResults, pageSize)
  const longest = Math.min(longestContent, Math.floor(longestOutput / count))

  const take = (): void => {
    lookups++
    if (lookups <= mostLookups && material < mostMaterial) return
    throw new AppError('rate_limited', 'Search limit reached for this answer. Use the results you have')
  }

  const find = (query: string, limit: number): Promise<SearchResult> => {
    const known = searches.get(query)
    if (known) return known
    const pending = search(project, { query, limit, filter, currentPath, context, longest })
    searches.set(query, pending)
    return pending
  }

  const findAll = async ({ query, searches: planned }: SearchPlan, floor: number): Promise<SearchResult> => {
    const report = observer?.searching(query)
    const limit = planned.length === 1 ? count : Math.max(count, mostFused)
    const lists = await Promise.all(
      planned.map(async (one) => ({ ...one, ...(await find(searchable(one.query), limit)) })),
    )
    const confidence = Math.max(0, ...lists.filter(({ whole }) => whole).map((list) => list.confidence))
    // What a question is not about only adds noise: its words in a language that the pages do not have, say.
    const about = lists.filter((list) => confidence < floor || list.confidence >= floor)
    // The literal search of the whole question comes last.
    const unknown = lists.findLast(({ whole }) => whole)?.unknown
    const fused = fuseResults(about)
    report?.({ query, floor, confidence, unknown: unknown ?? [], count, lists, fused })
    return { hits: fused, confidence, unknown }
  }

  const keep = (hits: SearchHit[]): Result[] => {
    const results = hits.map((hit) => citations.add(hit, makeStorable(hit.content.slice(0, longest))))
    for (const { content } of results) material += content.length
    return results
  }

  const lookup: Lookup = {
    looked: { searches: 0, hits: 0, strange: false },
    hits: [],
    down: () => failed && confidences.size === 0,
    confidenceIn: (query) => confidences.get(searchable(query)) ?? 0,
    placesOn: (url) => citations.placesOn(url),
    async prepare({ searches: planned }) {
      const limit = Math.max(count, mostFused)
      const outcomes = await Promise.allSettled(planned.map(({ query }) => find(searchable(query), limit)))
      const titles = outcomes.flatMap((one) =>
        one.status === 'fulfilled' ? one.value.hits.map(({ title }) => title) : [],
      )
      return [...new Set(titles)].slice(0, mostTitles)
    },
    async search(plan, floor) {
      take()
      const key = searchable(plan.query)
      try {
        const { hits, confidence, unknown = [] } = await findAll(plan, floor)
        if (!confidences.has(key)) {
          lookup.looked.searches++
          lookup.looked.strange ||= isStrange(plan.query, unknown, project.domain)
          if (confidence >= weakFloor) lookup.looked.hits += hits.length
          if (confidence >= confidenceFloor) lookup.hits.push(...hits.slice(0, count))
        }
        confidences.set(key, confidence)
        if (confidence < floor)
          for (const hit of hits.slice(0, count)) if (!near.has(hit.path)) near.set(hit.path, hit)
        const words = unknown.length > 0 ? { unknown: unknown.slice(0, mostUnknown) } : {}
        return { results: confidence < floor ? [] : keep(hits.slice(0, count)), ...words }
      } catch (cause) {
        failed = true
        onError(cause)
        for (const { query } of plan.searches) searches.delete(searchable(query))
        // Model and client are shown this text.
        throw new AppError('unavailable', 'The search failed; say so instead of answering', { cause })
      }
    },
    nearest: () => keep([...near.values()].slice(0, mostNearest)),
    async readPage(name) {
      take()
      const read = observer?.reading(name)
      const page = await citations.readPage(name, longestPage)
      read?.(page)
      if (!page) throw new AppError('not_found', 'Page not found; take the path or url of a search result')
      material += page.content.length
      return page
    },
    async readersPage(name, plan) {
      const page = await citations.readPage(name, longestOfReadersPage)
      if (!page) return undefined
      const { url, title, content, metadata, path } = page
      const { file } = metadata
      const query = plan && searchable(plan.query)
      const limit = mostOfReadersPage
      const request = {
        limit,
        filter: undefined,
        currentPath,
        context,
        within: file,
        longest: longestOfReadersPage,
      }
      const matches = query === undefined ? undefined : await search(project, { query, ...request })
      const best = (matches?.hits ?? []).filter((hit) => hit.path === file).slice(0, limit)
      const sections = best.length > 0 ? keep(best) : [{ path, url, title, heading: '', content, metadata }]
      return { title, url, sections, places: citations.placesOn(url) }
    },
  }
  return lookup
}

/** Whether hardly a word of a query is in any page: one unknown word may be what the documentation should have. */
function isStrange(query: string, unknown: readonly string[], subject: string): boolean {
  const terms = [...questionTerms(query)].flatMap(([term, weight]) => (weight === 1 ? term : []))
  const absent = new Set(unknown.flatMap(termsOf))
  const strange = terms.filter((term) => absent.has(term)).length
  const names = new Set(termsOf(subject))
  return strange > 1 && strange > terms.length / 2 && !terms.some((term) => names.has(term))
}

function searchable(query: string): string {
  return makeStorable(query.slice(0, longestQuery))
}

import { AppError } from '../../../lib/errors.ts'
import { questionTerms, termsOf } from '../../../lib/prompts/question-terms.ts'
import { makeStorable } from '../../../lib/text/plain-text.ts'
import type { Citations, PageText, Place, Result } from '../links/citations.ts'
import { fuseResults } from './fuse-results.ts'
import type { Looked } from '../outcome.ts'
import type { PlannedSearch, SearchPlan } from './plan-search.ts'
import { withoutTranslations } from './without-translations.ts'
import type { Literal } from './worth-writing.ts'
import type {
  AssistantProject,
  ContextItem,
  QueryFacts,
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
  /**
   * Whether a model reads the results that judges by itself and looks further: it gets shorter ones, more of a page that
   * clearly leads, and none twice.
   */
  isForModel: boolean
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

/** What the searches of a plan find, before they are shown to anyone. */
export interface Prepared extends Literal {
  /** Of the pages that come first. */
  titles: string[]
}

/** The lookups of one answer, by models and by the assistant itself. */
export interface Lookup {
  /**
   * Runs the searches of a plan and fuses their results.
   * @param floor confidence below which nothing is returned
   */
  search(plan: SearchPlan, floor: number): Promise<Found>
  /** Runs the searches of a plan ahead of `search`; undefined where none of them works. Never rejects. */
  prepare(plan: SearchPlan): Promise<Prepared | undefined>
  /** How well the documentation covers a query that was searched for (see SearchResult). */
  confidenceIn(query: string): number
  /** How rare the words of a query that was searched for are on the site, and whether its first result leads. */
  factsOf(query: string): QueryFacts
  /** Addresses of results of a query that a model had read before the query was searched for. */
  repeatsIn(query: string): readonly string[]
  /** The first sections of pages that were found and are not likely about what was searched for; at most three. */
  nearest(): Result[]
  /** Reads a page, or a section of it, as far as the budget of one reading goes. */
  readPage(request: { name: string; from?: number | undefined }): Promise<PageText>
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
/** 600 tokens, in bytes: the rest of a section can be read by its address. */
const longestForModel = 2400
/** Bytes of those behind the first ones. */
const longestFurther = 1200
const mostFirst = 3
const longestOutput = 60_000
/** Bytes of a page that are read at once. */
const pageBudget = 5000
/** The second page is so much worse than one that clearly leads. */
const leadingShare = 0.7
const mostOfLeading = 5
/** Results of other pages beside those of one that leads. */
const leastOfOthers = 3
/** Results of a further search: all of them are read again with every call. */
const mostFresh = 5
const leastFresh = 3
const usualResults = 8
/** Sections of each search that are fused with others: more than are shown, because searches find different ones. */
const mostFused = 30
const mostOfReadersPage = 4
const longestOfReadersPage = 2000
const mostUnknown = 20
const mostNearest = 3
const mostTitles = 50
/** Characters of one answer's lookups together: a model pays for them with every further call. */
const mostMaterial = 150_000

export function createLookup<Project extends AssistantProject>(
  { search, onError }: { search: Search<Project>; onError(error: unknown): void },
  citations: Citations,
  { project, pageSize, isForModel, filter, currentPath, context }: Retrieval<Project>,
  observer?: LookupObserver,
): Lookup {
  const searches = new Map<string, Promise<SearchResult>>()
  const confidences = new Map<string, number>()
  const facts = new Map<string, QueryFacts>()
  const near = new Map<string, SearchHit>()
  let failed = false
  let lookups = 0
  let material = 0

  const count = pageSize < 5 ? pageSize : Math.max(usualResults, pageSize)
  const longest = Math.min(isForModel ? longestForModel : longestContent, Math.floor(longestOutput / count))
  /** Addresses of what was shown as results, and of the reader's page beside the first ones. */
  const shownUrls = new Set<string>()
  const ofReader = new Set<string>()
  const repeats = new Map<string, readonly string[]>()

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
    const limit =
      planned.length === 1 && (!isForModel || count < usualResults) ? count : Math.max(count, mostFused)
    const lists = await Promise.all(
      planned.map(async (one) => ({ ...one, ...(await find(searchable(one.query), limit)) })),
    )
    const confidence = Math.max(0, ...lists.filter(({ whole }) => whole).map((list) => list.confidence))
    // What a question is not about only adds noise: its words in a language that the pages do not have, say.
    const about = lists.filter((list) => confidence < floor || list.confidence >= floor)
    // The literal search of the whole question comes last.
    const unknown = lists.findLast(({ whole }) => whole)?.unknown
    const fused = isForModel ? withoutTranslations(fuseResults(about)) : fuseResults(about)
    facts.set(searchable(query), {
      rarities: new Map(lists.flatMap((list) => [...(list.rarities ?? [])])),
      leads: lists.some((list) => list.leads === true && list.hits[0]?.path === fused[0]?.path),
    })
    report?.({ query, floor, confidence, unknown: unknown ?? [], count, lists, fused })
    return { hits: fused, confidence, unknown }
  }

  const keep = (hits: SearchHit[], into = shownUrls): Result[] => {
    const results = hits.map((hit, rank) => {
      const most = rank < mostFirst ? longest : Math.min(longest, longestFurther)
      const text = isForModel ? cutBytes(hit.content, most) : hit.content.slice(0, longest)
      const isPart = isForModel && (hit.isPart === true || text.length < hit.content.length)
      return citations.add(hit, makeStorable(isPart ? `${text}\n${moreMark}` : text))
    })
    for (const { content, url } of results) {
      if (!into.has(url)) material += content.length
      into.add(url)
    }
    return results
  }

  /** The best hits, with more sections of a page that clearly leads. */
  const withLeading = async (query: string, hits: SearchHit[]): Promise<SearchHit[]> => {
    const best = hits.slice(0, count)
    const leading = leadingPage(best)
    // Who asks for few results gets no more of them.
    if (!isForModel || leading === undefined || count < usualResults) return best
    const { hits: inside } = await search(project, {
      query,
      limit: mostOfLeading,
      filter,
      currentPath,
      context,
      within: leading,
      longest,
    }).catch(() => ({ hits: [] }))
    const known = new Set(best.map((hit) => citations.urlOf(hit)))
    const more = inside.filter((hit) => hit.path === leading && !known.has(citations.urlOf(hit)))
    const own = [...best.filter(({ path }) => path === leading), ...more].slice(0, mostOfLeading)
    const others = best.filter(({ path }) => path !== leading)
    return [...own, ...others.slice(0, Math.max(leastOfOthers, count - own.length))]
  }

  /** The best hits, with further ones in place of those that a model has read. */
  const withFresh = (hits: SearchHit[]): { chosen: SearchHit[]; shown: string[] } => {
    const isShown = (hit: SearchHit): boolean => {
      const url = citations.urlOf(hit)
      return shownUrls.has(url) || ofReader.has(url)
    }
    const before = new Set(hits.slice(0, count).filter(isShown))
    const most = Math.min(count, Math.max(leastFresh, Math.min(mostFresh, count - before.size)))
    const fresh = new Set(hits.filter((hit) => !isShown(hit)).slice(0, most))
    const repeated = new Set([...before].slice(0, count - fresh.size))
    return {
      chosen: hits.filter((hit) => repeated.has(hit) || fresh.has(hit)),
      shown: [...repeated].map((hit) => citations.urlOf(hit)),
    }
  }

  const lookup: Lookup = {
    looked: { searches: 0, hits: 0, strange: false },
    hits: [],
    down: () => failed && confidences.size === 0,
    confidenceIn: (query) => confidences.get(searchable(query)) ?? 0,
    factsOf: (query) => facts.get(searchable(query)) ?? { rarities: undefined, leads: undefined },
    repeatsIn: (query) => repeats.get(searchable(query)) ?? [],
    placesOn: (url) => citations.placesOn(url),
    async prepare({ searches: planned }) {
      const limit = Math.max(count, mostFused)
      const outcomes = await Promise.allSettled(planned.map(({ query }) => find(searchable(query), limit)))
      const lists = outcomes.flatMap((one, at) =>
        one.status === 'fulfilled' ? { ...one.value, whole: planned[at]?.whole === true } : [],
      )
      if (lists.length === 0) return undefined
      const titles = lists.flatMap(({ hits }) => hits.map(({ title }) => title))
      const whole = lists.filter((list) => list.whole)
      return {
        titles: [...new Set(titles)].slice(0, mostTitles),
        confidence: Math.max(0, ...whole.map(({ confidence }) => confidence)),
        unknown: whole.at(-1)?.unknown ?? [],
      }
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
        if (confidence < floor) return { results: [], ...words }
        if (!isForModel) return { results: keep(hits.slice(0, count)), ...words }
        if (shownUrls.size === 0) return { results: keep(await withLeading(key, hits)), ...words }
        const { chosen, shown } = withFresh(hits)
        repeats.set(key, shown)
        return { results: keep(chosen), ...words }
      } catch (cause) {
        failed = true
        onError(cause)
        for (const { query } of plan.searches) searches.delete(searchable(query))
        // Model and client are shown this text.
        throw new AppError('unavailable', 'The search failed; say so instead of answering', { cause })
      }
    },
    nearest: () => keep([...near.values()].slice(0, mostNearest)),
    async readPage({ name, from }) {
      take()
      const read = observer?.reading(name)
      const page = await citations.readPage({ name, from, budget: pageBudget })
      read?.(page)
      if (!page) throw new AppError('not_found', 'Page not found; take the path or url of a search result')
      material += page.content.length
      return page
    },
    async readersPage(name, plan) {
      const page = await citations.readPage({ name, budget: longestOfReadersPage })
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
      const sections =
        best.length > 0 ? keep(best, ofReader) : [{ path, url, title, heading: '', content, metadata }]
      const shownHere = new Set(best.map(({ anchor }) => anchor))
      const places = citations.placesOn(url).filter(({ anchor }) => !shownHere.has(anchor))
      return { title, url, sections, places }
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

/** Stands at the end of a result that is a part of its section. */
export const moreMark = '[…]'

function cutBytes(text: string, most: number): string {
  const bytes = Buffer.byteLength(text)
  if (bytes <= most) return text
  return text.slice(0, Math.floor((text.length * most) / bytes)).toWellFormed()
}

/** The page whose sections answer far better than those of all others. */
function leadingPage(hits: readonly SearchHit[]): string | undefined {
  const [first] = hits
  if (first === undefined) return undefined
  const second = hits.find(({ path }) => path !== first.path)
  return second === undefined || second.score <= first.score * leadingShare ? first.path : undefined
}

function searchable(query: string): string {
  return makeStorable(query.slice(0, longestQuery))
}

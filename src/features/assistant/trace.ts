import { AppError } from '../../lib/errors.ts'
import type { LookupObserver, Searched } from './search/lookup.ts'
import type { UsedModel } from './models/trial.ts'
import type { QueryAuthor } from './search/plan-search.ts'
import type { Citations } from './links/citations.ts'
import type { AssistantPorts, SearchHit } from './ports.ts'

/** How an answer came about. Times are milliseconds since the question came. */
export interface Trace {
  searches: TracedSearch[]
  pages: { name: string; path: string | null; file: string | null; title: string | null; at: number }[]
  calls: TracedCall[]
  /** Why a model was passed over, as the operator's log says it. */
  problems: string[]
  /** Whether the project's tokens of the day are used up, so that only the built-in model answers. */
  outOfTokens: boolean
  /** When the first text of the answer came; null where none did. */
  firstText: number | null
  milliseconds: number
}

export interface TracedSearch {
  /** What was looked for, as models and clients are told. */
  query: string
  at: number
  milliseconds: number
  /** How well the documentation covers it, 0 to 1, and below what nothing is shown to the model. */
  confidence: number
  floor: number
  /** Words that no page holds. */
  unknown: string[]
  queries: {
    query: string
    by: QueryAuthor
    /** How much its ranks count. */
    weight: number
    confidence: number
    found: number
    /** False: it is hardly mentioned, and its results were left out. */
    used: boolean
  }[]
  /** What was found, that which the model was shown first. */
  sections: TracedSection[]
}

/**
 * `shown`: the model got it. `weak`: the documentation hardly covers the search. `same_page`: its page has enough sections
 * already. `later`: others were better. `unused`: only a query found it whose results were left out.
 */
export const sectionFates = ['shown', 'later', 'same_page', 'unused', 'weak'] as const
type SectionFate = (typeof sectionFates)[number]

export interface TracedSection {
  /** The page's slug. */
  path: string
  /** The page's file. */
  file: string
  title: string
  heading: string | null
  /** Absolute. */
  url: string
  fate: SectionFate
  /** The beginning of its text. */
  content: string
  /** Its place and score among the results of each query that found it. */
  found: { query: number; rank: number; score: number }[]
}

export interface TracedCall {
  model: string
  task: UsedModel['task']
  at: number
  /** Until the first piece; null where none came. */
  first: number | null
  /** Null: it was given up. */
  milliseconds: number | null
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  /** US dollars; null when no price is known. */
  cost: number | null
  /** The provider did not take the call, which then costs nothing. */
  refused: boolean
  tools: { name: string; input: string }[]
}

const mostSections = 60
const longestContent = 600

/** Notes what an answer does. */
export interface Tracer extends LookupObserver {
  problem(error: unknown): void
  /** Something was said. */
  text(): void
  end(ports: Pick<AssistantPorts, 'costOf'>, used: readonly UsedModel[], outOfTokens: boolean): Trace
}

export function createTracer(names: Pick<Citations, 'urlOf' | 'slugOf'>): Tracer {
  const begun = performance.now()
  const since = (time = performance.now()): number => Math.round(time - begun)
  const searches: TracedSearch[] = []
  const pages: Trace['pages'] = []
  const problems: string[] = []
  let firstText: number | undefined
  return {
    searching() {
      const at = since()
      return (found) =>
        void searches.push({ ...describeSearch(found, names), at, milliseconds: since() - at })
    },
    reading(name) {
      const at = since()
      return (page) =>
        void pages.push({
          name: name.slice(0, 300),
          path: page?.path ?? null,
          file: page?.metadata.file ?? null,
          title: page?.title ?? null,
          at,
        })
    },
    problem(error) {
      // Other errors may hold what only the operator may see.
      if (error instanceof AppError && problems.length < 10) problems.push(error.message)
    },
    text() {
      firstText ??= since()
    },
    end: ({ costOf }, used, outOfTokens) => ({
      searches,
      pages,
      calls: used.flatMap((model) => callsOf(model, costOf, since)).sort((a, b) => a.at - b.at),
      problems,
      outOfTokens,
      firstText: firstText ?? null,
      milliseconds: since(),
    }),
  }
}

function callsOf(
  { name, task, calls }: UsedModel,
  costOf: AssistantPorts['costOf'],
  since: (time: number) => number,
): TracedCall[] {
  return calls().map(({ usage, begun, first, ended, refused, tools }) => {
    const cost = refused ? 0 : costOf(name, usage)
    return {
      model: name,
      task,
      at: since(begun),
      first: first === undefined ? null : since(first) - since(begun),
      milliseconds: ended === undefined ? null : since(ended) - since(begun),
      inputTokens: refused ? 0 : usage.inputTokens,
      cachedInputTokens: refused ? 0 : usage.cachedInputTokens,
      outputTokens: refused ? 0 : usage.outputTokens,
      cost: cost === undefined ? null : cost / 1_000_000,
      refused,
      tools,
    }
  })
}

function describeSearch(
  { query, floor, confidence, unknown, count, lists, fused }: Searched,
  { urlOf, slugOf }: Pick<Citations, 'urlOf' | 'slugOf'>,
): Omit<TracedSearch, 'at' | 'milliseconds'> {
  const isWeak = confidence < floor
  const isUsed = (list: { confidence: number }): boolean => isWeak || list.confidence >= floor
  const keyOf = ({ path, anchor, heading }: SearchHit): string => `${path}\n${anchor ?? ''}\n${heading ?? ''}`
  const places = new Map(fused.map((hit, place) => [keyOf(hit), place]))
  const sections = new Map<string, TracedSection & { place: number }>()
  for (const [number, list] of lists.entries())
    for (const [rank, hit] of list.hits.entries()) {
      const place = places.get(keyOf(hit)) ?? Infinity
      const section = sections.get(keyOf(hit)) ?? {
        path: slugOf(hit),
        file: hit.path,
        title: hit.title,
        heading: hit.heading ?? null,
        url: urlOf(hit),
        fate: fateOf(place, { isWeak, isUsed: isUsed(list), count }),
        content: hit.content.slice(0, longestContent).toWellFormed(),
        found: [],
        place,
      }
      sections.set(keyOf(hit), section)
      section.found.push({ query: number, rank: rank + 1, score: Math.round(hit.score * 1000) / 1000 })
      // A later query may be one that counts.
      if (section.fate === 'unused' && isUsed(list)) section.fate = 'same_page'
    }
  return {
    query,
    confidence,
    floor,
    unknown: unknown.slice(0, 20),
    queries: lists.map((list) => ({
      query: list.query,
      by: list.by,
      weight: list.weight,
      confidence: list.confidence,
      found: list.hits.length,
      used: isUsed(list),
    })),
    sections: [...sections.values()]
      .sort((a, b) => a.place - b.place || sectionFates.indexOf(a.fate) - sectionFates.indexOf(b.fate))
      .slice(0, mostSections)
      .map(({ place: _place, ...section }) => section),
  }
}

function fateOf(
  place: number,
  { isWeak, isUsed, count }: { isWeak: boolean; isUsed: boolean; count: number },
): SectionFate {
  if (isWeak) return 'weak'
  if (place < count) return 'shown'
  if (place < Infinity) return 'later'
  return isUsed ? 'same_page' : 'unused'
}

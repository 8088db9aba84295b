import { endingSignal } from '../../../lib/ending-signal.ts'
import { unlessAborted } from '../../../lib/unless-aborted.ts'
import type { Store } from '../../../store/database.ts'
import type { OtherRanking } from '../search/fuse-rankings.ts'
import { rankPlaces, textsAt, type SearchRequest } from '../search/search.ts'
import { isEnriching, type EnrichedProject, type EnrichmentSettings } from './enrichment.ts'
import { isWorn, noEnrichedIndex, updateEnrichedIndex, type EnrichedIndex } from './enriched-index.ts'
import { queryPatience, type QueryVectors } from './query-vectors.ts'
import { bytesOf, findNearest, type VectorIndex } from './vector-index.ts'
import { forgetProbe } from './vector-probe.ts'

/** A project as a search knows it. */
export interface SearchedProject extends EnrichedProject {
  enrichment: { revision: number } | undefined
}

/** Keeps what enriches the search of projects in memory: loaded at its first use, and dropped when it is not used. */
export interface EnrichedIndexes {
  /**
   * Ranks sections for a query by what models made of them. It never fails and never takes long: what is not there in
   * time is left out, and the ranking by words stands alone.
   */
  rank(project: SearchedProject, request: SearchRequest): Promise<OtherRanking[]>
  forget(projectId: string): void
}

interface Loaded {
  index: EnrichedIndex
  models: string
  usedAt: number
  /** When it was made from the beginning. */
  builtAt: number
}

/** While models work, their newest words reach the search after this many milliseconds. */
const refreshEvery = 15_000
/** Reading all rows again takes long, so an index with many replaced pages is not made anew more often. */
const rebuildEvery = 600_000
const recheckEvery = 600_000
const idle = 1_800_000
const mostBytes = 1_000_000_000
/** Sections of the ranking by questions, and of that by vectors, which has to reach thirty pages. */
const ranked = 60
const nearest = 120

export function createEnrichedIndexes(
  store: Store,
  queryVectors: QueryVectors,
  onError: (error: unknown) => void,
): EnrichedIndexes {
  const loaded = new Map<string, Loaded>()
  const loading = new Map<string, Promise<EnrichedIndex>>()
  const refreshedAt = new Map<string, number>()
  const recheckedAt = new Map<string, number>()

  const refresh = (
    { id, enrichment }: SearchedProject,
    settings: EnrichmentSettings,
    before: EnrichedIndex,
  ): Promise<EnrichedIndex> => {
    const running = loading.get(id)
    if (running !== undefined) return running
    const revision = enrichment?.revision ?? 0
    const started = updateEnrichedIndex(store, id, settings, { index: before, revision })
      .then((index) => {
        const builtAt = before === noEnrichedIndex ? Date.now() : (loaded.get(id)?.builtAt ?? Date.now())
        loaded.set(id, { index, models: modelsOf(settings), usedAt: Date.now(), builtAt })
        evict(id)
        return index
      })
      .catch((error: unknown) => {
        onError(error)
        return before
      })
      .finally(() => loading.delete(id))
    loading.set(id, started)
    refreshedAt.set(id, Date.now())
    return started
  }

  const evict = (keep: string): void => {
    const oldest = [...loaded].filter(([id]) => id !== keep).sort(([, a], [, b]) => a.usedAt - b.usedAt)
    let bytes = [...loaded.values()].reduce((sum, { index }) => sum + sizeOf(index), 0)
    for (const [id, { index, usedAt }] of oldest) {
      if (bytes <= mostBytes && Date.now() - usedAt < idle) return
      loaded.delete(id)
      bytes -= sizeOf(index)
    }
  }

  setInterval(() => evict(''), 300_000).unref()

  const indexOf = (project: SearchedProject, settings: EnrichmentSettings): Promise<EnrichedIndex> => {
    const known = loaded.get(project.id)
    const isSame = known?.models === modelsOf(settings)
    if (known === undefined || !isSame) return refresh(project, settings, noEnrichedIndex)
    known.usedAt = Date.now()
    const isOld = known.index.revision < (project.enrichment?.revision ?? 0)
    if (!isOld) return Promise.resolve(known.index)
    const isEarly = Date.now() - (refreshedAt.get(project.id) ?? 0) < refreshEvery
    const isStale = isWorn(known.index) && Date.now() - known.builtAt > rebuildEvery
    if (!isEarly) void refresh(project, settings, isStale ? noEnrichedIndex : known.index)
    return Promise.resolve(known.index)
  }

  // The model behind the name is another one: its vectors are of no use until the sections are read anew.
  const recheck = (projectId: string, model: string): void => {
    const last = recheckedAt.get(projectId)
    if (last !== undefined && Date.now() - last < recheckEvery) return
    recheckedAt.set(projectId, Date.now())
    store.transaction((tx) => forgetProbe(tx, projectId, model)).catch(onError)
  }

  return {
    async rank(project, request) {
      const settings = project.settings.enrichment
      if (!isEnriching(settings) || request.within !== undefined) return []
      using waiting = endingSignal({ milliseconds: queryPatience })
      const late = waiting.signal
      const [index, vector] = await Promise.all([
        inTime(indexOf(project, settings), late),
        settings.vectors === undefined || request.without?.includes('vectors')
          ? undefined
          : inTime(queryVectors.find(project.id, settings.vectors, request.query), late),
      ])
      if (index === undefined) return []
      if (vector !== undefined && settings.vectors !== undefined && !fits(index.vectors, vector))
        recheck(project.id, settings.vectors)
      return rankingsOf(index, vector, request)
    },
    forget(projectId) {
      loaded.delete(projectId)
      refreshedAt.delete(projectId)
      recheckedAt.delete(projectId)
    },
  }
}

function rankingsOf(
  { questions, vectors }: EnrichedIndex,
  vector: readonly number[] | undefined,
  request: SearchRequest,
): OtherRanking[] {
  const rankings: OtherRanking[] = []
  const { allows, ...byQuestions } = rankPlaces(questions, { ...request, limit: ranked })
  // Each line is a question, or says what the section is about.
  const questionsOf = (path: string, first: number, end: number): string[] =>
    textsAt(questions, path, first, end)
      .flatMap((text) => text.split('\n'))
      .filter((line) => /[?？؟]$/.test(line.trimEnd()))
  if (byQuestions.places.length > 0 && !request.without?.includes('questions'))
    rankings.push({ kind: 'questions', ...byQuestions, questionsOf })
  if (vector !== undefined)
    rankings.push({ kind: 'vectors', ...findNearest(vectors, vector, nearest, allows) })
  return rankings
}

/** Whether a vector can be compared with those of the index, where it has any. */
function fits({ parts }: VectorIndex, vector: readonly number[]): boolean {
  return parts.length === 0 || parts.some(({ dimensions }) => dimensions === vector.length)
}

function inTime<T>(work: Promise<T>, late: AbortSignal): Promise<T | undefined> {
  return unlessAborted<T | undefined>(late, () => work).catch((error: unknown) => {
    if (late.aborted) return undefined
    throw error
  })
}

function modelsOf({ questions, vectors }: EnrichmentSettings): string {
  return JSON.stringify([questions, vectors])
}

function sizeOf({ questions, vectors }: EnrichedIndex): number {
  return questions.parts.reduce((sum, { segment }) => sum + segment.buffer.byteLength, bytesOf(vectors))
}

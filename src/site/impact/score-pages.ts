import type { ChangedTerm, Fate } from './changed-terms.ts'
import type { TogetherScore } from './history-scores.ts'
import type { PagePlace, PagePlaces, PlaceKind } from './page-places.ts'
import { pathWords, type Terms } from './terms.ts'

/** What speaks for a page, before it is weighed. */
export interface PageFeatures {
  names: number
  path: number
  pathByNames: number
  together: TogetherScore
}

export interface TermScore {
  changed: ChangedTerm
  /** What became of it times how rare it is, in pages and in code, from 0 to 1.5. */
  score: number
}

const fates: Record<Fate, number> = {
  removed: 1.5,
  renamed: 1.5,
  new: 1.2,
  value: 1.2,
  changed: 1,
  near: 0.4,
}
export const placeWeights: Record<PlaceKind, number> = { heading: 2, span: 1.2, block: 1, text: 0.4 }
const mostTelling = 8
const plainWord = 0.6
const untouched: TogetherScore = { files: 0, folders: 0, count: 0 }

/** Tuned on commits of four repositories; `bench/impact.ts` measures it. */
export function weigh({ names, path, pathByNames, together }: PageFeatures): number {
  return (
    2.5 * Math.log(1 + names) +
    Math.log(1 + path) +
    0.5 * Math.log(1 + pathByNames) +
    Math.log(1 + 10 * together.files) +
    0.5 * Math.log(1 + 10 * together.folders)
  )
}

/** How rare something is that `count` of `all` have: 1 for one of them, near 0 for all. */
function rarity(count: number, all: number): number {
  return count <= 1 ? count : Math.max(0, Math.log((all + 1) / count) / Math.log(all + 1))
}

/** The terms that say something, with how much. */
export function scoreTerms(
  changed: readonly ChangedTerm[],
  pages: { counts: Uint32Array; all: number },
  code: { counts: Uint32Array; all: number },
): Map<number, TermScore> {
  const scores = new Map<number, TermScore>()
  for (const one of changed) {
    const inPages = pages.counts[one.term] ?? 0
    if (inPages === 0) continue
    const inCode = Math.max(1, code.counts[one.term] ?? 0)
    const rare = rarity(inPages, pages.all) * rarity(inCode, code.all)
    const score = fates[one.fate] * rare ** 2
    if (score > 0) scores.set(one.term, { changed: one, score })
  }
  return scores
}

/** The best place of each term. */
export function bestPlaces(places: readonly PagePlace[]): Map<number, PagePlace> {
  const best = new Map<number, PagePlace>()
  for (const place of places) {
    const known = best.get(place.term)
    if (known === undefined || placeWeights[known.kind] < placeWeights[place.kind])
      best.set(place.term, place)
  }
  return best
}

/** Of the terms that say most: a long page has some of everything. */
export function namesScore({ places }: PagePlaces, scores: ReadonlyMap<number, TermScore>): number {
  return Array.from(bestPlaces(places).values(), ({ term, kind }) => {
    const { score = 0, changed } = scores.get(term) ?? {}
    return score * placeWeights[kind] * (changed?.kind === 'word' ? plainWord : 1)
  })
    .toSorted((one, other) => other - one)
    .slice(0, mostTelling)
    .reduce((sum, one) => sum + one, 0)
}

/** How much the paths of pages have in common with what changed. */
export function pathScores(
  pages: readonly string[],
  changedFiles: readonly string[],
  changed: ReadonlyMap<number, TermScore>,
  terms: Terms,
): Map<string, { path: number; pathByNames: number }> {
  const words = new Map(pages.map((page) => [page, pathWords(withoutEnding(page))]))
  const counts = new Map<string, number>()
  for (const some of words.values()) for (const word of some) counts.set(word, (counts.get(word) ?? 0) + 1)
  const files = changedFiles.map((path) => new Set(pathWords(withoutEnding(path)).map(stem)))
  return new Map(
    Array.from(words, ([page, some]) => {
      let [path, pathByNames] = [0, 0]
      for (const word of some) {
        const rare = rarity(counts.get(word) ?? 1, pages.length) ** 2
        const share = files.filter((one) => one.has(stem(word))).length / Math.max(1, files.length)
        if (share > 0) path += rare * (0.5 + 0.5 * share)
        const [term] = terms.of(word).words
        if (term !== undefined) pathByNames += rare * (changed.get(term)?.score ?? 0)
      }
      return [page, { path, pathByNames }]
    }),
  )
}

export function featuresOf(
  names: number,
  paths: { path: number; pathByNames: number } | undefined,
  together: TogetherScore | undefined,
): PageFeatures {
  return {
    names,
    path: paths?.path ?? 0,
    pathByNames: paths?.pathByNames ?? 0,
    together: together ?? untouched,
  }
}

function withoutEnding(path: string): string {
  return path.replace(/\.\w{1,10}$/, '')
}

function stem(word: string): string {
  return word.length > 4 && word.endsWith('s') ? word.slice(0, -1) : word
}

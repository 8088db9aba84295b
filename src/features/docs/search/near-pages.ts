import { dimensions, meaningTable } from '../meaning/meaning-table.ts'
import { poolRows } from '../meaning/pool-rows.ts'
import { createPieceReader } from '../meaning/word-pieces.ts'
import type { NearPage, VectorList } from './join-vectors.ts'
import { isForTable } from './page-language.ts'
import { segmentOf, type SearchIndex } from './search-index.ts'
import type { Segment } from './segment.ts'
import { idfOfTerm } from './query.ts'
import { siteNames } from './site-names.ts'
import { scanWords, termsOf } from './words.ts'
import { weightsOf } from './site-weights.ts'

/** Characters of a query that are read. */
const longest = 2000
/** The first numbers of a row choose what is compared as a whole. */
const coarse = 32
/** Pages that are compared as a whole, by the sections that seem nearest. */
const chosenPages = 64

type Kind = 'text' | 'headings'
type Allowed = (part: number, page: number) => boolean

/** How much nearness to the text of sections, and to their titles and headings, counts beside words. */
const shares: Record<Kind, number> = { text: 0.1, headings: 0.2 }

/**
 * The pages that are nearest to a query by the table of meanings: by the text of their sections, and by title and
 * headings. Undefined where the table says nothing: about a query, or a site, that is not in English.
 */
export function nearPages(
  index: SearchIndex,
  query: string,
  allowed: Allowed,
): Record<Kind, VectorList> | undefined {
  const weights = weightsOf(index)
  if (weights === undefined) return undefined
  const text = query.slice(0, longest)
  const table = meaningTable()
  if (!isEnglish(index, text)) return undefined
  const pieces = createPieceReader(table).read(text)
  const listOf = (kind: Kind, vector: Float32Array): VectorList => ({
    share: shares[kind],
    findsAlone: false,
    pages: nearestPages(index, kind, vector, allowed),
  })
  return {
    text: listOf('text', poolRows(table, pieces, weights.rarities)),
    headings: listOf('headings', poolRows(table, pieces)),
  }
}

/**
 * Whether a question is in English. Names say nothing about that: those of the site, identifiers, and one more word,
 * since a question may be about a thing that the table does not know.
 */
function isEnglish(index: SearchIndex, question: string): boolean {
  const table = meaningTable()
  const names = siteNames(index)
  const spoken: string[] = []
  const strange: string[] = []
  scanWords(question, (word) => {
    const [term = ''] = termsOf(word).exact
    if (names.has(term) || /[^\p{L}'’]|(?<=\p{Ll})\p{Lu}/u.test(word)) return
    if (!table.ids.has(word.toLowerCase()) && idfOfTerm(index, term) > 0) strange.push(word)
    else spoken.push(word)
  })
  const words = [...spoken, ...strange.slice(1)]
  return words.length === 0 || isForTable(table, words.join(' '))
}

function nearestPages(index: SearchIndex, kind: Kind, query: Float32Array, allowed: Allowed): NearPage[] {
  const wanted = bytesOf(query)
  const chosen: { part: number; page: number; score: number }[] = []
  const shorten = (): void => {
    chosen.sort((a, b) => b.score - a.score).splice(chosenPages)
  }
  let bar = -Infinity
  for (const [part, { segment }] of index.parts.entries()) {
    const { pageRows } = segment
    const scores = coarseScores(segment, kind, wanted)
    for (let page = 0, row = 0; page < segment.pages; page++) {
      const end = pageRows[page + 1] ?? 0
      let score = -Infinity
      for (; row < end; row++) if ((scores[row] ?? 0) > score) score = scores[row] ?? 0
      if (score <= bar || !allowed(part, page)) continue
      chosen.push({ part, page, score })
      if (chosen.length < chosenPages * 2) continue
      shorten()
      bar = chosen.at(-1)?.score ?? bar
    }
  }
  shorten()
  return chosen
    .map((page) => nearestSections(segmentOf(index, page.part), kind, query, page))
    .sort((a, b) => (b.found[0]?.score ?? 0) - (a.found[0]?.score ?? 0))
}

/** Of the rows from one to before another the two with the highest scores. */
function bestRows(scores: Float32Array, first: number, end: number): number[] {
  let best = first
  let second = -1
  for (let row = first + 1; row < end; row++) {
    const score = scores[row] ?? 0
    if (score > (scores[best] ?? 0)) {
      second = best
      best = row
    } else if (second < 0 || score > (scores[second] ?? 0)) second = row
  }
  return second < 0 ? [best] : [best, second]
}

function nearestSections(
  segment: Segment,
  kind: Kind,
  query: Float32Array,
  { part, page }: { part: number; page: number },
): NearPage {
  const { vectors, scales } = vectorsOf(segment, kind)
  const [first = 0, end = 0] = segment.pageRows.subarray(page, page + 2)
  const rows = bestRows(scoresOf(segment), first, end)
  const sections = rows.map((row) => {
    let sum = 0
    for (let at = 0, from = row * dimensions; at < dimensions; at++, from++)
      sum += (query[at] ?? 0) * (vectors[from] ?? 0)
    const section = (segment.pageSections[page] ?? 0) + row - first
    return { section, score: sum * (scales[row] ?? 0) }
  })
  return { part, page, found: sections.sort((a, b) => b.score - a.score || a.section - b.section) }
}

const spare = new WeakMap<Segment, Float32Array>()

/** By row, how near it seemed last. Searches are synchronous, so they share the array. */
function scoresOf(segment: Segment): Float32Array {
  const scores = spare.get(segment) ?? new Float32Array(segment.textScales.length)
  spare.set(segment, scores)
  return scores
}

/** By row, how near it is by its first numbers. */
function coarseScores(segment: Segment, kind: Kind, query: Int8Array): Float32Array {
  const { vectors, scales } = vectorsOf(segment, kind)
  const scores = scoresOf(segment)
  for (let row = 0; row < scales.length; row++) {
    let sum = 0
    for (let at = 0, from = row * dimensions; at < coarse; at += 4, from += 4)
      sum +=
        (vectors[from] ?? 0) * (query[at] ?? 0) +
        (vectors[from + 1] ?? 0) * (query[at + 1] ?? 0) +
        (vectors[from + 2] ?? 0) * (query[at + 2] ?? 0) +
        (vectors[from + 3] ?? 0) * (query[at + 3] ?? 0)
    scores[row] = sum * (scales[row] ?? 0)
  }
  return scores
}

function vectorsOf(segment: Segment, kind: Kind): { vectors: Int8Array; scales: Float32Array } {
  return kind === 'text'
    ? { vectors: segment.textVectors, scales: segment.textScales }
    : { vectors: segment.headingVectors, scales: segment.headingScales }
}

function bytesOf(vector: Float32Array): Int8Array {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  return Int8Array.from(vector, (value) => Math.round((value / (largest || 1)) * 127))
}

import type { Ranking } from './ranking.ts'
import type { SearchIndex } from './search-index.ts'
import { findTerm, termAt, termsWithPrefix, utf8 } from './segment-strings.ts'
import { isUnspaced, scanWords, stopWords, termsOf } from './words.ts'

/** A term to look up: where it is in each part of the index (-1: nowhere) and what a match is worth. */
export interface QueryTerm {
  places: number[]
  /** Its rarity times its weight. */
  worth: number
}

/** A word that carries meaning, and the terms that stand for it. */
export interface QueryWord {
  terms: QueryTerm[]
  /** Its rarity; a word that the index does not know is as rare as can be. */
  idf: number
  /** Known only by words spelled like it. */
  guessed: boolean
}

export interface Query {
  terms: QueryTerm[]
  words: QueryWord[]
}

/** Enough for any question; the rest of a pasted file adds nothing but time. */
const mostCharacters = 10_000
const mostWords = 200
const mostGuessed = 8
const mostContextWords = 20
const mostIdfs = 20_000

/** What all context words together may weigh beside the query's own. */
const contextShare = 0.3

export function parseQuery(index: SearchIndex, ranking: Ranking, text: string, context = ''): Query {
  const terms = new Map<string, QueryTerm>()
  const words: QueryWord[] = []
  const contentWords = wordsIn(text)
  let guessed = 0

  function add(found: Found, weight: number): QueryTerm {
    const worth = found.idf * weight
    const known = terms.get(found.text)
    if (known === undefined) {
      const term = { places: found.places, worth }
      terms.set(found.text, term)
      return term
    }
    known.worth += worth
    return known
  }

  for (const word of contentWords) {
    const { exact, stems } = termsOf(word)
    const isStopWord = stopWords.has(exact[0] ?? '')
    const weight = isStopWord ? ranking.stopWeight : 1
    const found = [
      ...exact.map((term) => ({ ...lookUp(index, term), weight })),
      ...stems.map((term) => ({ ...lookUp(index, term), weight: weight * ranking.stemWeight })),
    ].filter((term) => term.idf > 0)
    const isGuessed = found.length === 0 && guessed < mostGuessed
    if (isGuessed) {
      const similar = similarWords(index, exact).map((guess) => ({
        ...lookUp(index, guess.term),
        weight: guess.weight,
      }))
      if (similar.length > 0) guessed += 1
      found.push(...similar)
    }
    const added = found.map((term) => add(term, term.weight))
    if (isStopWord) continue
    if (exact.length > 1 && !isGuessed) words.push(...piecesOf(index, word, exact, terms))
    else {
      const idf = found.length === 0 ? unknownIdf(index) : Math.min(...found.map((term) => term.idf))
      words.push({ terms: added, idf, guessed: isGuessed })
    }
  }
  addContext(index, terms, context)
  return { terms: [...terms.values()], words }
}

/** The terms of an identifier or of a text without spaces, each as a word: one of them says little of the others. */
function piecesOf(
  index: SearchIndex,
  word: string,
  exact: string[],
  terms: Map<string, QueryTerm>,
): QueryWord[] {
  const known = exact.filter((term) => idfOfTerm(index, term) > 0)
  // An identifier that the index does not know may be a new way to write known words; a pair of characters is not.
  const pieces = isUnspaced(word) || known.length === 0 ? exact : known
  return pieces.map((piece) => {
    const term = terms.get(piece)
    const idf = idfOfTerm(index, piece)
    return {
      terms: term === undefined ? [] : [term],
      idf: idf === 0 ? unknownIdf(index) : idf,
      guessed: false,
    }
  })
}

/** The rarest words of what the reader has selected, together well below the query. */
function addContext(index: SearchIndex, terms: Map<string, QueryTerm>, context: string): void {
  const found = new Map<string, Found>()
  for (const word of wordsIn(context)) {
    for (const term of termsOf(word).exact) {
      if (!terms.has(term) && !stopWords.has(term)) found.set(term, lookUp(index, term))
    }
  }
  const rarest = [...found.values()]
    .filter((term) => term.idf > 0)
    .sort((a, b) => b.idf - a.idf || (a.text < b.text ? -1 : 1))
    .slice(0, mostContextWords)
  const queryWorth = [...terms.values()].reduce((sum, term) => sum + term.worth, 0)
  const contextWorth = rarest.reduce((sum, term) => sum + term.idf, 0)
  const weight =
    queryWorth === 0 ? contextShare : Math.min(contextShare, (contextShare * queryWorth) / contextWorth)
  for (const term of rarest) terms.set(term.text, { places: term.places, worth: term.idf * weight })
}

function wordsIn(text: string): Set<string> {
  const words = new Set<string>()
  scanWords(text.slice(0, mostCharacters), (word) => {
    if (words.size < mostWords) words.add(word)
  })
  return words
}

interface Found {
  text: string
  places: number[]
  idf: number
}

function lookUp(index: SearchIndex, text: string): Found {
  const bytes = utf8(text)
  let frequency = 0
  const places = index.parts.map(({ segment }) => {
    const place = findTerm(segment, bytes)
    if (place >= 0) frequency += (segment.postingStarts[place + 1] ?? 0) - (segment.postingStarts[place] ?? 0)
    return place
  })
  return { text, places, idf: frequency === 0 ? 0 : idfOf(index.pages, frequency) }
}

/** Rarity of a term over the pages of the index, 0 when it does not hold it. Dead pages count until compaction. */
export function idfOfTerm(index: SearchIndex, text: string): number {
  const known = index.idfs.get(text)
  if (known !== undefined) return known
  const { idf } = lookUp(index, text)
  if (index.idfs.size >= mostIdfs) index.idfs.clear()
  index.idfs.set(text, idf)
  return idf
}

/** A word that no page holds is rarer than any. */
function unknownIdf(index: SearchIndex): number {
  return idfOf(index.pages, 0)
}

function idfOf(pages: number, frequency: number): number {
  const held = Math.min(frequency, pages)
  return Math.log(1 + (pages - held + 0.5) / (held + 0.5))
}

interface SimilarWord {
  term: string
  weight: number
}

const mostSimilar = 3

/**
 * Words of the index that an unknown word may be a misspelling of: one edit away, two from nine letters on,
 * with the same first letter; nearest and most frequent first.
 */
function similarWords(index: SearchIndex, words: string[]): SimilarWord[] {
  const similar: SimilarWord[] = []
  for (const word of words) {
    if (word.length < 4 || !/^\p{L}+$/u.test(word)) continue
    similar.push(...similarTo(index, word))
  }
  return similar
}

function similarTo(index: SearchIndex, word: string): SimilarWord[] {
  const limit = word.length >= 9 ? 2 : 1
  const bytes = utf8(word)
  const first = utf8(String.fromCodePoint(word.codePointAt(0) ?? 0))
  // Beyond ASCII a letter has up to three bytes.
  const slack = bytes.length === word.length ? limit : limit * 3
  const letters = lettersOf(bytes, 0, bytes.length)
  const found = new Map<string, { edits: number; frequency: number }>()
  for (const { segment } of index.parts) {
    const { termStarts, termBytes, postingStarts } = segment
    const { from, to } = termsWithPrefix(segment, first)
    for (let i = from; i < to; i++) {
      const start = termStarts[i] ?? 0
      const end = termStarts[i + 1] ?? 0
      if (Math.abs(end - start - bytes.length) > slack) continue
      // An edit brings in one letter at most and takes one out: most of the index falls here, unread.
      if (bitsIn(letters ^ lettersOf(termBytes, start, end)) > slack * 2) continue
      const term = termAt(segment, i)
      const edits = editDistance(word, term, limit)
      if (edits > limit) continue
      const frequency =
        (postingStarts[i + 1] ?? 0) - (postingStarts[i] ?? 0) + (found.get(term)?.frequency ?? 0)
      found.set(term, { edits, frequency })
    }
  }
  return [...found]
    .sort(([a, x], [b, y]) => x.edits - y.edits || y.frequency - x.frequency || (a < b ? -1 : 1))
    .slice(0, mostSimilar)
    .map(([term, { edits }], rank) => ({ term, weight: 0.8 ** edits / (1 + rank) }))
}

/** Which letters a word holds, a bit for each of 32 classes of bytes. */
function lettersOf(bytes: Uint8Array, start: number, end: number): number {
  let letters = 0
  for (let i = start; i < end; i++) letters |= 1 << ((bytes[i] ?? 0) & 31)
  return letters
}

function bitsIn(mask: number): number {
  let bits = 0
  for (let left = mask; left !== 0; left &= left - 1) bits += 1
  return bits
}

/**
 * Edits (insertion, deletion, substitution, swap of neighbours; no substring edited twice) between two words,
 * or `limit + 1` when there are more than `limit`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let beforeLast = new Int32Array(b.length + 1)
  let last = Int32Array.from({ length: b.length + 1 }, (_, j) => j)
  let row = new Int32Array(b.length + 1)
  for (let i = 1; i <= a.length; i++) {
    row[0] = i
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let edits = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, at(beforeLast, j - 2) + 1)
      }
      row[j] = edits
      if (edits < least) least = edits
    }
    if (least > limit) return limit + 1
    ;[beforeLast, last, row] = [last, row, beforeLast]
  }
  return Math.min(at(last, b.length), limit + 1)
}

function at(row: Int32Array, index: number): number {
  return row[index] ?? 0
}

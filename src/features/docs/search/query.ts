import type { Ranking } from './ranking.ts'
import type { SearchIndex } from './search-index.ts'
import type { Segment } from './segment.ts'
import {
  findPosting,
  findTerm,
  headingsAt,
  passageText,
  termAt,
  termsWithPrefix,
  titleAt,
  utf8,
} from './segment-strings.ts'
import { isUnspaced, scanWords, stopWords, termsOf } from './words.ts'

/** A term to look up: its number in each part of the index (-1 when absent) and the weight of a match. */
export interface QueryTerm {
  places: number[]
  /** Its rarity times its weight. */
  worth: number
}

/** A word that is not a stop word, and its terms. */
export interface QueryWord {
  terms: QueryTerm[]
  /** Its inverse document frequency; an unknown word is treated as rarer than any other. */
  idf: number
  /** Whether the index only has words with a similar spelling. */
  guessed: boolean
}

export interface Query {
  terms: QueryTerm[]
  words: QueryWord[]
  /** Words, as written, that no page holds, and that are not likely misspelled. */
  unknown: string[]
}

/** Enough for any question. The rest of a pasted file would only cost time. */
const mostCharacters = 10_000
const mostWords = 200
/** A word counts as often as it is repeated, up to this: a pasted log repeats some words very often. */
const mostRepeated = 3
const mostGuessed = 8
const mostContextWords = 20
const mostIdfs = 20_000

/** The most that all context words together may weigh, as a share of the query's weight. */
const contextShare = 0.3

export function parseQuery(index: SearchIndex, ranking: Ranking, text: string, context = ''): Query {
  const terms = new Map<string, QueryTerm>()
  const words: QueryWord[] = []
  const unknown: string[] = []
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

  for (const [word, count] of contentWords) {
    const { exact, stems } = termsOf(word)
    const isStopWord = stopWords.has(exact[0] ?? '')
    const weight = (isStopWord ? ranking.stopWeight : 1) * Math.min(count, mostRepeated)
    const mostIdf = isStopWord ? mostOfStopWord(index) : Infinity
    const lookups = [
      ...exact.map((term) => ({ ...lookUp(index, term), weight })),
      ...stems.map((term) => ({ ...lookUp(index, term), weight: weight * ranking.stemWeight })),
    ].filter((term) => term.idf > 0)
    const isGuessed = lookups.length === 0 && guessed < mostGuessed
    if (isGuessed) {
      const similar = similarWords(index, exact).map((guess) => ({
        ...lookUp(index, guess.term),
        weight: guess.weight * Math.min(count, mostRepeated),
      }))
      if (similar.length > 0) guessed += 1
      lookups.push(...similar)
      // Names are written with a capital or are short, and then a similar word is another one.
      const misspelled = similar.length > 0 && /^\p{Ll}{6,}$/u.test(word)
      if (!misspelled && !isStopWord && !isUnspaced(word)) unknown.push(word)
    }
    const isOther = !isGuessed && isOtherThanItsParts(index, word)
    const added = lookups.map((term) =>
      add({ ...term, idf: Math.min(term.idf, mostIdf) }, term.weight * (isOther ? partShare : 1)),
    )
    if (isStopWord) continue
    if (isOther) {
      unknown.push(word)
      words.push({ terms: [], idf: unknownIdf(index), guessed: false })
      continue
    }
    if (exact.length > 1 && !isGuessed) words.push(...piecesOf(index, word, exact, terms))
    else {
      const idf = lookups.length === 0 ? unknownIdf(index) : Math.min(...lookups.map((term) => term.idf))
      words.push({ terms: added, idf, guessed: isGuessed })
    }
  }
  for (const joined of joinedIn(text)) {
    const { exact, stems } = termsOf(joined)
    for (const [list, weight] of [
      [exact, 1],
      [stems, ranking.stemWeight],
    ] as const)
      for (const term of list) {
        const match = terms.has(term) ? undefined : lookUp(index, term)
        if (match !== undefined && match.idf > 0) add(match, weight * joinedShare)
      }
  }
  addContext(index, terms, context)
  return { terms: [...terms.values()], words, unknown }
}

/** By word of a text, in small letters: from 0 for what is on every page to 1 for what is on none. Without stop words. */
export function raritiesOf(index: SearchIndex, text: string): Map<string, number> {
  const rarities = new Map<string, number>()
  for (const word of wordsIn(text).keys()) {
    const { exact, stems } = termsOf(word)
    if (stopWords.has(exact[0] ?? '')) continue
    const idfs = [exact[0] ?? '', ...stems].map((term) => idfOfTerm(index, term)).filter((idf) => idf > 0)
    rarities.set(word.toLowerCase(), Math.min(unknownIdf(index), ...idfs) / unknownIdf(index))
  }
  return rarities
}

/** With fewer pages a stop word is rare by chance, which says nothing about it. */
function mostOfStopWord({ pages }: SearchIndex): number {
  return Math.max(0.5, pages / 100)
}

/** What the parts of a name count that no page has as a whole, and two words of a question as one (`back up`). */
const partShare = 0.3
const joinedShare = 0.15

/** Texts that are looked at for the parts of a name. */
const mostLookedAt = 60

/**
 * Whether a name in camel case is another thing than its parts: CarPlay is neither a car nor play, unless the pages have
 * these words one after the other.
 */
function isOtherThanItsParts(index: SearchIndex, word: string): boolean {
  const [whole = '', ...parts] = termsOf(word).exact
  if (parts.length < 2 || !/^\p{L}+$/u.test(word) || idfOfTerm(index, whole) > 0) return false
  const together = parts.join(' ')
  let left = mostLookedAt
  for (const { segment } of index.parts) {
    const [first = -1, ...others] = parts
      .map((part) => findTerm(segment, utf8(part)))
      .sort((a, b) => frequencyIn(segment, a) - frequencyIn(segment, b))
    if (first < 0 || others.some((other) => other < 0)) continue
    const end = segment.postingStarts[first + 1] ?? 0
    for (let posting = segment.postingStarts[first] ?? 0; posting < end && left > 0; posting++) {
      const page = segment.postingPages[posting] ?? 0
      if (others.some((other) => findPosting(segment, other, page) < 0)) continue
      left -= 1
      const start = segment.pageSections[page] ?? 0
      const slots = segment.sectionSlots.subarray(
        segment.postingSections[posting],
        segment.postingSections[posting + 1],
      )
      const texts = [...slots.subarray(0, 8)].map(
        (slot) => `${headingsAt(segment, start + slot).join(' ')} ${passageText(segment, start + slot)}`,
      )
      if ([titleAt(segment, page), ...texts].some((text) => spaced(text).includes(together))) return false
    }
  }
  return true
}

function frequencyIn({ postingStarts }: Segment, term: number): number {
  return term < 0 ? 0 : (postingStarts[term + 1] ?? 0) - (postingStarts[term] ?? 0)
}

function spaced(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]+/g, ' ')
}

/** Neighbours in a question as one word: pages may have `backup` where it says "back up". */
function joinedIn(text: string): Set<string> {
  const joined = new Set<string>()
  let before = ''
  scanWords(text.slice(0, mostCharacters), (word) => {
    const both = before + word
    if (
      before !== '' &&
      joined.size < mostWords &&
      /^\p{Ll}{5,20}$/u.test(both) &&
      !stopWords.has(both) &&
      !(stopWords.has(before) && stopWords.has(word))
    )
      joined.add(both)
    before = /^\p{Ll}+$/u.test(word) ? word : ''
  })
  return joined
}

/**
 * The terms of an identifier, or of a text in a script without spaces, each as a word of its own, because finding
 * one says little about the others.
 */
function piecesOf(
  index: SearchIndex,
  word: string,
  exact: string[],
  terms: Map<string, QueryTerm>,
): QueryWord[] {
  const known = exact.filter((term) => idfOfTerm(index, term) > 0)
  // An unknown identifier may be made of known words; a pair of characters is not.
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

/** Adds the rarest words of the reader's selection, which together weigh much less than the query. */
function addContext(index: SearchIndex, terms: Map<string, QueryTerm>, context: string): void {
  const lookups = new Map<string, Found>()
  for (const word of wordsIn(context).keys()) {
    for (const term of termsOf(word).exact) {
      if (!terms.has(term) && !stopWords.has(term)) lookups.set(term, lookUp(index, term))
    }
  }
  const rarest = [...lookups.values()]
    .filter((term) => term.idf > 0)
    .sort((a, b) => b.idf - a.idf || (a.text < b.text ? -1 : 1))
    .slice(0, mostContextWords)
  const queryWorth = [...terms.values()].reduce((sum, term) => sum + term.worth, 0)
  const contextWorth = rarest.reduce((sum, term) => sum + term.idf, 0)
  const weight =
    queryWorth === 0 ? contextShare : Math.min(contextShare, (contextShare * queryWorth) / contextWorth)
  for (const term of rarest) terms.set(term.text, { places: term.places, worth: term.idf * weight })
}

/** The different words of a text, each with how often it occurs. */
function wordsIn(text: string): Map<string, number> {
  const words = new Map<string, number>()
  scanWords(text.slice(0, mostCharacters), (word) => {
    const count = words.get(word) ?? 0
    if (count > 0 || words.size < mostWords) words.set(word, count + 1)
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

/** Inverse document frequency of a term, 0 when the index does not have it. Deleted pages count until compaction. */
export function idfOfTerm(index: SearchIndex, text: string): number {
  const known = index.idfs.get(text)
  if (known !== undefined) return known
  const { idf } = lookUp(index, text)
  if (index.idfs.size >= mostIdfs) index.idfs.clear()
  index.idfs.set(text, idf)
  return idf
}

/** The value for a word that no page has: rarer than any other. */
export function unknownIdf(index: SearchIndex): number {
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
  const similar = new Map<string, { edits: number; frequency: number }>()
  for (const { segment } of index.parts) {
    const { termStarts, termBytes, postingStarts } = segment
    const { from, to } = termsWithPrefix(segment, first)
    for (let i = from; i < to; i++) {
      const start = termStarts[i] ?? 0
      const end = termStarts[i + 1] ?? 0
      if (Math.abs(end - start - bytes.length) > slack) continue
      // An edit adds at most one letter and removes at most one. This test skips most of the index without
      // comparing words.
      if (bitsIn(letters ^ lettersOf(termBytes, start, end)) > slack * 2) continue
      const term = termAt(segment, i)
      const edits = editDistance(word, term, limit)
      if (edits > limit) continue
      const frequency =
        (postingStarts[i + 1] ?? 0) - (postingStarts[i] ?? 0) + (similar.get(term)?.frequency ?? 0)
      similar.set(term, { edits, frequency })
    }
  }
  return [...similar]
    .sort(([a, x], [b, y]) => x.edits - y.edits || y.frequency - x.frequency || (a < b ? -1 : 1))
    .slice(0, mostSimilar)
    .map(([term, { edits }], rank) => ({ term, weight: 0.8 ** edits / (1 + rank) }))
}

/** The letters of a word as a bit mask, with a bit for each of 32 classes of bytes. */
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

import type { SearchIndex } from './search-index.ts'
import { termAt, termsWithPrefix, utf8 } from './segment-strings.ts'

export interface SimilarWord {
  term: string
  weight: number
}

const mostSimilar = 3

/**
 * Words of the index that an unknown word may be a misspelling of: one edit away, two from nine letters on,
 * with the same first letter; nearest and most frequent first.
 */
export function similarWords(index: SearchIndex, words: string[]): SimilarWord[] {
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

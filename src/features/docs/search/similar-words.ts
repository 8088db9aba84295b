import { editDistance } from './damerau.ts'
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
  const first = utf8(String.fromCodePoint(word.codePointAt(0) ?? 0))
  const letters = utf8(word).length
  const found = new Map<string, { edits: number; frequency: number }>()
  for (const { segment } of index.parts) {
    const { termStarts, postingStarts } = segment
    const { from, to } = termsWithPrefix(segment, first)
    for (let i = from; i < to; i++) {
      // Bytes are at least as many as letters and at most three times as many beyond ASCII.
      const length = (termStarts[i + 1] ?? 0) - (termStarts[i] ?? 0)
      if (Math.abs(length - letters) > limit * 3) continue
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

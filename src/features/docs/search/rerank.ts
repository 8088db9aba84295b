import { idfOfTerm } from './query.ts'
import type { Ranking } from './ranking.ts'
import type { SearchIndex } from './search-index.ts'
import { stopWords } from './words.ts'
import { scanWords, termsOf } from './words.ts'

/**
 * Gives a function for what a page gains when its title and the heading of its best section, on the one side, and
 * the query, on the other, cover each other: a short title wholly in the query beats a long one that shares a word.
 */
export function coverageBoost(index: SearchIndex, ranking: Ranking, query: string) {
  const wanted = contentTerms(query)
  let queryWeight = 0
  for (const term of wanted) queryWeight += idfOfTerm(index, term)

  function gain(text: string): number {
    let weight = 0
    let shared = 0
    for (const term of contentTerms(text)) {
      const idf = idfOfTerm(index, term)
      weight += idf
      if (wanted.has(term)) shared += idf
    }
    return shared === 0 ? 0 : (shared / weight) * shared
  }

  return (title: string, heading: string | undefined): number =>
    queryWeight === 0
      ? 0
      : ranking.titleBoost * gain(title) + (heading === undefined ? 0 : ranking.headingBoost * gain(heading))
}

/** Stems of plain words, the exact form of everything else; stop words left out. */
function contentTerms(text: string): Set<string> {
  const terms = new Set<string>()
  scanWords(text.slice(0, 10_000), (word) => {
    const { exact, stems } = termsOf(word)
    if (exact.length === 1 && stopWords.has(exact[0] ?? '')) return
    for (const term of stems.length > 0 ? stems : exact) terms.add(term)
  })
  return terms
}

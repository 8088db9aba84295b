import { scanWords, stopWords, termsOf } from './words.ts'

const longest = 10_000

/** Stems of plain words, the exact form of everything else; stop words left out. */
export function contentTerms(text: string, names?: ReadonlySet<string>): Set<string> {
  const terms = new Set<string>()
  scanWords(text.slice(0, longest), (word) => {
    const { exact, stems } = termsOf(word)
    if (exact.length === 1 && stopWords.has(exact[0] ?? '')) return
    if (names?.has(exact[0] ?? '') === true) return
    for (const term of stems.length > 0 ? stems : exact) terms.add(term)
  })
  return terms
}

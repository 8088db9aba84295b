import { createTerms, tokensOf, type Terms } from './terms.ts'

/** Which terms each blob has. Blobs never change, so that what was read for one change serves the next. */
export interface TermIndex {
  readonly terms: Terms
  has(oid: string): boolean
  add(oid: string, text: string): void
  termsOf(oid: string): Uint32Array
  /** How many of these blobs have each term. */
  count(oids: readonly string[]): Uint32Array
  /** Terms that are kept, of all blobs. */
  readonly size: number
}

const none = new Uint32Array()

export function createTermIndex(): TermIndex {
  const terms = createTerms()
  const blobs = new Map<string, Uint32Array>()
  let size = 0
  return {
    terms,
    has: (oid) => blobs.has(oid),
    add(oid, text) {
      const termSet = new Set<number>()
      for (const token of tokensOf(text)) {
        const { name, words } = terms.of(token)
        if (name < 0) continue
        termSet.add(name)
        for (const word of words) termSet.add(word)
      }
      blobs.set(oid, Uint32Array.from(termSet))
      size += termSet.size
    },
    termsOf: (oid) => blobs.get(oid) ?? none,
    count(oids) {
      const counts = new Uint32Array(terms.size)
      for (const oid of oids)
        for (const term of blobs.get(oid) ?? none) counts[term] = (counts[term] ?? 0) + 1
      return counts
    },
    get size() {
      return size + terms.kept
    },
  }
}

/** Larger texts are taken to have every word. */
const longest = 1024 * 1024
/** So many words tell a text from others. */
const mostWords = 12
const word = /[\p{L}\p{N}]{3,40}/gu

/** The words of a text, as numbers: two of a text may have the same. */
export function wordsIn(text: string): number[] {
  return [...new Set([...text.slice(0, 2000).matchAll(word)].map(([one]) => hashOf(one)))].slice(0, mostWords)
}

/** Which words a text has, in few bytes. */
export class WordSet {
  readonly #words: Uint32Array | undefined

  constructor(text: string) {
    if (text.length > longest) return
    this.#words = Uint32Array.from(new Set([...text.matchAll(word)].map(([one]) => hashOf(one)))).sort()
  }

  hasAll(words: readonly number[]): boolean {
    const all = this.#words
    return all === undefined || words.every((one) => holds(all, one))
  }
}

function holds(sorted: Uint32Array, wanted: number): boolean {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return sorted[low] === wanted
}

/** FNV-1a of the word in small letters. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text.toLowerCase()) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

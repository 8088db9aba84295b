/** Of identifiers, options and words of prose. */
const token = /-{0,2}[A-Za-z_$][\w$]*(?:-[\w$]+)*/g
const longestToken = 80
const longestLine = 2000

/** The identifiers, options and words of a line. */
export function tokensIn(line: string): { name: string; index: number }[] {
  return Array.from(line.slice(0, longestLine).matchAll(token), ({ 0: name, index }) => ({
    name,
    index,
  })).filter(({ name }) => name.length <= longestToken)
}

/** Each token of a text once. */
export function tokensOf(text: string): Set<string> {
  return new Set(text.match(token))
}

/** `max retries` of `maxRetries`, `MAX_RETRIES` and `--max-retries`. */
export function keyOf(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_$-]+/)
    .filter((word) => word !== '')
    .join(' ')
    .toLowerCase()
}

/** The words of a path, without numbers that only order files. */
export function pathWords(path: string): string[] {
  return [
    ...new Set(
      path
        .split(/[^A-Za-z\d]+/)
        .flatMap((part) => keyOf(part).split(' '))
        .filter((word) => word.length > 1 && !/^\d+$/.test(word)),
    ),
  ]
}

/** Numbers for names and words, so that a file is a list of numbers. A name of several words also counts for each of its words. */
export interface Terms {
  /** Of the whole name, and of each word in it; empty for what says nothing. */
  of(token: string): TokenTerms
  /** One more than the largest number. */
  readonly size: number
  /** Tokens that are kept. */
  readonly kept: number
}

export interface TokenTerms {
  /** -1 for what is too short to say anything. */
  name: number
  words: readonly number[]
}

const nothing: TokenTerms = { name: -1, words: [] }

export function createTerms(): Terms {
  const ids = new Map<string, number>()
  const known = new Map<string, TokenTerms>()
  const idOf = (key: string): number => {
    const id = ids.get(key) ?? ids.size
    ids.set(key, id)
    return id
  }
  return {
    of(name) {
      const before = known.get(name)
      if (before !== undefined) return before
      const key = name.length > longestToken ? '' : keyOf(name)
      const words = key.split(' ').filter((word) => word.length > 2)
      const terms =
        key.length < 3 ? nothing : { name: idOf(key), words: words.map((word) => idOf(`~${word}`)) }
      known.set(name, terms)
      return terms
    },
    get size() {
      return ids.size
    },
    get kept() {
      return known.size
    },
  }
}

/** What was made of texts once, until it is needed again: of as many as there is room for. */
export interface KeptReadings<Reading> {
  keep: (path: string, source: string, reading: Reading) => void
  /** What is taken is kept no longer. */
  take: (path: string, source: string) => Reading | undefined
}

/** A text of this length takes tens of megabytes once it is read. */
const maxCharacters = 2_000_000

export function keptReadings<Reading>(): KeptReadings<Reading> {
  const kept = new Map<string, { source: string; reading: Reading }>()
  let length = 0
  return {
    keep: (path, source, reading) => {
      if (kept.has(path) || length + source.length > maxCharacters) return
      length += source.length
      kept.set(path, { source, reading })
    },
    take: (path, source) => {
      const one = kept.get(path)
      if (one?.source !== source) return undefined
      kept.delete(path)
      length -= source.length
      return one.reading
    },
  }
}

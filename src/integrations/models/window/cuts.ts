import { keepNewest } from '../../../lib/keep-newest.ts'

/** Judges by what a server counts whether it read a whole conversation. */
export interface Cuts {
  /** @param read tokens that the server says it read of so many bytes; undefined: it does not say */
  isCut(bytes: number, read: number | undefined): read is number
}

/** Bytes of text that no tokenizer makes one token of on average, and a text that is long enough to tell. */
const mostBytesOfToken = 10
const longEnough = 12_000
/** Some servers do not count what they have in their cache. */
const fewTokens = 256
const mostCounts = 50

/** @param onFixed called when a server turns out to tell the same number for calls of any length */
export function createCuts(onFixed: () => void): Cuts {
  const counts = new Map<number, number>()
  let isFixed = false
  return {
    isCut(bytes, read): read is number {
      if (read === undefined || read < fewTokens || isFixed) return false
      const isShort = read * mostBytesOfToken < bytes
      const known = counts.get(read)
      if (known !== undefined && (isShort || known > read * mostBytesOfToken)) {
        // A window that is full tells the same number again, but a conversation that fits does not.
        const [less, more] = [Math.min(known, bytes), Math.max(known, bytes)]
        if (less <= read * mostBytesOfToken && more > less * 1.2) {
          isFixed = true
          onFixed()
          return false
        }
      }
      keepNewest(counts, mostCounts, read, Math.min(known ?? bytes, bytes))
      return isShort && bytes >= longEnough
    },
  }
}

/** An answer that is being written, for any number of readers. Each of them reads it from its beginning. */
export interface AnswerStream {
  /** What was written so far. */
  pieces: readonly string[]
  /** Adds a reader at once, until it has read everything or `signal` aborts. @throws what the source has thrown */
  read: ReadAnswer
  readers(): number
  ended(): boolean
  /** Resolves at the end. */
  done: Promise<void>
  /** Whether a reader has had all of it. */
  delivered(): boolean
}

export type ReadAnswer = (signal: AbortSignal) => AsyncGenerator<string, void, undefined>

/**
 * Reads `source` to its end, whether anybody reads or not.
 * @param onChange called when a reader has left, and at the end
 */
export function startStream(
  source: AsyncGenerator<string, void, undefined>,
  onChange: () => void,
): AnswerStream {
  const pieces: string[] = []
  let [readers, ended, delivered] = [0, false, false]
  let failure: { error: unknown } | undefined
  let next = Promise.withResolvers<void>()
  const wake = (): void => {
    next.resolve()
    next = Promise.withResolvers()
  }
  const write = async (): Promise<void> => {
    try {
      for await (const piece of source) {
        pieces.push(piece)
        wake()
      }
    } catch (error) {
      failure = { error }
    }
    ended = true
    wake()
    onChange()
  }
  return {
    pieces,
    done: write(),
    readers: () => readers,
    ended: () => ended,
    delivered: () => delivered,
    read(signal) {
      let here = true
      readers += 1
      const leave = (): void => {
        if (!here) return
        here = false
        readers -= 1
        wake()
        onChange()
      }
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
      return (async function* readOn() {
        for (let at = 0; ;) {
          if (!here) return
          const text = pieces.slice(at).join('')
          at = pieces.length
          if (text !== '') yield text
          else if (!ended) await next.promise
          else {
            delivered ||= failure === undefined
            leave()
            if (failure) throw failure.error
          }
        }
      })()
    },
  }
}

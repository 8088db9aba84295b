/** A piece of one of several answers, by its number. */
export interface Piece {
  answer: number
  text: string
}

/**
 * Reads several answers at the same time.
 * @returns the answers in their order
 * @throws what any of them throws; the others are ended then
 */
export async function* readTogether<Answer>(
  answers: readonly AsyncGenerator<string, Answer | undefined, undefined>[],
): AsyncGenerator<Piece, Answer[], undefined> {
  const results: Answer[] = []
  const read = async (answer: number): Promise<{ answer: number; done: boolean; text: string }> => {
    const next = await answers[answer]?.next()
    if (next === undefined) return { answer, done: true, text: '' }
    if (next.done !== true) return { answer, done: false, text: next.value }
    if (next.value !== undefined) results[answer] = next.value
    return { answer, done: true, text: '' }
  }
  const reading = new Map(answers.map((_, answer) => [answer, read(answer)]))
  try {
    while (reading.size > 0) {
      const { answer, done, text } = await Promise.race(reading.values())
      if (done) reading.delete(answer)
      else {
        reading.set(answer, read(answer))
        yield { answer, text }
      }
    }
    return results
  } finally {
    // An answer that was not begun has nothing to end; the others are ended without waiting for what they do.
    for (const [answer, last] of reading) {
      last.catch(() => undefined)
      void answers[answer]?.return(undefined).catch(() => undefined)
    }
  }
}

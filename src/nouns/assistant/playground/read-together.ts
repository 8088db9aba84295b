/** A piece of one of several answers, by its number. */
export type Piece<Part extends object> = Part & { answer: number }

/**
 * Reads several answers at the same time.
 * @returns the answers in their order
 * @throws what any of them throws; the others are ended then
 */
export async function* readTogether<Part extends object, Answer>(
  answers: readonly AsyncGenerator<Part, Answer | undefined, undefined>[],
): AsyncGenerator<Piece<Part>, Answer[], undefined> {
  const results: Answer[] = []
  const read = async (answer: number): Promise<{ answer: number; part: Part | undefined }> => {
    const next = await answers[answer]?.next()
    if (next !== undefined && next.done !== true) return { answer, part: next.value }
    if (next?.done === true && next.value !== undefined) results[answer] = next.value
    return { answer, part: undefined }
  }
  const reading = new Map(answers.map((_, answer) => [answer, read(answer)]))
  try {
    while (reading.size > 0) {
      const { answer, part } = await Promise.race(reading.values())
      if (part === undefined) reading.delete(answer)
      else {
        reading.set(answer, read(answer))
        yield { ...part, answer }
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

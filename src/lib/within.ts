/**
 * What comes of some work, or of `late` when it takes longer. The work is left to itself then; nothing waits for the
 * time, and it is forgotten when the work is done.
 */
export async function within<Done, Late>(
  milliseconds: number,
  work: Promise<Done>,
  late: () => Late,
): Promise<Done | Late> {
  const over = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => over.resolve(undefined), Math.max(0, milliseconds)).unref()
  try {
    const done = await Promise.race([work.then((value) => ({ value })), over.promise])
    return done === undefined ? late() : done.value
  } finally {
    clearTimeout(timer)
  }
}

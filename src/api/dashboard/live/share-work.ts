/** Milliseconds for which an answer is the same for everybody who asks. */
const shared = 2000

/** Viewers who ask for the same within a moment share one piece of work. */
export function createSharedWork(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const recent = new Map<string, Promise<unknown>>()
  return <T>(key: string, work: () => Promise<T>) => {
    // Safe, because each key is used with one kind of work.
    const known = recent.get(key) as Promise<T> | undefined
    if (known) return known
    const working = work()
    recent.set(key, working)
    setTimeout(() => recent.delete(key), shared).unref()
    return working
  }
}

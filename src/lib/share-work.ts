/**
 * Those who ask for the same within so many milliseconds share one piece of work, so that many of them cost as much as
 * one.
 */
export function createSharedWork(
  milliseconds: number,
): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const recent = new Map<string, Promise<unknown>>()
  return <T>(key: string, work: () => Promise<T>) => {
    // Safe, because each key is used with one kind of work.
    const known = recent.get(key) as Promise<T> | undefined
    if (known) return known
    const working = work()
    recent.set(key, working)
    setTimeout(() => recent.delete(key), milliseconds).unref()
    return working
  }
}

/** Sets an entry of a map, which drops its oldest one beyond `most`. */
export function keepNewest<Key, Value>(kept: Map<Key, Value>, most: number, key: Key, value: Value): void {
  kept.delete(key)
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > most && oldest !== undefined) kept.delete(oldest)
}

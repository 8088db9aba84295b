/** What a text is read for: a text that takes too long for one purpose may be fast for another. */
export type Purpose = 'call' | 'check' | 'judge' | 'page' | 'site'

/**
 * Records each text before it is read, so that reading can be watched and timed, and remembers those that took too
 * long.
 */
export interface TextGuard {
  /** False for a text that took too long for this purpose before, and must not be read again. */
  begin(purpose: Purpose, path: string, id: string): boolean
}

export const unguarded: TextGuard = { begin: () => true }

/** A name for reading one text for one purpose. `id` is that of its content. */
export function readingName(purpose: Purpose, path: string, id: string): string {
  return `${purpose} ${id} ${path}`
}

/** The path is last because it may contain anything. `key` is the same for the same content at any path. */
export function parseReadingName(name: string): { purpose: string; path: string; key: string } {
  const [purpose = '', id = ''] = name.split(' ', 2)
  const key = `${purpose} ${id}`
  return { purpose, path: name.slice(key.length + 1), key }
}

export function readingKey(purpose: Purpose, id: string): string {
  return `${purpose} ${id}`
}

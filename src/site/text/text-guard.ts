/** What a text is read for: one that takes too long for one of them may be quick for another. */
export type Purpose = 'call' | 'check' | 'judge' | 'page' | 'site'

/** Names every text before it is read, for whoever watches how long that takes, and knows those that took too long. */
export interface TextGuard {
  /** False for a text that took too long for this purpose before: it is to be left alone. */
  begin(purpose: Purpose, path: string, id: string): boolean
}

export const unguarded: TextGuard = { begin: () => true }

/** One text read for one purpose, as a name. `id` is that of its content. */
export function readingName(purpose: Purpose, path: string, id: string): string {
  return `${purpose} ${id} ${path}`
}

/** The path last: it may hold anything. `key` is the same for the same content wherever it stands. */
export function parseReadingName(name: string): { purpose: string; path: string; key: string } {
  const [purpose = '', id = ''] = name.split(' ', 2)
  const key = `${purpose} ${id}`
  return { purpose, path: name.slice(key.length + 1), key }
}

export function readingKey(purpose: Purpose, id: string): string {
  return `${purpose} ${id}`
}

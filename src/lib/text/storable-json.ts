import { makeStorable } from './plain-text.ts'

/** The same JSON without what Postgres refuses in jsonb, keys included. What is no JSON is left out. */
export function storableJson(value: unknown): unknown {
  const text = JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'string') return makeStorable(part)
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [makeStorable(key), inner]))
  })
  return text === undefined ? null : JSON.parse(text)
}

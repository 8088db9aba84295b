import { makeStorable } from '../../../lib/text/plain-text.ts'
import type { ContextColumn } from '../../../store/columns.ts'
import type { ContextItem } from '../ports.ts'

/** Characters of all items together: enough to understand the question by. The model gets more of it. */
const longest = 4000
const mostItems = 10
const longestPath = 500

/** What is kept of the text or code that a question is about. */
export function keptContext(context: readonly ContextItem[]): ContextColumn[] {
  let left = longest
  return context
    .map(({ value, ...item }) => ({ ...item, value: value.trim() }))
    .filter(({ value }) => value !== '')
    .slice(0, mostItems)
    .flatMap(({ type, value, path }) => {
      const kept = makeStorable(value.slice(0, left))
      left -= kept.length
      if (kept === '') return []
      return [
        { type: type ?? null, value: kept, path: path ? makeStorable(path.slice(0, longestPath)) : null },
      ]
    })
}

/** The context as a question is asked again with. */
export function asAsked(context: readonly ContextColumn[]): ContextItem[] {
  return context.map(({ type, value, path }) => ({ type: type ?? undefined, value, path: path ?? undefined }))
}

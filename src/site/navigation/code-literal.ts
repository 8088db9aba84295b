import type { AnyNode } from 'acorn'
import { keyOf } from '../code-config/resolve.ts'
import { endingAt } from '../text/text-file.ts'
import { indentOf } from './code-layout.ts'

/** A text as code, in the kind of quotes that `like` is written in. */
export function quoted(value: string, like: string): string {
  const mark = like.startsWith("'") ? "'" : like.startsWith('`') ? '`' : '"'
  const json = JSON.stringify(value)
  if (mark === '"') return json
  const inside = json.slice(1, -1).replaceAll('\\"', '"').replaceAll(mark, `\\${mark}`)
  return `${mark}${mark === '`' ? inside.replaceAll('${', '\\${') : inside}${mark}`
}

/** The quotes that a file mostly uses. */
export function usualQuote(path: string, text: string): string {
  if (path.endsWith('.json')) return '"'
  const start = text.slice(0, 100_000)
  return start.split('"').length > start.split("'").length ? '"' : "'"
}

/** An object with some properties of another one, laid out as that one; its other properties are left out. */
export function objectLike(
  text: string,
  sample: AnyNode,
  values: ReadonlyMap<string, string>,
  indent: string,
): string | undefined {
  if (sample.type !== 'ObjectExpression') return undefined
  const kept = sample.properties.flatMap((property) => {
    const key = property.type === 'Property' ? keyOf(property) : undefined
    const value = key === undefined ? undefined : values.get(key)
    if (property.type !== 'Property' || value === undefined || property.shorthand) return []
    const between = text.slice(property.key.end, property.value.start)
    return [`${text.slice(property.key.start, property.key.end)}${between}${value}`]
  })
  const [first] = sample.properties
  if (first === undefined || kept.length < values.size) return undefined
  const open = text.slice(sample.start + 1, first.start)
  if (!open.includes('\n')) {
    const pad = open === '' ? '' : ' '
    return `{${pad}${kept.join(', ')}${pad}}`
  }
  const step = indentOf(text, first.start).slice(indentOf(text, sample.start).length) || '  '
  const ending = endingAt(text, sample.start)
  const last = sample.properties.at(-1)
  const comma = text.slice(last?.end, sample.end).trimStart().startsWith(',') ? ',' : ''
  return `{${ending}${kept.map((line) => `${indent}${step}${line}`).join(`,${ending}`)}${comma}${ending}${indent}}`
}

import type { JSONSchema7 } from 'ai'
import { z } from 'zod'
import { isRecord } from '../../../../lib/is-record.ts'

/** What a model needs to know of arguments. Bounds are checked when they come, and told when they do not fit. */
const kept = new Set([
  'type',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'anyOf',
  'enum',
  'const',
  'description',
])

/** Marks an argument that is understood but rarely needed, so that no model is told of it. */
export const notShown = { notShown: true }

/** The schema of a tool's arguments as it is sent with every call of a model, in as few tokens as it can be. */
export function shownSchema(schema: z.ZodObject): JSONSchema7 {
  const node = z.toJSONSchema(schema, { io: 'input' })
  const described = plain(node)
  return isRecord(described) ? { type: 'object', ...described } : { type: 'object' }
}

function plain(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plain)
  if (!isRecord(node)) return node
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) => {
      const isEmpty = key === 'required' && Array.isArray(value) && value.length === 0
      if (!kept.has(key) || isEmpty || (key === 'additionalProperties' && !isRecord(value))) return []
      if (key === 'properties' && isRecord(value))
        return [[key, Object.fromEntries(Object.entries(value).flatMap(shownEntry))]]
      return [[key, plain(value)]]
    }),
  )
}

function shownEntry([name, node]: [string, unknown]): [string, unknown][] {
  return isRecord(node) && node['notShown'] === true ? [] : [[name, plain(node)]]
}

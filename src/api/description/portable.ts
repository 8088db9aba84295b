import { isRecord } from '../../lib/is-record.ts'

/** The largest integer of 32 bits. */
const mostOf32 = 2_147_483_647

/**
 * Writes a document of OpenAPI 3.1 in the forms that generators of clients know: numbers with a format, a use of a named schema that
 * adds a description or null beside the reference to it, and the default of a field of a body in words.
 */
export function makePortable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(makePortable)
  if (!isRecord(node)) return node
  const all = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      // OpenAPI has it since 3.2.
      key === 'itemSchema' ? 'x-item-schema' : key,
      makePortable(value),
    ]),
  )
  return withFormat(asUse(withDefaultsInWords(all)))
}

/** The same document as OpenAPI 3.0, for older generators. */
export function toOpenApi30(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toOpenApi30)
  if (!isRecord(node)) return node
  const all = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, toOpenApi30(value)]))
  if (typeof all['openapi'] === 'string') {
    const { webhooks: _, ...rest } = all
    return { ...rest, openapi: '3.0.3' }
  }
  return withoutNull(all)
}

type Schema = Record<string, unknown>

/** The converter writes what a use adds to a reference as a second schema that has to hold too, also where that is null. */
function asUse(schema: Schema): Schema {
  const { allOf, ...rest } = schema
  if (!Array.isArray(allOf)) return schema
  const [reference, use] = allOf
  if (allOf.length !== 2 || !isRecord(use) || 'properties' in use || !isRecord(reference)) return schema
  const { type, enum: _, 'x-nullable': marked, ...added } = use
  // The converter forgets null where the named schema is a choice, which therefore marks it.
  const mayBeNull = marked === true || (Array.isArray(type) && type.includes('null'))
  return mayBeNull
    ? { ...rest, anyOf: [reference, { type: 'null' }], ...added }
    : { ...rest, allOf: [reference], ...added }
}

/** Clients of openapi-typescript have to give a field with a default, and those of other generators always send it. */
function withDefaultsInWords(schema: Schema): Schema {
  const { properties } = schema
  if (!isRecord(properties)) return schema
  const fields = Object.entries(properties).map(([name, field]) => {
    if (!isRecord(field) || field['default'] === undefined) return [name, field]
    const { default: value, description, ...rest } = field
    const words = `Default: \`${JSON.stringify(value)}\`.`
    return [
      name,
      { ...rest, description: typeof description === 'string' ? `${description} ${words}` : words },
    ]
  })
  return { ...schema, properties: Object.fromEntries(fields) }
}

function isNull(schema: unknown): boolean {
  return schema === 'null' || (isRecord(schema) && schema['type'] === 'null')
}

function withFormat(schema: Schema): Schema {
  const { type, format, maximum } = schema
  if (format !== undefined) return schema
  if (isOf(type, 'integer'))
    return { ...schema, format: typeof maximum === 'number' && maximum <= mostOf32 ? 'int32' : 'int64' }
  return isOf(type, 'number') ? { ...schema, format: 'double' } : schema
}

function isOf(type: unknown, name: string): boolean {
  return (
    type === name ||
    (Array.isArray(type) && type.length === 2 && type.includes(name) && type.includes('null'))
  )
}

function withoutNull(schema: Schema): Schema {
  const { type, anyOf, ...rest } = schema
  if (Array.isArray(anyOf)) {
    const options = anyOf.filter((one) => !isNull(one))
    if (options.length === anyOf.length) return schema
    return { ...rest, nullable: true, ...(options.length === 1 ? { allOf: options } : { anyOf: options }) }
  }
  if (!Array.isArray(type)) return schema
  return { ...rest, type: type.find((one) => one !== 'null'), nullable: true }
}

import { nameOf } from './document.ts'
import type { Schema } from './document.ts'

/** One line of a table of fields. */
export interface Field {
  /** With those above it: `source.repository`, `checks[].path`. */
  name: string
  schema: Schema
  required: boolean
}

/** The fields of a schema and of those in it; what has a name of its own is described under that. */
export function fieldsOf(schema: Schema, prefix = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = `${prefix}${key}`
    const one = { name, schema: field, required: schema.required?.includes(key) ?? false }
    if (nameOf(field) !== undefined) return [one]
    const below = field.items ? fieldsOf(field.items, `${name}[].`) : fieldsOf(field, `${name}.`)
    return [one, ...below]
  })
}

/** `string or null`, `array of Job`, `"open" or "closed"`. */
export function typeOf(schema: Schema): string {
  const name = nameOf(schema)
  if (name !== undefined) return name
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  const types = [schema.type ?? 'any'].flat()
  return types
    .flatMap((type) => {
      if (schema.enum && type !== 'null')
        return schema.enum.filter((value) => value !== null).map((value) => JSON.stringify(value))
      if (type === 'array') return [`array of ${schema.items ? typeOf(schema.items) : 'any'}`]
      return [schema.format === 'date-time' && type === 'string' ? 'time (ISO 8601)' : type]
    })
    .join(' or ')
}

/** What a value must keep to, in words. */
export function rulesOf(schema: Schema): string[] {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength } = schema
  const between = (low: number | undefined, high: number | undefined, what: string): string[] => {
    if (low !== undefined && high !== undefined) return [`${low} to ${high}${what}`]
    if (low !== undefined) return [`at least ${low}${what}`]
    return high === undefined ? [] : [`at most ${high}${what}`]
  }
  return [
    ...between(minimum, maximum, ''),
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...between(minLength, maxLength, ' characters'),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ]
}

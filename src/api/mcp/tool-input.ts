import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from '@hono/zod-openapi'
import { isRecord } from '../../lib/is-record.ts'

/** What a tool takes: checked by zod, and described in what every model provider reads of JSON Schema. */
export type ToolInput<Input = unknown, Output = unknown> = StandardSchemaWithJSON<Input, Output>

type JsonSchema = Record<string, unknown>

/**
 * The one rule for inputs that may be absent. Some clients send every input, because they must name all of them in
 * strict schemas or because their language knows no absence: `null` and empty text are then absence.
 */
export function toolInput<Schema extends z.ZodObject>(
  schema: Schema,
): ToolInput<z.input<Schema>, z.output<Schema>> {
  const written = once((): JsonSchema => ({ ...z.toJSONSchema(schema, { io: 'input' }) }))
  const portable = once((): JsonSchema => portableSchema(written()).schema)
  return {
    '~standard': {
      version: 1,
      vendor: 'docwright',
      validate: (given) => {
        const { success, data, error } = schema.safeParse(withoutEmpty(given, written()))
        return success ? { value: data } : { issues: error.issues }
      },
      jsonSchema: { input: portable, output: portable },
    },
  }
}

/** What a tool gives, in the same keywords: some clients know no `$schema` and no lists of types. */
export function toolOutput<Schema extends z.ZodObject>(
  schema: Schema,
): ToolInput<z.input<Schema>, z.output<Schema>> {
  const portable = once((): JsonSchema => portableSchema({ ...z.toJSONSchema(schema) }).schema)
  return {
    '~standard': { ...schema['~standard'], jsonSchema: { input: portable, output: portable } },
  }
}

/** A value without the optional keys that hold nothing. */
function withoutEmpty(value: unknown, schema: JsonSchema): unknown {
  const { properties, required } = objectIn(schema)
  if (!properties || !isRecord(value)) return value
  const kept = Object.entries(value).flatMap(([key, one]): [string, unknown][] => {
    const described = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (!isRecord(described)) return [[key, one]]
    return isEmpty(one) && !required.has(key) ? [] : [[key, withoutEmpty(one, described)]]
  })
  return Object.fromEntries(kept)
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '')
}

/** The properties of an object, also where it may be null. */
function objectIn(schema: JsonSchema): {
  properties: JsonSchema | undefined
  required: ReadonlySet<unknown>
} {
  const { properties, required } = notNull(schema)
  return {
    properties: isRecord(properties) ? properties : undefined,
    required: new Set(Array.isArray(required) ? required : []),
  }
}

function allowsNull(schema: unknown): boolean {
  if (!isRecord(schema)) return false
  const { type, anyOf } = schema
  return (
    (Array.isArray(type) && type.includes('null')) ||
    (Array.isArray(anyOf) && anyOf.some((one) => isRecord(one) && one['type'] === 'null'))
  )
}

function notNull(schema: JsonSchema): JsonSchema {
  const choices = Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isRecord) : []
  return choices.find(({ type }) => type !== 'null') ?? schema
}

/**
 * A schema of the few keywords that all providers read: `type`, `properties`, `required`, `additionalProperties`,
 * `items`, `enum`, `anyOf` and `description`. Models read the limits in the description instead.
 */
function portableSchema(given: JsonSchema): { schema: JsonSchema; description: string } {
  const shape = notNull(given)
  const { enum: options, items } = shape
  const type = [shape['type']].flat().find((one) => one !== 'null')
  const { properties, required } = objectIn(shape)
  const schema: JsonSchema = { type }
  if (Array.isArray(options)) schema['enum'] = options
  if (isRecord(items)) schema['items'] = described(portableSchema(items))
  if (properties) {
    const all = Object.entries(properties).map(([key, one]) => {
      const field = portableSchema(isRecord(one) ? one : {})
      const mayBeNull = !required.has(key) || allowsNull(one)
      return [key, described(mayBeNull ? nullable(field) : field)] as const
    })
    schema['properties'] = Object.fromEntries(all)
    schema['required'] = [...required]
    schema['additionalProperties'] = false
  }
  const said = given['description'] ?? shape['description']
  const words = [typeof said === 'string' ? said : [], limitsOf({ ...shape, ...given })].flat()
  return { schema, description: words.join(' ') }
}

function nullable({ schema, description }: ReturnType<typeof portableSchema>) {
  return { schema: { anyOf: [schema, { type: 'null' }] }, description }
}

function described({ schema, description }: ReturnType<typeof portableSchema>): JsonSchema {
  return description === '' ? schema : { ...schema, description }
}

/** The limits of a value and what stands for an absent one, in words. */
function limitsOf({ minimum, maximum, maxLength, maxItems, default: whenAbsent }: JsonSchema): string[] {
  const least = isLimit(minimum) ? minimum : undefined
  const most = isLimit(maximum) ? maximum : undefined
  const range =
    most === undefined
      ? least === undefined
        ? []
        : `${least} or more.`
      : `${least === undefined ? 'Up' : least} to ${most}.`
  return [
    range,
    isLimit(maxLength) ? `Up to ${maxLength.toLocaleString('en')} characters.` : [],
    isLimit(maxItems) ? `Up to ${maxItems}.` : [],
    whenAbsent === undefined ? [] : `Default: ${JSON.stringify(whenAbsent)}.`,
  ].flat()
}

// Whole numbers have the limits of the language where nobody chose others.
function isLimit(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

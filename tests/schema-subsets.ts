import { z } from 'zod'

/**
 * The subsets of JSON Schema that providers of models take for a tool's input, as their documentation lists them, for
 * schemas as they are sent after what their clients always do to them.
 */

type Schema = Record<string, unknown>
/** What a provider would refuse in a schema, each with where it is. */
export type Subset = (schema: unknown) => string[]

const record = z.record(z.string(), z.unknown())
const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

/** Every schema in a schema, with where it is. */
function* schemasIn(given: unknown, path = '#'): Generator<[path: string, schema: Schema]> {
  const schema = record.parse(given)
  yield [path, schema]
  for (const [key, one] of Object.entries(record.parse(schema['properties'] ?? {})))
    yield* schemasIn(one, `${path}/${key}`)
  if (schema['items'] !== undefined) yield* schemasIn(schema['items'], `${path}/[]`)
  for (const [n, one] of z
    .array(z.unknown())
    .parse(schema['anyOf'] ?? [])
    .entries())
    yield* schemasIn(one, `${path}/anyOf${n}`)
}

function subset(
  keywords: readonly string[],
  { rules, whole }: { rules(schema: Schema): string[]; whole?(all: [string, Schema][]): string[] },
): Subset {
  return (given) => {
    const all = [...schemasIn(given)]
    const problems = all.flatMap(([path, schema]) => [
      ...Object.keys(schema)
        .filter((key) => !keywords.includes(key))
        .map((key) => `${path}: the keyword ${key}`),
      ...typeProblems(schema).map((problem) => `${path}: ${problem}`),
      ...rules(schema).map((problem) => `${path}: ${problem}`),
    ])
    const root = all[0]?.[1]['type'] === 'object' ? [] : ['#: no object']
    return [...root, ...problems, ...(whole?.(all) ?? [])]
  }
}

function typeProblems({ type, anyOf }: Schema): string[] {
  if (Array.isArray(type)) return ['a list of types']
  if (type === undefined) return anyOf === undefined ? ['no type'] : []
  return typeof type === 'string' && types.includes(type) ? [] : [`the type ${JSON.stringify(type)}`]
}

/** The keys of an object that a caller may leave out. */
function optionalKeys({ properties, required }: Schema): string[] {
  const named = z.array(z.string()).parse(required ?? [])
  return Object.keys(record.parse(properties ?? {})).filter((key) => !named.includes(key))
}

const isNullable = (schema: unknown): boolean =>
  z
    .array(z.unknown())
    .parse(record.parse(schema)['anyOf'] ?? [])
    .some((one) => record.parse(one)['type'] === 'null')

const common = ['type', 'description', 'properties', 'required', 'items', 'enum', 'anyOf']

/**
 * OpenAI, strict: its clients make every key required, so what may be absent must take null. Nothing has a default,
 * and no text has a length.
 */
export const openaiStrict: Subset = subset(
  [...common, 'additionalProperties', 'pattern', 'minimum', 'maximum', 'minItems', 'maxItems', 'multipleOf'],
  {
    rules: (schema) => [
      ...(schema['type'] === 'object' && schema['additionalProperties'] !== false ? ['an open object'] : []),
      ...optionalKeys(schema)
        .filter((key) => !isNullable(record.parse(schema['properties'])[key]))
        .map((key) => `${key} cannot be null`),
    ],
  },
)

/** Anthropic, strict: at most 24 optional keys and 16 unions in all tools of a request. */
export const anthropicStrict: Subset = subset([...common, 'additionalProperties', 'default', 'const'], {
  rules: (schema) =>
    schema['type'] === 'object' && schema['additionalProperties'] !== false ? ['an open object'] : [],
})

/** How much of what Anthropic bounds for all tools together a schema has. */
export function anthropicCounts(schema: unknown): { optional: number; unions: number } {
  const all = [...schemasIn(schema)]
  return {
    optional: all.reduce((sum, [, one]) => sum + optionalKeys(one).length, 0),
    unions: all.filter(([, { anyOf }]) => anyOf !== undefined).length,
  }
}

/**
 * Gemini, as a subset of OpenAPI: its clients take off `additionalProperties` and make `nullable` of a choice with
 * null. Only texts have an `enum`, and every list says what it holds.
 */
export const gemini: Subset = subset(
  [
    ...common,
    'additionalProperties',
    'title',
    'default',
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'pattern',
    'minItems',
    'maxItems',
  ],
  {
    rules: (schema) => [
      ...(schema['enum'] !== undefined && schema['type'] !== 'string' ? ['an enum of no texts'] : []),
      ...(schema['type'] === 'array' && schema['items'] === undefined ? ['a list of anything'] : []),
      ...(schema['type'] === 'null' || schema['anyOf'] === undefined || isNullable(schema)
        ? []
        : ['a choice of several types']),
    ],
  },
)

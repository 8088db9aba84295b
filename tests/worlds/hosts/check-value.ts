import { z } from 'zod'

/** A JSON Schema as OpenAPI 3.0 and Swagger 2.0 write it; what is not checked here is not named. */
export interface Schema {
  $ref?: string | undefined
  type?: string | undefined
  format?: string | undefined
  nullable?: boolean | undefined
  enum?: unknown[] | undefined
  required?: string[] | undefined
  properties?: Record<string, Schema> | undefined
  additionalProperties?: boolean | Schema | undefined
  items?: Schema | undefined
  allOf?: Schema[] | undefined
  anyOf?: Schema[] | undefined
  oneOf?: Schema[] | undefined
}

/** Named things of a description that others refer to: `#/components/schemas/user`, `#/definitions/User`. */
export type Lookup = (reference: string) => unknown

export interface Strictness {
  lookup: Lookup
  /** An object has no more than is described, for what is sent; hosts themselves answer more than they say. */
  strict: boolean
  /** Null stands for anything: of hosts that do not describe where it may be. */
  nulls: boolean
}

export const schema: z.ZodType<Schema> = z.lazy(() =>
  z.looseObject({
    $ref: z.string().optional(),
    type: z.string().optional(),
    format: z.string().optional(),
    nullable: z.boolean().optional(),
    enum: z.unknown().array().optional(),
    required: z.string().array().optional(),
    properties: z.record(z.string(), schema).optional(),
    additionalProperties: z.union([z.boolean(), schema]).optional(),
    items: schema.optional(),
    allOf: schema.array().optional(),
    anyOf: schema.array().optional(),
    oneOf: schema.array().optional(),
  }),
)

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** What is wrong with a value, in sentences. */
export function checkValue(given: Schema, value: unknown, at: string, how: Strictness): string[] {
  const of = flatten(given, how.lookup)
  const choices = of.anyOf ?? of.oneOf ?? []
  if (value === null) {
    const isAllowed = how.nulls || of.nullable === true || of.enum?.includes(null) === true
    const isChoice = choices.some((choice) => checkValue(choice, value, at, how).length === 0)
    return isAllowed || isChoice || (of.type === undefined && choices.length === 0) ? [] : [`${at} is null`]
  }
  const problems: string[] = []
  if (choices.length > 0) {
    const results = choices.map((choice) => checkValue(choice, value, at, how))
    if (results.every((result) => result.length > 0)) problems.push(...(results[0] ?? []))
  }
  if (of.enum && !of.enum.includes(value)) problems.push(`${at} is ${JSON.stringify(value)}`)
  if (of.type !== undefined && !isOfType(of.type, value)) return [...problems, `${at} is no ${of.type}`]
  if (of.format === 'date-time' && !(typeof value === 'string' && isTime.test(value)))
    problems.push(`${at} is no time`)
  if (Array.isArray(value)) {
    const { items } = of
    return items
      ? [...problems, ...value.flatMap((item, n) => checkValue(items, item, `${at}[${n}]`, how))]
      : problems
  }
  return typeof value === 'object' ? [...problems, ...checkFields(of, value, at, how)] : problems
}

/** Schemas are large and asked for with each value: what they come to is kept with them. */
const parsedSchemas = new WeakMap<object, Schema>()
const flatSchemas = new WeakMap<Schema, Schema>()

/** What it refers to, and all of its parts in one. */
function flatten(of: Schema, lookup: Lookup): Schema {
  const known = flatSchemas.get(of)
  if (known) return known
  const flat = of.$ref === undefined ? joinParts(of, lookup) : flatten(parseOnce(lookup(of.$ref)), lookup)
  flatSchemas.set(of, flat)
  return flat
}

function parseOnce(described: unknown): Schema {
  if (typeof described !== 'object' || described === null) return schema.parse(described)
  const known = parsedSchemas.get(described) ?? schema.parse(described)
  parsedSchemas.set(described, known)
  return known
}

function joinParts(of: Schema, lookup: Lookup): Schema {
  if (!of.allOf) return of
  const parts = [...of.allOf.map((part) => flatten(part, lookup)), { ...of, allOf: undefined }]
  const result: Schema = {}
  for (const part of parts) {
    for (const [key, value] of Object.entries(part))
      if (value !== undefined) Object.assign(result, { [key]: value })
  }
  result.properties = Object.assign({}, ...parts.map(({ properties }) => properties ?? {}))
  result.required = parts.flatMap(({ required }) => required ?? [])
  return result
}

function checkFields(of: Schema, value: object, at: string, how: Strictness): string[] {
  const fields = Object.entries(value)
  const missing = (of.required ?? []).filter((name) => !fields.some(([field]) => field === name))
  const { properties = {}, additionalProperties: more } = of
  const isClosed = how.strict && Object.keys(properties).length > 0
  return [
    ...missing.map((name) => `${at} lacks ${name}`),
    ...fields.flatMap(([name, inner]) => {
      const described = properties[name]
      if (described) return checkValue(described, inner, `${at}.${name}`, how)
      if (typeof more === 'object') return checkValue(more, inner, `${at}.${name}`, how)
      return isClosed ? [`${at}.${name} is not described`] : []
    }),
  ]
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && !Array.isArray(value)
    default:
      return typeof value === type
  }
}

/** The same of text in a query. */
export function checkText(of: Schema, value: string, at: string): string[] {
  const choices = of.anyOf ?? of.oneOf
  if (choices) {
    const results = choices.map((choice) => checkText(choice, value, at))
    return results.some((result) => result.length === 0) ? [] : results.flat()
  }
  if (of.type === 'array' && of.items) return checkText(of.items, value, at)
  if (of.enum && !of.enum.includes(value)) return [`${at} is ${value}`]
  if (of.type === 'integer' && !/^\d+$/.test(value)) return [`${at} is no integer`]
  if (of.type === 'boolean' && !/^(?:true|false)$/.test(value)) return [`${at} is no boolean`]
  if (of.format === 'date-time' && Number.isNaN(Date.parse(value))) return [`${at} is no time`]
  return []
}

import { z } from 'zod'

/** A JSON Schema as OpenAPI 3.0 and Swagger 2.0 write it; what is not checked here is not named. */
interface Schema {
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
type Lookup = (reference: string) => unknown

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

const schema: z.ZodType<Schema> = z.lazy(() =>
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

/**
 * What is wrong with a value, in sentences. `strict`: an object has no more than is described, for what is sent; hosts
 * themselves answer more than they say. `nulls`: null stands for anything, as Go writes what is not there.
 */
function checkValue(
  of: Schema,
  value: unknown,
  at: string,
  how: { lookup: Lookup; strict: boolean; nulls: boolean },
): string[] {
  if (of.$ref !== undefined) return checkValue(schema.parse(how.lookup(of.$ref)), value, at, how)
  if (value === null) {
    const isAllowed = how.nulls || of.nullable === true || of.enum?.includes(null) === true
    const choices = of.anyOf ?? of.oneOf ?? []
    const isChoice = choices.some((choice) => checkValue(choice, value, at, how).length === 0)
    return isAllowed || isChoice || (of.type === undefined && choices.length === 0) ? [] : [`${at} is null`]
  }
  const problems = (of.allOf ?? []).flatMap((part) => checkValue(part, value, at, { ...how, strict: false }))
  const choices = of.anyOf ?? of.oneOf
  if (choices) {
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

function checkFields(
  of: Schema,
  value: object,
  at: string,
  how: { lookup: Lookup; strict: boolean; nulls: boolean },
): string[] {
  const fields = Object.entries(value)
  const missing = (of.required ?? []).filter((name) => !fields.some(([field]) => field === name))
  const { properties = {}, additionalProperties: more } = of
  const isClosed = how.strict && of.properties !== undefined && (more === undefined || more === false)
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

const parameter = z.looseObject({
  $ref: z.string().optional(),
  name: z.string().optional(),
  in: z.string().optional(),
  required: z.boolean().optional(),
  // Swagger 2.0 has the type beside the name, but for the body.
  schema: schema.optional(),
})
const content = z.looseObject({
  content: z.record(z.string(), z.looseObject({ schema: schema.optional() })).optional(),
  required: z.boolean().optional(),
})
const answer = content.extend({ $ref: z.string().optional(), schema: schema.optional() })
const operation = z.looseObject({
  parameters: parameter.array().optional(),
  requestBody: content.optional(),
  responses: z.record(z.string(), answer),
})
type Operation = z.output<typeof operation>
const description = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })

/** Answers that any request may get, whether they are described or not. */
const universal = [301, 307, 401, 403, 404, 410, 422, 429, 500, 502, 503]

/** An API by the description that its host publishes. */
export interface DescribedApi {
  /** @returns problems; a sentence each */
  checkRequest(request: { method: string; path: string; query: URLSearchParams; body: unknown }): string[]
  checkAnswer(request: { method: string; path: string }, answer: { status: number; body: unknown }): string[]
}

export function describedApi(document: unknown): DescribedApi {
  const { paths } = description.parse(document)
  const isSwagger = z.looseObject({ swagger: z.string() }).safeParse(document).success
  const lookup: Lookup = (reference) =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((node, key) => z.record(z.string(), z.unknown()).parse(node)[key], document)

  function find({ method, path }: { method: string; path: string }): Operation | undefined {
    // GitHub redirects there what was renamed, and describes it nowhere.
    const named = path.replace(/^\/repositories\/\d+/, '/repos/owner/name')
    // What has more words is meant: /issues/comments/7 is no issue.
    const words = (template: string): number => template.replaceAll(/\{\w+\}/g, '').length
    const fitting = Object.keys(paths)
      .filter((template) => pattern(template).test(named))
      .sort((a, b) => words(b) - words(a))
    const found = fitting
      .map((template) => paths[template]?.[method.toLowerCase()])
      .find((one) => one !== undefined)
    return found === undefined ? undefined : operation.parse(found)
  }

  return {
    checkRequest({ query, body, ...request }) {
      const found = find(request)
      if (!found) return ['it is not described']
      const parameters = (found.parameters ?? []).map((one) =>
        one.$ref === undefined ? one : parameter.parse(lookup(one.$ref)),
      )
      const problems = [...query].flatMap(([name, value]) => {
        const known = parameters.find((one) => one.in === 'query' && one.name === name)
        return known
          ? checkText(known.schema ?? schema.parse(known), value, `query ${name}`)
          : `query ${name} is not described`
      })
      for (const { in: place, name = '', required } of parameters) {
        if (place === 'query' && required && !query.has(name)) problems.push(`query ${name} is missing`)
      }
      const given = isSwagger ? parameters.find((one) => one.in === 'body') : found.requestBody
      const sent = isSwagger
        ? parameters.find((one) => one.in === 'body')?.schema
        : found.requestBody?.content?.['application/json']?.schema
      if (body === undefined) return given?.required ? [...problems, 'the body is missing'] : problems
      if (!sent) return [...problems, 'a body is not described']
      return [...problems, ...checkValue(sent, body, 'body', { lookup, strict: true, nulls: false })]
    },
    checkAnswer(request, { status, body }) {
      const found = find(request)
      const given = found?.responses[String(status)]
      if (!given) return universal.includes(status) ? [] : [`status ${status} is not described`]
      const resolved = given.$ref === undefined ? given : answer.parse(lookup(given.$ref))
      const of = resolved.schema ?? resolved.content?.['application/json']?.schema
      return of ? checkValue(of, body, 'answer', { lookup, strict: false, nulls: isSwagger }) : []
    },
  }
}

/** `{filepath}` and the like take slashes too. */
function pattern(template: string): RegExp {
  const parts = template.split(/(\{\w+\})/).map((part) => {
    if (part === '{basehead}' || part === '{head}') return '.+'
    return part.startsWith('{') ? '[^/]+' : part.replaceAll('.', String.raw`\.`)
  })
  return new RegExp(`^${parts.join('')}$`)
}

function checkText(of: Schema, value: string, at: string): string[] {
  if (of.enum && !of.enum.includes(value)) return [`${at} is ${value}`]
  if (of.type === 'integer' && !/^\d+$/.test(value)) return [`${at} is no integer`]
  if (of.format === 'date-time' && Number.isNaN(Date.parse(value))) return [`${at} is no time`]
  return []
}

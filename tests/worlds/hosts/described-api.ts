import { z } from 'zod'
import { isRecord } from '../../../src/lib/is-record.ts'
import { checkText, checkValue, schema, type Lookup } from './check-value.ts'

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

/**
 * Answers that any request may get and that hosts describe at few: no credential or a wrong one, or one that may not;
 * and GitHub's way to a repository that was renamed.
 */
const universal = [301, 307, 401, 403]

/** Something that a host does and does not describe, or describes otherwise. */
export interface Amendment {
  why: string
  /** Keys into the description; the last is `+` for one more item of a list. */
  at: string[]
  value: unknown
}

interface DescribedRequest {
  method: string
  /** Below the base of the API, encoded as it came. */
  path: string
  query: URLSearchParams
  body: unknown
}

/** An API by the description that its host publishes. */
export interface DescribedApi {
  /** @returns problems; a sentence each */
  checkRequest(request: DescribedRequest): string[]
  checkAnswer(
    request: Pick<DescribedRequest, 'method' | 'path'>,
    answer: { status: number; body: unknown },
  ): string[]
}

/** `nulls`: the description does not say where null may stand for a value. */
export function describedApi(
  published: unknown,
  { nulls = false, amendments = [] }: { nulls?: boolean; amendments?: Amendment[] } = {},
): DescribedApi {
  const document = amend(published, amendments)
  const { paths } = description.parse(document)
  const isSwagger = z.looseObject({ swagger: z.string() }).safeParse(document).success
  const lookup: Lookup = (reference) =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((node, key) => (isRecord(node) ? node[key] : undefined), document)

  const operations = new Map<unknown, Operation>()
  // What has more words is meant: /issues/comments/7 is no issue.
  const words = (template: string): number => template.replaceAll(/\{\w+\}/g, '').length
  const templates = Object.entries(paths)
    .toSorted(([a], [b]) => words(b) - words(a))
    .map(([template, methods]) => ({ matches: pattern(template), methods }))

  function find({ method, path }: { method: string; path: string }): Operation | undefined {
    // GitHub redirects there what was renamed, and describes it nowhere.
    const named = path.replace(/^\/repositories\/\d+/, '/repos/owner/name')
    const found = templates
      .filter(({ matches }) => matches.test(named))
      .map(({ methods }) => methods[method.toLowerCase()])
      .find((one) => one !== undefined)
    if (found === undefined) return undefined
    const known = operations.get(found) ?? operation.parse(found)
    operations.set(found, known)
    return known
  }

  return {
    checkRequest({ query, body, ...request }) {
      const found = find(request)
      if (!found) return ['it is not described']
      const parameters = (found.parameters ?? []).map((one) =>
        one.$ref === undefined ? one : parameter.parse(lookup(one.$ref)),
      )
      const inQuery = parameters.filter((one) => one.in === 'query')
      const problems = [...query].flatMap(([name, value]) => {
        const known = inQuery.find((one) => one.name === name.replace(/\[\]$/, ''))
        return known
          ? checkText(known.schema ?? schema.parse(known), value, `query ${name}`)
          : [`query ${name} is not described`]
      })
      const missing = inQuery.filter(({ name = '', required }) => required === true && !query.has(name))
      problems.push(...missing.map(({ name }) => `query ${name} is missing`))
      const inBody = parameters.find((one) => one.in === 'body')
      const sent = isSwagger ? inBody : found.requestBody
      const of = isSwagger ? inBody?.schema : found.requestBody?.content?.['application/json']?.schema
      if (body === undefined) return sent?.required === true ? [...problems, 'a body is missing'] : problems
      if (!of) return [...problems, 'a body is not described']
      return [...problems, ...checkValue(of, body, 'body', { lookup, strict: true, nulls: false })]
    },
    checkAnswer(request, { status, body }) {
      const found = find(request)
      const given = found?.responses[String(status)]
      if (!given) return universal.includes(status) ? [] : [`status ${status} is not described`]
      const resolved = given.$ref === undefined ? given : answer.parse(lookup(given.$ref))
      const of = resolved.schema ?? resolved.content?.['application/json']?.schema
      if (status === 204) return body === undefined ? [] : ['answer is not empty']
      return of ? checkValue(of, body, 'answer', { lookup, strict: false, nulls: nulls || isSwagger }) : []
    },
  }
}

/** @throws when it is so already: the host describes it by now, and the amendment can go */
function amend(published: unknown, amendments: Amendment[]): unknown {
  const document: unknown = structuredClone(published)
  for (const { why, at, value } of amendments) {
    const [last = '', ...way] = at.toReversed()
    let node = document as Record<string, unknown>
    for (const key of way.toReversed()) {
      if (typeof node[key] !== 'object') throw new Error(`There is no ${at.join(' → ')}: ${why}`)
      node = node[key] as Record<string, unknown>
    }
    const present = Array.isArray(node) ? node : [node[last]]
    if (present.some((one) => JSON.stringify(one) === JSON.stringify(value))) {
      throw new Error(`It is so without: ${why}`)
    }
    if (Array.isArray(node)) node.push(value)
    else node[last] = value
  }
  return document
}

/** Names of branches and pairs of commits take slashes too. */
function pattern(template: string): RegExp {
  const parts = template.split(/(\{\w+\})/).map((part) => {
    if (/^\{(?:basehead|head|spec|name)\}$/.test(part)) return '.+'
    return part.startsWith('{') ? '[^/]+' : part.replaceAll('.', String.raw`\.`)
  })
  return new RegExp(`^${parts.join('')}$`)
}

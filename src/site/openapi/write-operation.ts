import { isRecord } from '../../lib/is-record.ts'
import { storableText } from '../pages/decode.ts'
import type { Description, Place } from './description.ts'
import { keysOf, lineOf, type Operation } from './operations.ts'
import { type Budget, writeFields } from './write-fields.ts'
import { printJson, writeCell, writeCode, writeLine, writeMarkdown } from './write-text.ts'

const maxCharacters = 100_000
const maxExample = 3000
const maxFields = 400
/** Of one body, so that a large request leaves some for the response. */
const maxBodyFields = 200

/** The parts of an operation as Markdown, each below a heading of the second level. */
export function writeOperation(description: Description, operation: Operation): string {
  const { child, elements } = description
  const budget: Budget = { fields: maxFields, schemas: 3000 }
  const { place, pathItem, method, path, isWebhook } = operation
  const parameters = parametersOf(description, operation)
  const parts: string[] = []
  const add = (heading: string, ...blocks: string[]): void => {
    const text = joined(blocks)
    if (text !== '') parts.push(`## ${heading}\n\n${text}`)
  }

  const title = operation.title === operation.key ? '' : `${writeLine(operation.title)}: `
  const server = isWebhook ? '' : serverOf(description, place)
  parts.push(
    joined([
      isWebhook
        ? `${title}Webhook ${writeCode(path)}, sent as ${writeCode(method)}.`
        : `${title}${writeCode(`${method} ${server}${path}`)}`,
      child(place, 'deprecated')?.value === true ? '**Deprecated.**' : '',
      writeMarkdown(child(place, 'description')?.value ?? child(pathItem, 'description')?.value),
    ]),
  )
  add('Authorization', ...authorizationOf(description, place))
  for (const [kind, heading] of kinds) {
    const rows = parameters.filter((one) => child(one, 'in')?.value === kind).map(row)
    const head = ['| Name | Type | Required | Description |', '| --- | --- | --- | --- |']
    if (rows.length > 0) add(heading, [...head, ...rows].join('\n'))
  }
  const body = requestBodyOf(description, operation, parameters)
  const isRequired = child(body, 'required')?.value === true
  add(
    isWebhook ? 'Payload' : 'Request body',
    writeMarkdown(child(body, 'description')?.value),
    ...contentOf(body, 'request', isRequired),
  )
  const responses = child(place, 'responses')
  const statuses = keysOf(responses).filter((status) => !status.startsWith('x-'))
  for (const status of statuses.filter((one) => !isError(one))) {
    const response = child(responses, status)
    add(
      `Response ${writeLine(status)}`,
      writeMarkdown(child(response, 'description')?.value),
      headersOf(response),
      ...contentOf(response, 'response', false),
    )
  }
  add('Errors', ...errorsOf(statuses.filter(isError)))
  add('Callbacks', ...callbacksOf())
  const text = joined(parts)
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters).toWellFormed()}…` : text

  function row(parameter: Place): string {
    // In version 2 the parameter is its own schema.
    const [own = ''] = writeFields(
      description,
      child(parameter, 'schema') ?? contentSchema(parameter) ?? parameter,
      {
        budget,
        side: 'request',
      },
    )
    const [type = '', facts = ''] = splitFacts(own.replace(/^- /, ''))
    const text = writeLine(child(parameter, 'description')?.value)
    const more = facts.startsWith(text) ? facts.slice(text.length).trim() : facts
    const deprecated = child(parameter, 'deprecated')?.value === true ? 'Deprecated.' : ''
    const sample = child(parameter, 'example')?.value
    const example =
      sample === undefined || isRecord(sample) || facts.includes('Example `')
        ? ''
        : `Example ${writeCode(sample)}.`
    const cells = [
      writeCode(child(parameter, 'name')?.value),
      type,
      child(parameter, 'required')?.value === true ? 'yes' : 'no',
      [text, more, example, deprecated].filter((part) => part !== '').join(' '),
    ]
    return `| ${cells.map(writeCell).join(' | ')} |`
  }

  function contentSchema(parameter: Place): Place | undefined {
    const content = child(parameter, 'content')
    return child(child(content, keysOf(content)[0] ?? ''), 'schema')
  }

  /** The fields of a body, and an example of it. */
  function contentOf(body: Place | undefined, side: 'request' | 'response', required: boolean): string[] {
    const content = child(body, 'content')
    const kinds = keysOf(content).toSorted((one, other) => rankOf(one) - rankOf(other))
    const [kind] = kinds
    // In version 2 the schema of a response stands in it.
    const media = kind === undefined ? body : child(content, kind)
    const schema = child(media, 'schema')
    const others = kinds.slice(1, 6).map(writeCode).join(', ')
    const lead = side === 'request' ? 'Fields to send' : 'The call returns these fields'
    const as = kind === undefined ? '' : `, as ${writeCode(kind)}${others === '' ? '' : ` or ${others}`}`
    const named =
      kind === undefined && schema === undefined ? '' : `${lead}${as}${required ? ', required' : ''}:`
    const own = { fields: Math.min(maxBodyFields, budget.fields), schemas: budget.schemas }
    const before = own.fields
    const fields = writeFields(description, schema, { budget: own, side })
    budget.fields -= before - Math.max(0, own.fields)
    return [named, fields.join('\n'), exampleOf(body, media, schema)]
  }

  function exampleOf(body: Place | undefined, media: Place | undefined, schema: Place | undefined): string {
    const examples = child(media, 'examples')
    const listed = child(body, 'examples')
    const value =
      child(media, 'example') ??
      child(child(examples, keysOf(examples)[0] ?? ''), 'value') ??
      child(listed, keysOf(listed).find((kind) => kind.includes('json')) ?? '') ??
      child(schema, 'example') ??
      child(child(schema, 'examples'), 0)
    const text = value === undefined ? '' : printed(value.value)
    return text === '' ? '' : `Example:\n\n${fenced(text)}`
  }

  function headersOf(response: Place | undefined): string {
    const headers = child(response, 'headers')
    const lines = keysOf(headers).map((name) =>
      said(`- Header ${writeCode(name)}`, child(child(headers, name), 'description')),
    )
    return lines.slice(0, 30).join('\n')
  }

  /** Statuses with what they mean, and the fields of their bodies once. */
  function errorsOf(errors: readonly string[]): string[] {
    const some = errors.slice(0, 40)
    const bodies = Map.groupBy(some, (status) =>
      joined(contentOf(child(responses, status), 'response', false)),
    )
    return [
      some
        .map((status) => said(`- ${writeCode(status)}`, child(child(responses, status), 'description')))
        .join('\n'),
      ...[...bodies]
        .filter(([fields]) => fields !== '')
        .flatMap(([fields, of]) => [`Body of ${of.map(writeCode).join(', ')}:`, fields]),
    ]
  }

  function callbacksOf(): string[] {
    const callbacks = child(place, 'callbacks')
    return keysOf(callbacks)
      .slice(0, 20)
      .flatMap((name) => {
        const item = child(callbacks, name)
        return keysOf(item)
          .slice(0, 5)
          .flatMap((expression) => {
            const called = child(item, expression)
            const verb = keysOf(called)[0] ?? 'post'
            const request = child(child(called, verb), 'requestBody')
            return [
              `${writeCode(name)}: ${writeCode(`${verb.toUpperCase()} ${expression}`)}`,
              ...contentOf(request, 'request', false),
            ]
          })
      })
  }

  function authorizationOf({ root }: Description, operation: Place): string[] {
    const required = child(operation, 'security') ?? child(root, 'security')
    const schemes = child(child(root, 'components'), 'securitySchemes') ?? child(root, 'securityDefinitions')
    const ways = elements(required).map((way) =>
      keysOf(way).map((name) => schemeOf(name, child(schemes, name), way)),
    )
    if (ways.length === 0) return []
    if (ways.every((way) => way.length === 0)) return ['None is needed.']
    const lines = ways.map((way) => `- ${way.length === 0 ? 'None' : way.join(', with ')}`).join('\n')
    return ways.length > 1 ? ['One of:', lines] : [lines]
  }

  function schemeOf(name: string, scheme: Place | undefined, way: Place): string {
    const value = (key: string): string => lineOf(child(scheme, key)?.value) ?? ''
    const scopes = elements(child(way, name)).flatMap((scope) =>
      typeof scope.value === 'string' ? [writeCode(scope.value)] : [],
    )
    const kind = value('type')
    const how =
      kind === 'apiKey'
        ? `API key in the ${value('in')} ${writeCode(value('name'))}`
        : kind === 'http'
          ? `HTTP ${value('scheme') === 'bearer' ? 'bearer token in the header `Authorization`' : value('scheme')}`
          : kind === 'basic'
            ? 'HTTP basic'
            : kind === 'oauth2'
              ? 'OAuth 2'
              : kind === 'openIdConnect'
                ? 'OpenID Connect'
                : writeLine(kind)
    const facts = [how, ...(scopes.length > 0 ? [`scopes ${scopes.join(', ')}`] : [])].join(', ')
    return said(
      facts === '' ? writeCode(name) : `${writeCode(name)} (${facts})`,
      child(scheme, 'description'),
    )
  }
}

/** Parts of a text with an empty line between them. */
function joined(blocks: readonly string[]): string {
  return blocks
    .filter((block) => block.trim() !== '')
    .join('\n\n')
    .trim()
}

/** `name: its description`. */
function said(name: string, description: Place | undefined): string {
  const text = writeLine(description?.value)
  return text === '' ? name : `${name}: ${text}`
}

const kinds: readonly (readonly [string, string])[] = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Header parameters'],
  ['cookie', 'Cookies'],
]

/** Those of the path, replaced by those of the operation with the same name and kind. */
function parametersOf({ child, elements }: Description, { place, pathItem }: Operation): Place[] {
  const parameters = new Map<string, Place>()
  for (const parameter of [
    ...elements(child(pathItem, 'parameters')),
    ...elements(child(place, 'parameters')),
  ])
    parameters.set(
      `${String(child(parameter, 'in')?.value)} ${String(child(parameter, 'name')?.value)}`,
      parameter,
    )
  return [...parameters.values()]
}

/** In version 2 the body is a parameter, or each of its fields is one. */
function requestBodyOf(
  { child }: Description,
  { place }: Operation,
  parameters: readonly Place[],
): Place | undefined {
  const body = child(place, 'requestBody') ?? parameters.find((one) => child(one, 'in')?.value === 'body')
  if (body !== undefined) return body
  const fields = parameters.filter((one) => child(one, 'in')?.value === 'formData')
  const [first] = fields
  if (first === undefined) return undefined
  const properties = Object.fromEntries(fields.map((one) => [String(child(one, 'name')?.value), one.value]))
  const required = fields
    .filter((one) => child(one, 'required')?.value === true)
    .map((one) => child(one, 'name')?.value)
  return { file: first.file, value: { schema: { type: 'object', properties, required } } }
}

function serverOf({ root, child }: Description, operation: Place): string {
  const server = child(child(operation, 'servers'), 0) ?? child(child(root, 'servers'), 0)
  const url = lineOf(child(server, 'url')?.value)
  if (url !== undefined) return url.slice(0, 300).replace(/\/$/, '')
  const host = lineOf(child(root, 'host')?.value)
  const base = (lineOf(child(root, 'basePath')?.value) ?? '').replace(/\/$/, '')
  const scheme = lineOf(child(child(root, 'schemes'), 0)?.value) ?? 'https'
  return host === undefined ? base : `${scheme}://${host}${base}`
}

function isError(status: string): boolean {
  return /^(?:[45]|default$)/i.test(status)
}

function rankOf(mediaType: string): number {
  return mediaType.includes('json') ? 0 : mediaType.includes('form') ? 1 : 2
}

/** `string, required: what is said` in two. */
function splitFacts(facts: string): string[] {
  const at = facts.indexOf(': ')
  return at === -1 ? [facts] : [facts.slice(0, at), facts.slice(at + 2)]
}

/** An example as it is shown. */
function printed(value: unknown): string {
  const text = typeof value === 'string' ? value : printJson(value)
  const excerpt = storableText(text.slice(0, maxExample)).replaceAll('\r\n', '\n')
  return excerpt.trim() === '' ? '' : text.length > maxExample ? `${excerpt}\n…` : excerpt
}

function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${/^\s*[[{]/.test(text) ? 'json' : ''}`, text, fence].join('\n')
}

import { html } from 'hono/html'
import type { Html } from '../frame/html/html.ts'
import { nameOf, resolve, type ApiDocument, type PlacedOperation, type Schema } from './document.ts'

/**
 * A table of a schema's fields. Responses usually have all of their fields, so only optional ones are marked there.
 */
export function fieldTable(label: string, schema: Schema, side: 'request' | 'response'): Html {
  const mark = (required: boolean): Html | string => {
    if (required === (side === 'response')) return ''
    return html`<br /><small class="muted">${required ? 'required' : 'may be missing'}</small>`
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table class="fields">
      <thead>
        <tr>
          <th>Name</th>
          <th>Type</th>
          <th>Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${fieldsOf(schema).map(
          ({ name, schema: field, required }) =>
            html`<tr>
              <td><code>${name}</code>${mark(required)}</td>
              <td>${type(field)}</td>
              <td class="wide">
                ${inlineText(field.description ?? field.items?.description ?? '')}
                ${rulesOf(field).map((rule) => html`<small class="muted">${rule}</small> `)}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function type(field: Schema): Html {
  const name = nameOf(field) ?? (field.items && nameOf(field.items))
  return name === undefined
    ? html`${typeOf(field)}`
    : html`${field.items ? 'array of ' : ''}<a href="#object-${name}">${name}</a
        >${field.anyOf ? ' or null' : ''}`
}

/** What a named schema is: its fields, the words that it may be, or the schemas that it is one of. */
export function objectTable(name: string, schema: Schema): Html {
  const about = schema.description === undefined ? '' : html`<p>${inlineText(schema.description)}</p>`
  if (schema.properties) return html`${about}${fieldTable(`Fields of ${name}`, schema, 'response')}`
  const choices =
    schema.oneOf?.map(type) ?? schema.enum?.map((word) => html`<code>${String(word)}</code>`) ?? []
  return html`${about}
    <p>One of ${choices.map((one, index) => html`${index === 0 ? '' : ', '}${one}`)}.</p>`
}

/** A text of the document, with code where it has backticks. */
export function inlineText(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

/** One line of a table of fields. */
interface Field {
  /** With the names of the fields around it: `source.repository`, `checks[].path`. */
  name: string
  schema: Schema
  required: boolean
}

/** The fields of a schema and of its nested schemas. Named schemas have a table of their own. */
function fieldsOf(schema: Schema, prefix = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = `${prefix}${key}`
    const one = { name, schema: field, required: schema.required?.includes(key) ?? false }
    if (nameOf(field) !== undefined) return [one]
    const below = field.items ? fieldsOf(field.items, `${name}[].`) : fieldsOf(field, `${name}.`)
    return [one, ...below]
  })
}

/** `string or null`, `array of Job`, `"open" or "closed"`. */
function typeOf(schema: Schema): string {
  const name = nameOf(schema)
  if (name !== undefined) return name
  if (schema.anyOf ?? schema.oneOf)
    return [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(typeOf).join(' or ')
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

/** The rules for a value, in words. */
function rulesOf(schema: Schema): string[] {
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

const variables: ReadonlyMap<string, string> = new Map([
  ['adminKey', 'DOCWRIGHT_ADMIN_KEY'],
  ['assistantKey', 'DOCWRIGHT_ASSISTANT_KEY'],
  ['operatorToken', 'DOCWRIGHT_OPERATOR_TOKEN'],
])

/** A curl command for the operation, with shell variables for what differs between servers. */
export function curlOf(document: ApiDocument, { method, path, operation }: PlacedOperation): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${variableOf(name)}`)
  const variable = variables.get(Object.keys(operation.security?.[0] ?? {})[0] ?? '')
  const body = operation.requestBody?.content['application/json']
  return [
    `curl ${method === 'GET' || body ? '' : `-X ${method} `}"$DOCWRIGHT_URL${address}"`,
    ...(variable === undefined ? [] : [`-H "Authorization: Bearer $${variable}"`]),
    ...(body
      ? [
          `-H 'Content-Type: application/json'`,
          `-d '${JSON.stringify(exampleOf(document, body.schema)).replaceAll("'", String.raw`'\''`)}'`,
        ]
      : []),
  ].join(' \\\n  ')
}

/** An example value with the required fields and those that have an example. */
function exampleOf(document: ApiDocument, given: Schema): unknown {
  const schema = resolve(document, given)
  if (schema.example !== undefined) return schema.example
  if (schema.enum) return schema.enum[0]
  const type = [schema.type].flat()[0]
  if (type === 'array') return schema.items ? [exampleOf(document, schema.items)] : []
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  if (!schema.properties) return 'text'
  const fields = Object.entries(schema.properties).filter(
    ([name, field]) => schema.required?.includes(name) === true || field.example !== undefined,
  )
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(document, field)]))
}

function variableOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}

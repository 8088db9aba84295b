import { html } from 'hono/html'
import { copyableBlock } from '../frame/html/form.ts'
import type { Html } from '../frame/html/html.ts'
import {
  nameOf,
  resolve,
  type ApiDocument,
  type Operation,
  type PlacedOperation,
  type Schema,
} from './document.ts'
import { curlOf, fieldTable, inlineText } from './field-table.ts'

const keyNames: ReadonlyMap<string, string> = new Map([
  ['adminKey', 'Admin key'],
  ['assistantKey', 'Assistant key'],
  ['operatorToken', 'the operator’s token'],
  ['keyAsPassword', 'any of them as a password'],
  ['session', 'a session'],
  ['nothing', 'nobody, on public pages'],
])

const places: ReadonlyMap<string, string> = new Map([
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
])

export function operationSection(document: ApiDocument, placed: PlacedOperation): Html {
  const { method, path, anchor, operation } = placed
  const body = operation.requestBody?.content['application/json']?.schema
  return html`<section class="operation" id="${anchor}">
    <h3><a href="#${anchor}">${operation.summary ?? path}</a></h3>
    <p class="route"><span class="method">${method}</span> <code>${path}</code></p>
    <p>${inlineText(operation.description ?? '')}</p>
    <p class="muted">${keysOf(operation)}</p>
    ${[...places].map(([place, title]) => parameters(placed, place, title))}
    ${
      body
        ? html`<h4>Body</h4>
            ${fieldTable(`Body of ${method} ${path}`, resolve(document, body), 'request')}`
        : ''
    }
    <h4>Responses</h4>
    <dl class="facts responses">${Object.entries(operation.responses).map(response)}</dl>
    ${copyableBlock(curlOf(document, placed), 'the command')}
  </section>`
}

function keysOf({ security = [] }: Operation): string {
  if (security.length === 0) return 'Open to everyone'
  return security
    .flatMap((one) => {
      // The header that changes need comes with the session.
      const [first]: [kind: string, scopes: string[]][] = Object.entries(one)
      return [first ?? (['nothing', []] as const)]
    })
    .map(([kind, scopes]) => {
      const scope = scopes.length === 0 ? '' : `, scope ${scopes.join(', ')}`
      return `${keyNames.get(kind) ?? kind}${scope}`
    })
    .join(' or ')
}

function parameters({ method, path, operation }: PlacedOperation, place: string, title: string): Html {
  const some = (operation.parameters ?? []).filter((one) => one.in === place)
  if (some.length === 0) return html``
  const properties = some.map(({ name, schema, description }) => [
    name,
    { ...schema, ...(description === undefined ? {} : { description }) },
  ])
  const required = some.filter((one) => one.required === true).map(({ name }) => name)
  return html`<h4>${title}</h4>
    ${fieldTable(`${title} of ${method} ${path}`, { properties: Object.fromEntries(properties) as Record<string, Schema>, required }, 'request')}`
}

function response([status, { description, content }]: [string, Operation['responses'][string]]): Html {
  const kinds = Object.entries(content ?? {}).map(([type, { schema }]) => {
    const name = nameOf(schema) ?? (schema.items && nameOf(schema.items))
    return name === undefined
      ? html` <code>${type}</code>`
      : html` ${schema.items ? 'array of ' : ''}<a href="#object-${name}">${name}</a>`
  })
  return html`<div>
    <dt>${status}</dt>
    <dd>${inlineText(description)}${Number(status) < 300 ? kinds : ''}</dd>
  </div>`
}

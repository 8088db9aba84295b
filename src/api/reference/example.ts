import { resolve } from './document.ts'
import type { ApiDocument, PlacedOperation, Schema } from './document.ts'

const variables: ReadonlyMap<string, string> = new Map([
  ['adminKey', 'DOCWRIGHT_ADMIN_KEY'],
  ['assistantKey', 'DOCWRIGHT_ASSISTANT_KEY'],
  ['operatorToken', 'DOCWRIGHT_OPERATOR_TOKEN'],
])

/** A command that makes the request; what differs from server to server is in variables. */
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

/** What is required, and what has an example. */
function exampleOf(document: ApiDocument, given: Schema): unknown {
  const schema = resolve(document, given)
  if (schema.example !== undefined) return schema.example
  if (schema.enum) return schema.enum[0]
  const type = [schema.type].flat()[0]
  if (type === 'array') return schema.items ? [exampleOf(document, schema.items)] : []
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  if (!schema.properties) return 'text'
  const shown = Object.entries(schema.properties).filter(
    ([name, field]) => schema.required?.includes(name) === true || field.example !== undefined,
  )
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(document, field)]))
}

function variableOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}

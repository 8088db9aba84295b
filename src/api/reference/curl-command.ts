import type { Description, Place } from '../../site/openapi/description.ts'
import { keysOf, type Operation } from '../../site/openapi/operations.ts'

const variables: ReadonlyMap<string, string> = new Map([
  ['adminKey', 'DOCWRIGHT_ADMIN_KEY'],
  ['assistantKey', 'DOCWRIGHT_ASSISTANT_KEY'],
  ['operatorToken', 'DOCWRIGHT_OPERATOR_TOKEN'],
])

/** A curl command for the operation, with shell variables for what differs between servers. */
export function curlCommand({ child }: Description, { method, path, place }: Operation): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${variableOf(name)}`)
  const variable = variables.get(keysOf(child(child(place, 'security'), 0))[0] ?? '')
  const body = child(child(child(child(place, 'requestBody'), 'content'), 'application/json'), 'schema')
  return [
    `curl ${method === 'GET' || body ? '' : `-X ${method} `}"$DOCWRIGHT_URL${address}"`,
    ...(variable === undefined ? [] : [`-H "Authorization: Bearer $${variable}"`]),
    ...(body
      ? [
          `-H 'Content-Type: application/json'`,
          `-d '${JSON.stringify(example(body, 0)).replaceAll("'", String.raw`'\''`)}'`,
        ]
      : []),
  ].join(' \\\n  ')

  /** A value with the required fields and those that have an example. */
  function example(schema: Place, depth: number): unknown {
    const value = (key: string): unknown => child(schema, key)?.value
    const sample = value('example') ?? child(child(schema, 'enum'), 0)?.value
    if (sample !== undefined) return sample
    const type = child(child(schema, 'type'), 0)?.value ?? value('type')
    const [items, properties] = [child(schema, 'items'), child(schema, 'properties')]
    if (type === 'array') return items && depth < maxDepth ? [example(items, depth + 1)] : []
    if (type === 'integer' || type === 'number') return value('minimum') ?? 1
    if (type === 'boolean') return true
    const alike = child(child(schema, 'allOf'), 0) ?? child(child(schema, 'anyOf'), 0)
    if (properties === undefined)
      return alike === undefined || depth >= maxDepth ? 'text' : example(alike, depth + 1)
    const required = value('required')
    return Object.fromEntries(
      keysOf(properties).flatMap((name) => {
        const field = child(properties, name)
        const isShown = Array.isArray(required) && required.includes(name)
        if (field === undefined || depth >= maxDepth) return []
        return isShown || child(field, 'example') ? [[name, example(field, depth + 1)]] : []
      }),
    )
  }
}

const maxDepth = 10

function variableOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}

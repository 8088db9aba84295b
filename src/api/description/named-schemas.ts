import { getRefId, type RouteConfig } from '@asteasolutions/zod-to-openapi'
import { z } from '@hono/zod-openapi'

/**
 * The schemas with a name that routes ask for and answer, as they are without the use that makes them optional or nullable. The
 * converter takes the first use of a name for the schema itself, so that one nullable use would make it nullable everywhere.
 * @throws Error when two schemas have one name
 */
export function namedSchemas(routes: readonly RouteConfig[]): Map<string, z.ZodType> {
  const named = new Map<string, z.ZodType>()
  const seen = new Set<z.ZodType>()
  const visit = (schema: z.ZodType): void => {
    if (seen.has(schema)) return
    seen.add(schema)
    const name = isUse(schema) ? undefined : getRefId(schema)
    const known = name === undefined ? undefined : named.get(name)
    if (name !== undefined && known && !isSame(known, schema))
      throw new Error(`Two schemas of the API have the name ${name}`)
    for (const part of Object.values(schema.def)) schemasIn(part).forEach(visit)
    // After its parts, whose first use may be a nullable one in this schema.
    if (name !== undefined && !known) named.set(name, schema)
  }
  for (const { request, responses } of routes) {
    const { query, params, headers, body } = request ?? {}
    for (const part of [
      query,
      params,
      headers,
      ...contentsOf(body),
      ...Object.values(responses).flatMap(contentsOf),
    ])
      schemasIn(part).forEach(visit)
  }
  return named
}

function contentsOf(described: object | undefined): unknown[] {
  const { content = {} } = (described ?? {}) as {
    content?: Record<string, Record<string, unknown> | undefined>
  }
  return Object.values(content).flatMap((one) => [one?.['schema'], one?.['itemSchema']])
}

/** Wrappers have the name of what they wrap. */
function isUse({ def }: z.ZodType): boolean {
  return 'innerType' in def || def.type === 'pipe'
}

/** A schema with another description, or with another check, is a copy with the same parts. */
function isSame(one: z.ZodType, other: z.ZodType): boolean {
  const [parts, others] = [one, other].map(({ def }) => new Map(Object.entries(def)))
  parts?.delete('checks')
  return [...(parts ?? [])].every(([key, part]) => part === others?.get(key))
}

function schemasIn(value: unknown): z.ZodType[] {
  if (value instanceof z.ZodType) return [value]
  if (Array.isArray(value)) return value.flatMap(schemasIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).filter((one) => one instanceof z.ZodType)
}

/** As much of an OpenAPI 3.1 document as the reference page shows. */
export interface ApiDocument {
  info: { version: string; description: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, { description: string }> }
}

export interface Operation {
  tags?: string[]
  summary?: string
  description?: string
  /** Kind of key, and the scopes of it that the operation asks for. */
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

type Content = Record<string, { schema: Schema }>

export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  description?: string
  example?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
}

/** One operation with where it is. */
export interface PlacedOperation {
  method: string
  path: string
  /** Its place on the page. */
  anchor: string
  operation: Operation
}

/** In the document's order, by tag. */
export function operationsByTag({ paths, tags }: ApiDocument): Map<string, PlacedOperation[]> {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const name = operation.summary ?? `${method} ${path}`
      const anchor = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
      return { method: method.toUpperCase(), path, anchor, operation }
    }),
  )
  const of = (tag: string): PlacedOperation[] => all.filter(({ operation }) => operation.tags?.includes(tag))
  return new Map(tags.map(({ name }) => [name, of(name)]))
}

/** The name that a reference ends in. */
export function nameOf(schema: Schema): string | undefined {
  return schema.$ref?.split('/').at(-1)
}

/** What responses are made of; bodies of requests are shown with their operation. */
export function responseObjects({ paths, components }: ApiDocument): [name: string, schema: Schema][] {
  const bodies = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
    .map(({ schema }) => nameOf(schema))
  return Object.entries(components.schemas).filter(
    ([name, { properties }]) => properties !== undefined && !bodies.includes(name),
  )
}

/** What a reference stands for. */
export function resolve({ components }: ApiDocument, schema: Schema): Schema {
  return components.schemas[nameOf(schema) ?? ''] ?? schema
}

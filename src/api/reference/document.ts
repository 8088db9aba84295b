/** The parts of an OpenAPI 3.1 document that the reference page shows. */
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
  /** The kind of key, and the scopes that the operation requires. */
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

interface Parameter {
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
  oneOf?: Schema[]
  description?: string
  example?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
}

/** An operation with its method and path. */
export interface PlacedOperation {
  method: string
  path: string
  /** The id of its section on the page. */
  anchor: string
  operation: Operation
}

/** The operations by tag, in the document's order. */
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

/** The name of the schema that this one is a use of: a reference, also with a description or with null beside it. */
export function nameOf(schema: Schema): string | undefined {
  const [used, ...others] = schema.allOf ?? schema.anyOf ?? []
  const isUse = used !== undefined && others.every(({ type }) => type === 'null')
  return schema.$ref?.split('/').at(-1) ?? (isUse ? nameOf(used) : undefined)
}

/** The named schemas of responses. Those of request bodies are shown with their operations. */
export function responseObjects({ paths, components }: ApiDocument): [name: string, schema: Schema][] {
  const bodies = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
    .map(({ schema }) => nameOf(schema))
  const inside = JSON.stringify(components.schemas)
  return Object.entries(components.schemas).filter(
    ([name, { properties, oneOf, enum: words }]) =>
      (properties ?? oneOf ?? words) !== undefined &&
      (!bodies.includes(name) || inside.includes(`/schemas/${name}"`)),
  )
}

/** The schema that a `$ref` points to. */
export function resolve({ components }: ApiDocument, schema: Schema): Schema {
  return components.schemas[nameOf(schema) ?? ''] ?? schema
}

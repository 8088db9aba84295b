import { z } from '@hono/zod-openapi'
import type { RouteConfig } from '@hono/zod-openapi'
import { rights } from '../features/projects/allow.ts'
import type { Caller, Verb } from '../features/projects/allow.ts'
import type { Project } from '../features/projects/projects.ts'
import type { Access } from './access.ts'
import { errorBody } from './contract.ts'
import type { Endpoint, RequestContext } from './endpoint.ts'
import { jobBodyLimit, readBody, readQuery } from './read-body.ts'

/** The groups of the document, in its order. */
export const tags = [
  'Agent jobs',
  'Webhooks',
  'Projects',
  'Git hosts',
  'Pull requests',
  'API keys',
  'Sessions',
  'Assistant',
  'Server',
] as const

const conditions = {
  400: 'Invalid request',
  401: 'Nothing that opens this: no key, or a malformed, unknown, revoked or expired one',
  403: 'A valid key that may not do this, or not from this origin',
  404: 'Nothing there for this key',
  409: 'Not possible as things are; or the first request with this `Idempotency-Key` is still running',
  413: 'Body over the limit: 16 MiB for the assistant, 1 MiB elsewhere',
  422: 'This `Idempotency-Key` came with another body before',
  429: 'Rate limit exceeded',
  503: 'Stopping, or the database is away, or the machine takes no work',
} as const

/** An operation as the OpenAPI document has it; what its path and its verb tell is added. */
interface Description {
  verb: Verb
  method: 'get' | 'post' | 'patch' | 'delete'
  path: string
  tag: (typeof tags)[number]
  summary: string
  description?: string
  query?: z.ZodObject
  headers?: z.ZodObject
  body?: z.ZodType
  responses: RouteConfig['responses']
  /** Statuses besides those that follow from the rest. */
  errors?: (keyof typeof conditions)[]
}

export function describe(operation: Description): RouteConfig {
  const { verb, method, path, tag, summary, description, query, headers, body } = operation
  const params = parametersOf(path)
  const errors = [
    ...(operation.errors ?? []),
    ...(rights[verb].anybody ? ([503] as const) : ([401, 403, 503] as const)),
    ...(params ? ([404] as const) : []),
    ...(query ? ([400] as const) : []),
    ...(body ? ([400, 413] as const) : []),
  ]
  return {
    method,
    path,
    operationId: verb,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: securityOf(verb),
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(headers && { headers }),
      ...(body && { body: { required: true, content: jsonContent(body) } }),
    },
    responses: {
      ...operation.responses,
      ...Object.fromEntries(
        [...new Set(errors)]
          .sort((a, b) => a - b)
          .map((status) => [status, { description: conditions[status], content: jsonContent(errorBody) }]),
      ),
    },
  }
}

/** What a handler is given: who asks, and what was asked, all of it checked. */
interface Asked<Body, Query> {
  context: RequestContext
  caller: Caller
  body: Body
  query: Query
}

interface JsonOperation<Body, Query, Answer> extends Omit<Description, 'body' | 'query' | 'responses'> {
  body?: z.ZodType<Body>
  query?: z.ZodObject & z.ZodType<Query>
  answer: { status?: 200 | 201 | 202; text: string; schema: z.ZodType<Answer> }
}

/** An operation on the project that its path names, which is answered in JSON. */
export function projectOperation<Answer extends object | null, Body = undefined, Query = undefined>(
  access: Pick<Access, 'project'>,
  operation: JsonOperation<Body, Query, Answer>,
  handle: (asked: Asked<Body, Query> & { project: Project }) => Promise<NoInfer<Answer>>,
): Endpoint {
  return jsonEndpoint(operation, async (context) => {
    const { caller, project } = await access.project(context, operation.verb)
    return handle({ caller, project, ...(await readAsked(context, operation)) })
  })
}

/** An operation on the server as a whole, which is answered in JSON. */
export function serverOperation<Answer extends object | null, Body = undefined, Query = undefined>(
  access: Pick<Access, 'server'>,
  operation: JsonOperation<Body, Query, Answer>,
  handle: (asked: Asked<Body, Query>) => Promise<NoInfer<Answer>>,
): Endpoint {
  return jsonEndpoint(operation, async (context) => {
    const caller = await access.server(context, operation.verb)
    return handle({ caller, ...(await readAsked(context, operation)) })
  })
}

function jsonEndpoint<Body, Query, Answer extends object | null>(
  operation: JsonOperation<Body, Query, Answer>,
  work: (context: RequestContext) => Promise<Answer>,
): Endpoint {
  const { status = 200, text, schema } = operation.answer
  return {
    route: describe({
      ...operation,
      responses: { [status]: { description: text, content: jsonContent(schema) } },
    }),
    handle: async (context) => context.json(await work(context), status),
  }
}

async function readAsked<Body, Query>(
  context: RequestContext,
  operation: Pick<JsonOperation<Body, Query, unknown>, 'body' | 'query'>,
): Promise<Pick<Asked<Body, Query>, 'context' | 'body' | 'query'>> {
  // Without a schema the type is undefined, and so is the value.
  const query = (operation.query && readQuery(context, operation.query)) as Query
  const body = (operation.body && (await readBody(context, operation.body, jobBodyLimit))) as Body
  return { context, body, query }
}

export function jsonContent(schema: z.ZodType): { 'application/json': { schema: z.ZodType } } {
  return { 'application/json': { schema } }
}

const parameterTexts: Readonly<Record<string, string>> = {
  projectId: 'Project identifier, from the API keys page.',
  domain: 'The project’s domain: the end of its address in the dashboard.',
  job: 'Job identifier.',
  webhooks: 'Webhook identifier.',
  messageId: 'Message identifier.',
  keys: 'Key identifier.',
  number: 'Number of the pull request.',
  name: 'Name of the context repository.',
}

/** Each parameter of a path with what it is; an `id` is of what stands before it. */
function parametersOf(path: string): z.ZodObject | undefined {
  const segments = path.split('/')
  const shape = segments.flatMap((segment, index) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name === undefined) return []
    const description = parameterTexts[name === 'id' ? (segments[index - 1] ?? '') : name] ?? name
    return [[name, z.string().openapi({ description })] as const]
  })
  return shape.length === 0 ? undefined : z.object(Object.fromEntries(shape))
}

function securityOf(verb: Verb): Record<string, string[]>[] {
  const { anybody, people, admin, assistant } = rights[verb]
  if (anybody) return []
  return [
    ...(admin === undefined ? [] : [{ adminKey: [admin] }]),
    ...(assistant === undefined ? [] : [{ assistantKey: [assistant] }]),
    { operatorToken: [] },
    ...(people ? [{ session: [] }] : []),
  ]
}

import { z, type RouteConfig } from '@hono/zod-openapi'
import type { Caller } from '../../features/projects/allow.ts'
import type { Project } from '../../features/projects/projects.ts'
import { docs, rights, type Verb } from '../../features/projects/rights.ts'
import type { Access } from '../access.ts'
import { errorBody } from '../contract.ts'
import type { Endpoint, RequestContext } from '../endpoint.ts'
import { takesPassword } from '../password-verbs.ts'
import { jobBodyLimit, readBody, readQuery } from '../read-body.ts'
import { headersNamed, headersOfError, type NamedHeader } from './headers.ts'

/** The groups of the document, in its order. */
export const tags = {
  'Agent jobs': 'Jobs take a prompt and end with one pull request.',
  Automations: 'Rules that give the agent work when something happens, and their runs.',
  Webhooks: 'Signed messages about jobs, sent to your own URL.',
  Projects: 'Repositories with documentation, and their settings.',
  Chat: 'Workspaces of Slack in which people ask and start jobs.',
  'Git hosts': 'How a project is connected to its git host.',
  'Pull requests': 'The pull requests of a project’s repository.',
  'API keys': 'Keys for programs and for web pages.',
  Sessions: 'How people sign in and out.',
  People: 'Accounts, organizations, their members, and what was done.',
  Assistant: 'Questions on the documentation, search and feedback.',
  Insights: 'What readers asked and searched, and what the documentation lacks.',
  Documentation: 'The pages of a project as HTML, as Markdown and as lists.',
  'MCP servers': 'Servers of the Model Context Protocol.',
  Server: 'The server itself: health, metrics, limits and its description.',
  'Older interface': 'For clients that were written for an older interface.',
} as const

const conditions = {
  400: 'Invalid request',
  401: 'No key, or a malformed, unknown, revoked or expired one',
  403: 'A valid key that may not do this, or not from this origin or address',
  404: 'Not found, or not visible to this key',
  409: 'Not possible in the current state; or the first request with this `Idempotency-Key` is still running',
  413: 'Body over the limit: 16 MiB for the assistant, 1 MiB elsewhere',
  415: 'The body has a `Content-Encoding` other than gzip',
  422: 'This `Idempotency-Key` was used before with another body',
  429: 'Rate limit exceeded',
  501: 'This server has no such thing; the message names the page that explains it',
  503: 'The server is stopping, its database is not available, or the machine has no room for more work',
} as const

/** What the OpenAPI document says about an operation, besides what follows from its path and its verb. */
export interface Description {
  tag: keyof typeof tags
  summary: string
  description?: string
  /** Only for clients that were written for an older interface. */
  deprecated?: true
  query?: z.ZodObject
  headers?: z.ZodObject
  body?: z.ZodType
  responses: RouteConfig['responses']
  /** Statuses besides those that follow from the rest. */
  errors?: readonly (keyof typeof conditions)[]
  /** The body of every error, where a protocol has a form of its own. */
  errorBody?: z.ZodType
}

type Method = 'get' | 'post' | 'patch' | 'delete'
export type Address = `${Method} /${string}`

/** @param address method and path */
export function describe(verb: Verb, address: Address, operation: Description): RouteConfig {
  const [method, path] = address.split(' ') as [Method, string]
  const { tag, summary, deprecated, query, headers, body } = operation
  // The shorter form is made this one before anything else, in request-path.ts.
  const short = path.startsWith('/discovery/') ? [`Also at \`${path.slice('/discovery'.length)}\`.`] : []
  const description = [operation.description ?? [], short].flat().join(' ')
  const params = parametersOf(path)
  const errors = [
    ...(operation.errors ?? []),
    ...(rights[verb].anybody ? ([503] as const) : ([401, 403, 503] as const)),
    // The operator and keys have no account and no session of their own.
    ...(params || rights[verb].people === 'signed-in' ? ([404] as const) : []),
    ...(query ? ([400] as const) : []),
    // What is asked for may be impossible as things are.
    ...(method === 'get' ? [] : ([400] as const)),
    ...(body ? ([413, 415] as const) : []),
  ]
  const failures = [...new Set(errors)]
    .sort((a, b) => a - b)
    .map((status) => [
      status,
      {
        description: conditions[status],
        headers: headersOfError(status),
        content: jsonContent(operation.errorBody ?? errorBody),
      },
    ])
  return {
    method,
    path,
    operationId: verb,
    tags: [tag],
    summary,
    ...(description !== '' && { description }),
    ...(deprecated && { deprecated }),
    security: securityOf(verb, method),
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(headers && { headers }),
      ...(body && { body: { required: true, content: jsonContent(body) } }),
    },
    responses: { ...Object.fromEntries(failures), ...withHeaders(operation) },
  }
}

/** What a handler is given: the caller, and the validated body and query. */
interface Asked<Body, Query> {
  context: RequestContext
  caller: Caller
  body: Body
  query: Query
}

interface Operation<Asked, Body, Query, Answer> extends Omit<
  Description,
  'tag' | 'summary' | 'body' | 'query' | 'responses'
> {
  body?: z.ZodType<Body>
  query?: z.ZodObject & z.ZodType<Query>
  /** `type` is the media type, JSON by default. For any other type `handle` returns the whole response. */
  answer: readonly [status: 200 | 201 | 202, text: string, schema: z.ZodType<Answer>, type?: string]
  /** Successful responses with other statuses. */
  also?: RouteConfig['responses']
  /** @returns the value to send as JSON, or the whole response */
  handle(asked: Asked): Promise<NoInfer<Answer> | Response>
}

interface Operations {
  /** An operation on the project that the path names. */
  onProject<Answer extends object | string | null, Body = undefined, Query = undefined>(
    verb: Verb,
    address: Address,
    summary: string,
    operation: Operation<Asked<Body, Query> & { project: Project }, Body, Query, Answer>,
  ): Endpoint
  /** An operation on the server as a whole. */
  onServer<Answer extends object | string | null, Body = undefined, Query = undefined>(
    verb: Verb,
    address: Address,
    summary: string,
    operation: Operation<Asked<Body, Query>, Body, Query, Answer>,
  ): Endpoint
}

/** Makes the endpoints of one group. Each identifies the caller, authorises it, and only then reads the request. */
export function operations(access: Access, tag: Description['tag']): Operations {
  const endpoint = <Asked, Body, Query, Answer extends object | string | null>(
    verb: Verb,
    address: Address,
    summary: string,
    operation: Operation<Asked, Body, Query, Answer>,
    ask: (context: RequestContext) => Promise<Asked>,
  ): Endpoint => {
    const [status, text, schema, type = 'application/json'] = operation.answer
    const responses = {
      [status]: { description: text, content: { [type]: { schema } } },
      ...operation.also,
    }
    return {
      route: describe(verb, address, { ...operation, tag, summary, responses }),
      async handle(context) {
        const answer = await operation.handle(await ask(context))
        return answer instanceof Response ? answer : context.json(answer, status)
      },
    }
  }
  return {
    onProject: (verb, address, summary, operation) =>
      endpoint(verb, address, summary, operation, async (context) => ({
        ...(await access.project(context, verb)),
        ...(await readAsked(context, operation)),
      })),
    onServer: (verb, address, summary, operation) =>
      endpoint(verb, address, summary, operation, async (context) => ({
        caller: await access.server(context, verb),
        ...(await readAsked(context, operation)),
      })),
  }
}

async function readAsked<Body, Query>(
  context: RequestContext,
  operation: Pick<Operation<never, Body, Query, unknown>, 'body' | 'query'>,
): Promise<Pick<Asked<Body, Query>, 'context' | 'body' | 'query'>> {
  // Without a schema the type is undefined, and so is the value.
  const query = (operation.query && readQuery(context, operation.query)) as Query
  const body = (operation.body && (await readBody(context, operation.body, jobBodyLimit))) as Body
  return { context, body, query }
}

export function jsonContent(schema: z.ZodType): { 'application/json': { schema: z.ZodType } } {
  return { 'application/json': { schema } }
}

/** A stream of events. Clients that do not read it as one have its text. */
export function streamContent(event: z.ZodType) {
  const text = z.string().describe('Server-sent events, each with JSON as its `data`.')
  return { 'text/event-stream': { schema: text, itemSchema: event } }
}

const parameterTexts: Readonly<Record<string, string>> = {
  projectId: 'Project identifier, from the API keys page.',
  domain: 'The project’s domain: the end of its address in the dashboard.',
  job: 'Job identifier.',
  webhooks: 'Webhook identifier.',
  messageId: 'Message identifier.',
  threadId: 'Identifier of the thread, or the `id` of the chat that the question was sent with.',
  keys: 'Key identifier.',
  number: 'Number of the pull request.',
  statusId: 'Identifier of the update.',
  name: 'Name of the context repository.',
  automation: 'Automation identifier.',
  run: 'Run identifier.',
  gap: 'Gap identifier.',
  question: 'Number of the question in its thread.',
  organization: 'Organization identifier.',
  person: 'Person identifier.',
  invitation: 'Invitation identifier.',
  session: 'Session identifier.',
  passkey: 'Passkey identifier.',
  login: 'Identifier of the linked account.',
  thread: 'Thread identifier.',
  comment: 'Comment identifier.',
}

/** The parameters of a path with their descriptions. An `id` belongs to the path segment before it. */
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

function withHeaders({ responses, headers }: Description): RouteConfig['responses'] {
  const names: NamedHeader[] = [
    'X-Request-Id',
    ...('304' in responses ? (['ETag'] as const) : []),
    ...(headers && 'Idempotency-Key' in headers.shape ? (['Idempotency-Replayed'] as const) : []),
  ]
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) =>
      '$ref' in response
        ? [status, response]
        : [status, { ...response, headers: Object.assign(headersNamed(...names), response.headers) }],
    ),
  )
}

function securityOf(verb: Verb, method: string): Record<string, string[]>[] {
  const right = rights[verb]
  const { anybody, people, admin, assistant, readers } = right
  if (anybody) return []
  return [
    ...(admin === undefined ? [] : [{ adminKey: [admin] }]),
    ...(assistant === undefined ? [] : [{ assistantKey: [assistant] }]),
    { operatorToken: [] },
    ...(takesPassword(verb) ? [{ keyAsPassword: [] }] : []),
    ...(people ? [{ session: [], ...(method !== 'get' && { csrfToken: [] }) }] : []),
    // Public pages, where the project has them.
    ...(readers || right === docs ? [{}] : []),
  ]
}

/** How a response with a unified diff is described and sent. */
export const diffAnswer = ['The diff', z.string(), 'text/x-diff'] as const

export function diffResponse(context: RequestContext, diff: string): Response {
  return context.body(diff, 200, {
    'Content-Type': 'text/x-diff; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  })
}

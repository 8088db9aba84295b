import {
  createMcpHandler,
  McpServer,
  type CallToolResult,
  type ToolAnnotations,
} from '@modelcontextprotocol/server'
import { LimitError } from '../../features/projects/limits.ts'
import { AppError } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import { version } from '../../lib/version.ts'
import { namesType, varied } from '../accept.ts'
import type { RequestContext } from '../endpoint.ts'
import { toAppError } from '../errors.ts'
import { exchangeSignal } from '../exchange.ts'
import { jobBodyLimit, readJson } from '../read-body.ts'
import { answerInJson, protocolHeaders } from './answer-in-json.ts'
import { serveResources, type ServedResources } from './serve-resources.ts'
import type { ToolInput } from './tool-input.ts'
import '../../lib/text/rule-words.ts'

/** A function that an agent may call. Its schemas are made once, not for each request: zod compiles each that is used. */
interface Tool<Input, Output> {
  title: string
  description: string
  input: ToolInput<unknown, Input>
  output: ToolInput<Output>
  annotations: ToolAnnotations
  /** Throws AppError, which the agent reads as the result. */
  call(input: Input): Promise<{ structuredContent: Output; texts: string[] }>
}

/** Adds a tool to a server. */
export type AddTool = <Input, Output extends object>(name: string, tool: Tool<Input, Output>) => void

interface Served {
  /** In reverse-DNS form, as in the server's card. */
  name: string
  title: string
  instructions: string
  addTools(add: AddTool): void
  resources?: ServedResources
  /** The tool that a client means with a name that it did not read here. */
  toolNamed?(name: string): string
  reportError(error: Error, requestId: string): void
  /** Counts messages for a limit, where nobody needs a key. @throws LimitError */
  charge?(messages: number): void
}

/** Messages in one request. Only revisions of the protocol before 2025-06-18 send several. */
const mostMessages = 20

/**
 * Answers one request of the Model Context Protocol. Nothing is kept between two requests, so any process may answer
 * the next one. Speaks the newest revision of the protocol, and those from 2025 that begin with `initialize`.
 */
export async function answerMcp(context: RequestContext, served: Served): Promise<Response> {
  served.charge?.(1)
  const body = await readMessage(context)
  if (body instanceof Response) return body
  if (Array.isArray(body) && body.length > 1) served.charge?.(body.length - 1)
  for (const message of [body].flat()) renameTool(message, served)
  const report = (thrown: unknown): AppError => {
    const error = toAppError(thrown)
    if (error.code === 'internal') served.reportError(error, context.get('requestId') ?? '')
    return error
  }
  const create = (): McpServer => createServer(served, report)
  const { url, method, headers } = context.req.raw
  // Without its body, which has been read, and with a signal that the library may keep.
  const signal = exchangeSignal(context)
  const request = new Request(url, { method, headers: protocolHeaders(headers), signal })
  const isStreamed = namesType(context, 'text/event-stream', 'application/json')
  const json = isStreamed ? undefined : await answerInJson(request, body, create)
  if (json) return varied(json)
  const handler = createMcpHandler(create, {
    // Nothing here changes while a client waits for it.
    maxSubscriptions: 0,
    onerror: () => undefined,
  })
  return varied(await handler.fetch(request, { parsedBody: body }))
}

async function readMessage(context: RequestContext): Promise<unknown> {
  try {
    const body = await readJson(context, jobBodyLimit)
    if (!Array.isArray(body) || body.length <= mostMessages) return body
    return refusal(-32_600, `Send at most ${mostMessages} messages at once`)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error
    return refusal(-32_700, error.message)
  }
}

function renameTool(message: unknown, { toolNamed }: Served): void {
  const params = isRecord(message) && message['method'] === 'tools/call' ? message['params'] : undefined
  if (toolNamed && isRecord(params) && typeof params['name'] === 'string')
    params['name'] = toolNamed(params['name'])
}

function refusal(code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status: 400 })
}

function createServer(
  { name, title, instructions, addTools, resources }: Served,
  report: (thrown: unknown) => AppError,
): McpServer {
  const server = new McpServer(
    { name, title, version },
    { instructions, capabilities: { tools: { listChanged: false } }, maxToolInputElements: 1000 },
  )
  addTools((toolName, { input, output, call, title, description, annotations }) => {
    const schemas = { inputSchema: input, outputSchema: output }
    server.registerTool(
      toolName,
      { title, description, annotations: { openWorldHint: false, ...annotations }, ...schemas },
      async (asked): Promise<CallToolResult> => {
        try {
          const { structuredContent, texts } = await call(asked)
          return { structuredContent, content: texts.map((text) => ({ type: 'text', text })) }
        } catch (thrown) {
          return failure(report(thrown))
        }
      },
    )
  })
  if (resources) serveResources(server, resources, report)
  return server
}

function failure(error: AppError): CallToolResult {
  const wait = error instanceof LimitError ? ` (again in ${error.retryAfter} s)` : ''
  return { isError: true, content: [{ type: 'text', text: `${error.code}: ${error.message}${wait}` }] }
}

/** The name of a server in reverse-DNS form: `com.example.docs/handbook` for `handbook` on `docs.example.com`. */
export function serverName(publicUrl: string, name: string): string {
  const labels = new URL(publicUrl).hostname.replaceAll(/[^A-Za-z0-9.-]/g, '-').split('.')
  return `${labels.reverse().join('.')}/${name}`
}

export const jobsTitle = 'Docwright jobs'

export function docsTitle(domain: string): string {
  return `Documentation of ${domain}`
}

/** A part of a long text, in characters, and where the next one begins. */
export function partOf(
  text: string,
  offset: number,
  most: number,
): { part: string; nextOffset: number | undefined } {
  const end = Math.min(text.length, offset + most)
  return { part: text.slice(offset, end).toWellFormed(), nextOffset: end < text.length ? end : undefined }
}

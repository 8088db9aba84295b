import { z } from '@hono/zod-openapi'
import type { AppError } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { RequestContext } from '../endpoint.ts'
import { errorResponse } from '../errors.ts'
import { readJson } from '../read-body.ts'

/** Of those that the protocol leaves to servers. */
const refused = -32_000

const messageId = z
  .unknown()
  .describe('A string or an integer, as in the message; null if it could not be read.')
  .pipe(z.union([z.string(), z.int()]).nullable())

/** What refuses a request as a whole, in the form of JSON-RPC. */
export const protocolErrorBody = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: messageId,
    error: z.object({
      code: z.int(),
      message: z.string().describe('Human-readable error message.'),
    }),
  })
  .openapi('ProtocolError', {
    description: 'An error of an MCP server, in the form of JSON-RPC.',
  })

type MessageId = z.infer<typeof protocolErrorBody>['id']

/**
 * Answers a request whose errors have the status and headers that they have elsewhere, and a body of the protocol:
 * clients show its message, and no other.
 */
export async function inProtocol(
  context: RequestContext,
  publicUrl: string,
  answer: () => Promise<Response>,
): Promise<Response> {
  let id: MessageId = null
  context.set('writeError', (error) => writeError(error, id, challenge(context, publicUrl)))
  try {
    return await answer()
  } catch (thrown) {
    // Some clients only take an error for the message that it answers.
    id = await idOf(context)
    throw thrown
  }
}

/** Tells clients where to find out how people sign in to a server of the protocol (RFC 9728). */
function challenge({ req }: RequestContext, publicUrl: string): string {
  const token = req.header('authorization') === undefined ? '' : 'error="invalid_token", '
  return `Bearer ${token}resource_metadata="${publicUrl}/.well-known/oauth-protected-resource${encodeURI(req.path)}"`
}

function writeError(error: AppError, id: MessageId, authenticate: string): Response {
  const { status, headers } = errorResponse(error)
  if (headers.has('WWW-Authenticate')) headers.set('WWW-Authenticate', authenticate)
  const body: z.input<typeof protocolErrorBody> = {
    jsonrpc: '2.0',
    id,
    error: { code: refused, message: error.message },
  }
  const { 'content-length': _, ...kept } = Object.fromEntries(headers)
  return Response.json(body, { status, headers: kept })
}

/** Most of what is read of a message that is refused anyway, in bytes. */
const mostRead = 65_536

async function idOf(context: RequestContext): Promise<MessageId> {
  if (context.req.raw.bodyUsed) return null
  const body = await readJson(context, mostRead).catch(() => undefined)
  const id = isRecord(body) ? body['id'] : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

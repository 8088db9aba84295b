import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorResponse } from '../../api/errors.ts'
import { newId } from '../../lib/ids.ts'
import { AppError, type ErrorCode } from '../../lib/errors.ts'

interface Refusal {
  status: readonly [number, string]
  code: ErrorCode
  message: string
  allow?: string
}

const badRequest = [400, 'Bad Request'] as const

/**
 * Why a request cannot be given to the app, if it cannot. HTTP/1.0 has no `Host`, and plain checks of load balancers
 * speak it; two of them would let a proxy and this server read two addresses.
 */
export function hostProblem({ httpVersion, headersDistinct }: IncomingMessage): Refusal | undefined {
  const hosts = headersDistinct['host']?.length ?? 0
  if (hosts > 1)
    return { status: badRequest, code: 'invalid', message: 'The request has two Host headers. Send one' }
  if (hosts === 0 && httpVersion !== '1.0')
    return { status: badRequest, code: 'invalid', message: 'The request has no Host header. Send one' }
  return undefined
}

export const unknownExpectation: Refusal = {
  status: [417, 'Expectation Failed'],
  code: 'invalid',
  message: 'Only “Expect: 100-continue” is possible. Leave the header Expect out',
}

export const noTunnel: Refusal = {
  status: [405, 'Method Not Allowed'],
  code: 'method_not_allowed',
  message: 'This server is not a proxy. Send a request without CONNECT',
  allow: 'DELETE, GET, HEAD, OPTIONS, PATCH, POST',
}

const reasons: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'The request timed out. Try again',
  HPE_HEADER_OVERFLOW: 'The headers of the request are over 16 KiB. Send less',
}

/** Why Node could not read a request. */
export function unreadable({ code = '' }: NodeJS.ErrnoException): Refusal {
  const message = reasons[code] ?? 'Malformed HTTP request'
  return { status: badRequest, code: 'invalid', message }
}

/** Answers in place of the app, and closes the connection. */
export function refuse(refusal: Refusal, response: ServerResponse): void {
  const { headers, body } = answerTo(refusal)
  response.writeHead(refusal.status[0], refusal.status[1], headers)
  response.end(body)
}

/** Answers where Node has no response for it, and closes the connection. */
export function refuseOnSocket(refusal: Refusal, socket: Duplex): void {
  const { headers, body } = answerTo(refusal)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${refusal.status.join(' ')}`, ...lines, '', body].join('\r\n'))
}

function answerTo({ code, message, allow }: Refusal): { headers: Record<string, string>; body: string } {
  const { headers } = errorResponse(new AppError(code, message))
  const body = JSON.stringify({ error: message })
  headers.set('Connection', 'close')
  headers.set('Content-Type', 'application/json')
  headers.set('Content-Length', String(Buffer.byteLength(body)))
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('X-Request-Id', newId('req'))
  if (allow !== undefined) headers.set('Allow', allow)
  return { headers: Object.fromEntries(headers), body }
}

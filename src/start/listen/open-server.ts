import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { createAddressList } from '../../lib/address-list.ts'
import { AppError } from '../../lib/errors.ts'
import { peerOf } from '../../api/client-address.ts'
import { errorResponse } from '../../api/errors.ts'
import { createPool } from '../../api/pool.ts'
import { networkOf } from '../../lib/network-address.ts'
import type { Config } from '../../config.ts'

/** Milliseconds, except for the last one. */
export interface ConnectionLimits {
  /**
   * Until an idle connection is closed. Longer than load balancers keep connections, because they would reuse one
   * that has just been closed.
   */
  keepAlive: number
  /** Until the head of a request has arrived, from the connection on. Longer than `keepAlive`. */
  head: number
  /**
   * Until a whole request has arrived. Longer than the limit of `read-bytes.ts` for a body, whose error is clearer.
   */
  request: number
  /** Until a connection is closed whose reader takes nothing. */
  stalled: number
  /** Connections at the same time. */
  connections: number
}

const usual: ConnectionLimits = {
  keepAlive: 65_000,
  head: 70_000,
  request: 150_000,
  stalled: 60_000,
  connections: 8192,
}

/** Creates an HTTP server that limits what each client may hold of the shared connections. It does not listen yet. */
export function openServer(
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
  limits: Partial<ConnectionLimits>,
  answer: RequestListener,
): { server: Server; answers: ReadonlySet<ServerResponse> } {
  const { keepAlive, head, request, stalled, connections } = { ...usual, ...limits }
  const server = createServer(
    {
      keepAliveTimeout: keepAlive,
      headersTimeout: head,
      requestTimeout: request,
      connectionsCheckingInterval: Math.min(5000, head),
    },
    answer,
  )
  server.maxConnections = connections
  const answers = new Set<ServerResponse>()
  server.on('request', (_request, response: ServerResponse) => {
    answers.add(response)
    response.once('timeout', () => response.destroy())
    response.once('close', () => answers.delete(response))
  })
  endStalled(server, answers, stalled)
  shareConnections(server, trustedProxies, connections)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isAnswered = [...answers].some((response) => response.socket === socket && response.headersSent)
    if (error.code === 'ECONNRESET' || isAnswered || !socket.writable) socket.destroy()
    else refuse(error, socket)
  })
  return { server, answers }
}

// A stream that nobody reads would stay open for ever and keep its place in the share.
function endStalled(server: Server, answers: ReadonlySet<ServerResponse>, stalled: number): void {
  const watched = new WeakSet<ServerResponse>()
  const look = (): void => {
    for (const response of answers) {
      const waits = response.writableLength > 0
      if (waits === watched.has(response)) continue
      if (waits) watched.add(response)
      else watched.delete(response)
      // Any progress counts, however little the connection takes.
      response.setTimeout(waits ? stalled : 0)
    }
  }
  const timer = setInterval(look, Math.min(5000, stalled)).unref()
  server.once('close', () => clearInterval(timer))
}

function shareConnections(server: Server, trustedProxies: string[], total: number): void {
  const isProxy = createAddressList(trustedProxies)
  const connections = createPool({
    name: 'connections',
    total,
    unit: 'concurrent-requests',
    what: 'connections are open',
    advice: 'close some',
  })
  server.on('connection', (socket) => {
    const peer = peerOf(socket.remoteAddress)
    const place = connections.hold({ address: isProxy(peer) ? undefined : networkOf(peer) })
    try {
      place.take(1)
      socket.once('close', place.release)
    } catch {
      socket.destroy()
    }
  })
}

/** Answers a broken or late request, which never reaches the app. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  const reasons: Record<string, string> = {
    ERR_HTTP_REQUEST_TIMEOUT: 'The request came too slowly; send it again on a better line',
    HPE_HEADER_OVERFLOW: 'The headers of the request are over 16 KiB; send less',
  }
  const text = reasons[error.code ?? ''] ?? 'The request is not valid HTTP/1.1; mend the client'
  const { headers } = errorResponse(new AppError('invalid', text))
  const body = JSON.stringify({ error: text })
  headers.set('Connection', 'close')
  headers.set('Content-Type', 'application/json')
  headers.set('Content-Length', String(Buffer.byteLength(body)))
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
  socket.end(['HTTP/1.1 400 Bad Request', ...lines, '', body].join('\r\n'))
}

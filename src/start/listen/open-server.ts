import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createAddressList } from '../../lib/address-list.ts'
import { peerOf } from '../../api/client-address.ts'
import { createPool } from '../../api/pool.ts'
import { networkOf } from '../../lib/network-address.ts'
import type { Config } from '../../config.ts'
import {
  hostProblem,
  noTunnel,
  refuse,
  refuseOnSocket,
  unknownExpectation,
  unreadable,
} from './refuse-early.ts'

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
      // Said below, as every other error.
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      const problem = hostProblem(incoming)
      if (problem) refuse(problem, outgoing)
      else answer(incoming, outgoing)
    },
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
    else refuseOnSocket(unreadable(error), socket)
  })
  server.on('checkExpectation', (_request, response) => refuse(unknownExpectation, response))
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy())
    refuseOnSocket(noTunnel, socket)
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

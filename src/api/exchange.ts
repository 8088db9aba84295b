import { ServerResponse } from 'node:http'
import type { RequestContext } from './endpoint.ts'

/**
 * Aborts when the exchange is over: the client has left, or has its whole answer. So it always ends, and nothing that
 * listens to it outlives the request.
 *
 * Nothing else may listen to the signal of the request itself. That one ends only when a client leaves, and Node keeps
 * it, its listeners and all that these hold for as long as the request can be reached from them.
 */
export function exchangeSignal(context: RequestContext): AbortSignal {
  const known = context.get('exchange')
  if (known) return known
  const response = responseOf(context)
  // What did not come over a connection, as in tests, brings a signal of its own.
  if (!response) return context.req.raw.signal
  const over = new AbortController()
  const end = (): void => over.abort(new Error('The exchange is over'))
  if (response.closed) end()
  else response.once('close', end)
  context.set('exchange', over.signal)
  return over.signal
}

/** Whether the client has left before its answer was complete. */
export function isGone(context: RequestContext): boolean {
  return exchangeSignal(context).aborted
}

function responseOf({ env }: { env: unknown }): ServerResponse | undefined {
  const isConnected = typeof env === 'object' && env !== null && 'outgoing' in env
  return isConnected && env.outgoing instanceof ServerResponse ? env.outgoing : undefined
}

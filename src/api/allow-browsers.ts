import type { MiddlewareHandler } from 'hono'

interface Headers {
  /** What browsers may send. */
  taken: string
  /** What pages may read of an answer. */
  shown: string
}

/** What libraries in browsers add to any request: AI SDK its version, others the trace that it belongs to. */
const addedHeaders = 'user-agent, x-requested-with, traceparent, tracestate, baggage, sentry-trace'
const shownHeaders = 'Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, X-Error-Code'

export const discoveryHeaders: Headers = {
  taken: `authorization, content-type, x-stream-strict, x-thread-key, last-event-id, x-docwright-client, ${addedHeaders}`,
  shown: `X-Thread-Id, X-Thread-Key, ${shownHeaders}`,
}

export const mcpHeaders: Headers = {
  taken: `authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id, ${addedHeaders}`,
  shown: `WWW-Authenticate, ${shownHeaders}`,
}

/**
 * Browsers may call the assistant and the tools that read documentation from any page: the allowed origins belong to
 * the key and are checked with it, or by the endpoint where it needs no key. No cookies are involved, so `*` is safe.
 * It is sent with errors too, because a page could not read them otherwise.
 */
export function allowBrowsers({ taken, shown }: Headers): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context
    if (req.method === 'OPTIONS' && req.header('access-control-request-method') !== undefined) {
      return new Response(null, {
        status: 204,
        headers: {
          'Access-Control-Allow-Origin': '*',
          'Access-Control-Allow-Methods': 'GET, POST',
          'Access-Control-Allow-Headers': [
            taken,
            ...othersIn(taken, req.header('access-control-request-headers')),
          ].join(', '),
          'Access-Control-Max-Age': '86400',
          Vary: 'Access-Control-Request-Headers',
        },
      })
    }
    await next()
    context.res.headers.set('Access-Control-Allow-Origin', '*')
    context.res.headers.set('Access-Control-Expose-Headers', shown)
  }
}

/** The headers of tools that watch a page are many. Without cookies none of them can do harm. */
function othersIn(taken: string, asked = ''): string[] {
  const known = new Set(taken.split(', '))
  return asked
    .slice(0, 2000)
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => /^[\w-]{1,60}$/.test(name) && !known.has(name))
}

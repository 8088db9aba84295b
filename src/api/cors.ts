import type { MiddlewareHandler } from 'hono'

/**
 * Browsers may call the assistant from any page: which origins a key serves is the key's rule, checked with the key.
 * No credentials are ever involved, so `*` is right, on refusals too, which a page could not read otherwise.
 */
export const allowBrowsers: MiddlewareHandler = async (context, next) => {
  if (context.req.method === 'OPTIONS' && context.req.header('access-control-request-method') !== undefined) {
    return new Response(null, {
      status: 204,
      headers: {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Methods': 'POST',
        'Access-Control-Allow-Headers': 'authorization, content-type, x-stream-strict',
        'Access-Control-Max-Age': '86400',
      },
    })
  }
  await next()
  context.res.headers.set('Access-Control-Allow-Origin', '*')
  context.res.headers.set(
    'Access-Control-Expose-Headers',
    'X-Thread-Id, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, X-Error-Code',
  )
}

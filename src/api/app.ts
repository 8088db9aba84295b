import { OpenAPIHono } from '@hono/zod-openapi'
import { routePath } from 'hono/route'
import type { Logger } from 'pino'
import { allowBrowsers, discoveryHeaders, mcpHeaders } from './allow-browsers.ts'
import { withAct } from '../store/acts.ts'
import { AppError, messageOf } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { inSpan } from '../lib/trace.ts'
import { varied, wantsPage } from './accept.ts'
import { placeHeaders } from './base-path.ts'
import type { ClientAddress } from './client-address.ts'
import type { App, Endpoint, RequestContext } from './endpoint.ts'
import { errorResponse, toAppError } from './errors.ts'
import { isGone } from './exchange.ts'
import { describeApi } from './description/openapi.ts'
import { canonicalPath } from './request-path.ts'
import { networkOf } from '../lib/network-address.ts'

export interface AppOptions {
  log: Logger
  addressOf?: ClientAddress
  /** Where people reach this server; empty before it listens. */
  publicUrl?: () => string
  /** Writes into the audit log what a request did elsewhere, without a transaction here. */
  record?: () => Promise<void>
  /** What browsers get for an address that does not exist. */
  showError?: (context: RequestContext, error: AppError) => Promise<Response>
  /** True once the server begins to stop: new requests are then refused and may be sent again later. */
  isDraining(): boolean
}

/** Mounts the endpoints and adds what all requests share: request ids, error responses, 404 and 405. */
export function createApp(
  { log, addressOf, publicUrl, record, showError, isDraining }: AppOptions,
  endpoints: Endpoint[],
): App {
  const app: App = new OpenAPIHono({ getPath: canonicalPath })
  app.use(async (context, next) => {
    context.set('requestId', newId('req'))
    context.set('describe', () => readDescription())
    if (addressOf) context.set('sharer', { address: networkOf(addressOf(context)) })
    const own = publicUrl?.()
    if (own) context.set('ownOrigin', new URL(own).origin)
    const started = performance.now()
    const { method } = context.req
    await inSpan(
      'request',
      { 'http.request.method': method },
      async (span) => {
        await next()
        // The route's pattern: paths may name people's pages and jobs, and queries may hold tokens.
        span.set({ 'http.route': routePath(context, -1), 'http.response.status_code': context.res.status })
      },
      { parent: context.req.header('traceparent') },
    )
    context.res.headers.set('X-Request-Id', context.get('requestId'))
    // Whatever a text of a stranger looks like, it is what its type says.
    context.res.headers.set('X-Content-Type-Options', 'nosniff')
    placeHeaders(context.res.headers)
    // Logs the path without the query, which may hold a token.
    log.debug(
      {
        requestId: context.get('requestId'),
        method,
        path: context.req.path,
        status: context.res.status,
        ms: Math.round(performance.now() - started),
      },
      'request',
    )
  })
  app.use('/discovery/*', allowBrowsers(discoveryHeaders))
  app.use('/mcp/:domain/*', allowBrowsers(mcpHeaders))
  app.use('/.well-known/*', allowBrowsers(mcpHeaders))
  app.use('/register', allowBrowsers(mcpHeaders))
  app.use('/oauth/*', allowBrowsers(mcpHeaders))
  app.use(async (_, next) => {
    if (isDraining())
      return errorResponse(
        new AppError('unavailable', 'The server is shutting down. Try again in a few seconds'),
      )
    await next()
  })
  for (const { route, handle } of endpoints) {
    if (!route.hide) app.openAPIRegistry.registerPath(route)
    app.on(route.method.toUpperCase(), honoPath(route.path), (context) =>
      withAct(() => handle(context), {
        succeeded: ({ status }) => status < 400,
        rest: async () => record?.(),
      }),
    )
  }
  app.notFound(async (context) => {
    const methods = new Set(
      known.filter(({ pattern }) => pattern.test(context.req.path)).map(({ method }) => method),
    )
    if (methods.size === 0) {
      if (showError && wantsPage(context)) {
        const error = new AppError('not_found', `Page not found: ${context.req.path}`)
        return varied(await showError(context, error))
      }
      return varied(
        errorResponse(
          new AppError('not_found', `No route ${context.req.path}. See /openapi.json for all operations`),
        ),
      )
    }
    if (methods.has('GET')) methods.add('HEAD')
    const allowed = [...methods].sort().join(', ')
    const response = errorResponse(
      new AppError(
        'method_not_allowed',
        `Method ${context.req.method} isn’t allowed for this path. Use ${allowed}`,
      ),
    )
    response.headers.set('Allow', allowed)
    return response
  })
  app.onError((thrown, context) => {
    const error = toAppError(thrown)
    if (error.code === 'internal' || error.code === 'unavailable') {
      const err = error.code === 'internal' ? (error.cause ?? error) : error
      // An error after the client has closed the connection is not the server's fault.
      const level = isGone(context) ? 'debug' : 'error'
      log[level]({ requestId: context.get('requestId'), path: context.req.path, err }, messageOf(err))
    }
    const response = (context.get('writeError') ?? errorResponse)(error)
    if (response.status < 500) context.get('giveBack')?.()
    return response
  })
  const readDescription = describeApi(app, () => publicUrl?.() ?? '')
  const known = app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => ({ method, pattern: patternOf(path) }))
  return app
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

function patternOf(path: string): RegExp {
  const source = path
    .split('/')
    .map((segment) => (segment === '*' ? '.*' : segment.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')))
    .join('/')
  return new RegExp(`^${source}$`)
}

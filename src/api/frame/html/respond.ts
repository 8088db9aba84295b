import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { basePath } from '../../base-path.ts'
import type { RequestContext } from '../../endpoint.ts'
import type { Html } from './html.ts'
import { layout, type Page } from './layout.ts'
import { printHtml } from './print-html.ts'

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "font-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Sends a page with the headers that every page has. */
export async function respond(
  context: RequestContext,
  page: Html,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  securePage(context)
  // Pages hold tokens and secrets, which no cache may keep.
  context.header('Cache-Control', 'no-store')
  return context.html(`<!doctype html>\n${await printHtml(page)}`, status)
}

/** Sends a page in the common layout, with the notice of a form that was taken, or why one was refused. */
export async function show(
  context: RequestContext,
  page: Page,
  body: Html,
  status?: ContentfulStatusCode,
): Promise<Response> {
  const done = context.req.method === 'GET' ? context.req.query('done') : undefined
  const refused = context.get('refused')
  // Its address takes forms only, and cannot be fetched again.
  const live = refused ? undefined : page.live
  return respond(
    context,
    layout({ ...page, live, done, problem: page.saysRefusal ? undefined : refused?.message }, body),
    status,
  )
}

export function securePage(context: RequestContext): void {
  context.header('Content-Security-Policy', policy)
  context.header('X-Content-Type-Options', 'nosniff')
  // Addresses may hold a token. With `no-referrer` browsers would send the forms of these pages without their origin. Below
  // a path, the same origin has pages of others too, who get the origin alone.
  context.header('Referrer-Policy', basePath() === '' ? 'same-origin' : 'strict-origin')
  context.header('X-Frame-Options', 'DENY')
  context.header('Cross-Origin-Opener-Policy', 'same-origin')
}

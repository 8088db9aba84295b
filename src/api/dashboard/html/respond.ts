import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { RequestContext } from '../../endpoint.ts'
import type { Html } from './html.ts'

const policy = [
  "default-src 'none'",
  "style-src 'self'",
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
  // Pages hold tokens and secrets: nothing on the way may keep them.
  context.header('Cache-Control', 'no-store')
  return context.html(`<!doctype html>\n${(await page).toString()}`, status)
}

export function securePage(context: RequestContext): void {
  context.header('Content-Security-Policy', policy)
  context.header('X-Content-Type-Options', 'nosniff')
  // Addresses may hold a token.
  context.header('Referrer-Policy', 'no-referrer')
  context.header('X-Frame-Options', 'DENY')
  context.header('Cross-Origin-Opener-Policy', 'same-origin')
}

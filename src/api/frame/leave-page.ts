import { html } from 'hono/html'
import { AppError } from '../../lib/errors.ts'
import type { RequestContext } from '../endpoint.ts'
import { respond } from './html/respond.ts'

/**
 * Sends somebody to another server, or to a program on their machine. A redirect would count as a part of the form, which may only be sent here, so a
 * page does it.
 */
export async function leavePage(
  context: RequestContext,
  url: string,
  schemes = /^https?:$/,
): Promise<Response> {
  const { protocol, host } = URL.canParse(url) ? new URL(url) : { protocol: '', host: '' }
  if (!schemes.test(protocol)) throw new AppError('unavailable', 'The next step has no valid address')
  const page = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="color-scheme" content="light dark" />
      <meta http-equiv="refresh" content="0;url=${url}" />
      <title>One moment · Docwright</title>
    </head>
    <body>
      <main>
        <p><a href="${url}">Continue to ${host === '' ? protocol : host}</a></p>
      </main>
    </body>
  </html>`
  return respond(context, page)
}

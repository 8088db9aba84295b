import { html } from 'hono/html'
import { AppError } from '../../../lib/errors.ts'
import type { RequestContext } from '../../../api/endpoint.ts'
import { respond } from '../../../api/frame/html/respond.ts'

/**
 * Sends somebody to another server. A redirect would count as a part of the form, which may only be sent here, so a
 * page does it.
 */
export async function leavePage(context: RequestContext, url: string): Promise<Response> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new AppError('unavailable', 'The identity provider has no sign-in URL')
  const page = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="color-scheme" content="light dark" />
      <meta http-equiv="refresh" content="0;url=${url}" />
      <title>One moment · Docwright</title>
    </head>
    <body>
      <main>
        <p><a href="${url}">Go on to ${new URL(url).host}</a></p>
      </main>
    </body>
  </html>`
  return respond(context, page)
}

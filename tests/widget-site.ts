import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site of another origin that has the widget in its pages. */
export interface WidgetSite extends AsyncDisposable {
  url: string
  /** Attributes of the script, for the pages that are loaded from now on. */
  attributes: Record<string, string>
}

/** Nothing is allowed but the widget's script and its server. */
const strict = (server: string): string =>
  [
    "default-src 'none'",
    "script-src 'nonce-n0nce'",
    `connect-src ${new URL(server).origin}`,
    "style-src 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

const text = `<p id="intro">Keys are made on the page of a project. Revoke one when it leaks.</p>
  <pre><code id="code">docwright key create</code></pre>`

export async function serveWidgetSite(
  server: string,
  attributes: Record<string, string>,
): Promise<WidgetSite> {
  const pages: Record<string, string> = {
    '/': `<header>Site</header><main><h1 id="docwright">Guide</h1>${text}<p><a href="/other">Other page</a></p><input aria-label="Search"></main>`,
    '/other': '<main><h1>Other page</h1><p>Here is more.</p></main>',
    '/hostile': `<style>* { display: block !important; color: red !important; font-size: 40px !important; all: unset }
      docwright-assistant { display: none !important } button { visibility: hidden !important }</style><h1>Loud</h1>`,
  }
  const http = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site.test')
    const body = pages[pathname]
    const given = Object.entries(site.attributes).map(([name, value]) => ` data-${name}="${value}"`)
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
      ...(pathname !== '/hostile' && { 'content-security-policy': strict(server) }),
    })
    response.end(
      `<!doctype html><html lang="${searchParams.get('lang') ?? 'en'}"><meta charset="utf-8"><title>Site</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <body>${body ?? 'No page'}<script nonce="n0nce">var docwright = docwright || []; docwright.push(['on', 'opened', () => (document.title = 'opened')])</script>
      <script nonce="n0nce" src="${server}/widget.js"${given.join('')} defer></script></body></html>`,
    )
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const site: WidgetSite = {
    url: `http://localhost:${(http.address() as AddressInfo).port}`,
    attributes,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
  return site
}

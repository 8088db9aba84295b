import { html } from 'hono/html'
import type { Html } from './html.ts'

/** A link to an address that we did not make; only text unless it is http or https. */
export function externalLink(address: string, label: string): Html {
  const web = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
  return web ? html`<a href="${address}" rel="noreferrer noopener">${label}</a>` : html`${label}`
}

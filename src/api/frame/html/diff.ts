import { html } from 'hono/html'
import type { Html } from './html.ts'

/** How many lines were added and removed. */
export function counts(additions: number, deletions: number): Html {
  return html`<span class="counts"
    ><span class="plus">+${additions}</span> <span class="minus">−${deletions}</span></span
  >`
}

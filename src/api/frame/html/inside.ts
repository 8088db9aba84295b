import { html } from 'hono/html'
import type { Html } from './html.ts'

/** A page of a tab, in the navigation. */
export interface Entry {
  href: string
  title: string
  isCurrent: boolean
}

/** The pages of one tab, where the navigation at the side does not show them. */
export function partsNav(label: string, inside: readonly Entry[]): Html {
  return html`<nav class="filter parts" aria-label="${label}">
    ${inside.map(({ href, title, isCurrent }) => html`<a href="${href}" ${isCurrent ? html` aria-current="page"` : ''}>${title}</a>`)}
  </nav>`
}

import { html } from 'hono/html'
import type { Section } from '../../../site/pages/page.ts'
import type { Html } from '../../frame/html/html.ts'

/** Entries of an outline. */
const most = 60

/** The headings of a page, two levels deep; empty for a page with fewer than two. */
export function pageOutline(sections: readonly Section[]): Html {
  const headed = sections.filter(({ headings, anchor }) => headings.length > 0 && anchor !== undefined)
  const top = Math.min(...headed.map(({ headings }) => headings.length))
  const entries = headed.filter(({ headings }) => headings.length <= top + 1).slice(0, most)
  if (entries.length < 2) return html``
  return html`<nav class="outline" aria-label="On this page">
    <p>On this page</p>
    <ul>
      ${entries.map(
        ({ headings, anchor }) =>
          html`<li>
            <a href="#${anchor}" ${headings.length > top ? html` class="deeper"` : ''}>${headings.at(-1)}</a>
          </li>`,
      )}
    </ul>
  </nav>`
}

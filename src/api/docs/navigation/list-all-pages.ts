import { html } from 'hono/html'
import { ownCommand } from '../../../lib/own-command.ts'
import type { Html } from '../../frame/html/html.ts'
import { docsPath } from '../../render/docs-path.ts'
import type { PageEntry } from './navigation-groups.ts'

const atOnce = 500

/** @param start index of the first page to list */
export function listAllPages(domain: string, pages: PageEntry[], start: number): Html {
  if (pages.length === 0)
    return html`<h1>No pages yet</h1>
      <p class="empty">
        The repository is still being read, or it contains no page. Look again in a moment, or run
        <code>${ownCommand} project show</code>.
      </p>`
  const next = start + atOnce
  return html`<h1>All pages</h1>
    <ul class="plain">
      ${pages.slice(start, next).map(({ url, title, language, version }) => {
        const labels = [language, version].filter((label) => label !== undefined)
        return html`<li>
          <a href="${docsPath(domain, url)}">${title}</a>
          <small class="muted">${url}</small
          >${labels.map((label) => html` <span class="badge">${label}</span>`)}
        </li>`
      })}
    </ul>
    ${next < pages.length ? html`<p><a class="button" href="/docs/${domain}/?all=1&from=${next}">More pages</a></p>` : ''}`
}

import { html } from 'hono/html'
import type { Html } from '../dashboard/html/html.ts'
import { docsPath } from './docs-path.ts'
import { folderOf, type PageEntry } from './page-list.ts'

type CurrentPage = Pick<PageEntry, 'url' | 'language' | 'version'>

const maximumShown = 300

/** The pages beside this one, by their first folder; on a large site only those in the same folder. */
export function pageNavigation(domain: string, all: PageEntry[], current: CurrentPage | undefined): Html {
  const alike = all.filter(
    ({ language, version }) =>
      current === undefined || (language === current.language && version === current.version),
  )
  const shown =
    alike.length > maximumShown && current ? nearby(alike, current.url) : alike.slice(0, maximumShown)
  const groups = new Map<string, PageEntry[]>()
  for (const page of shown) {
    const folder = folderOf(page.url) ?? ''
    groups.set(folder, [...(groups.get(folder) ?? []), page])
  }
  return html`<nav class="pages" aria-label="Pages" id="pages">
    ${[...groups].map(
      ([folder, pages]) =>
        html`${folder === '' ? '' : html`<p class="folder">${folder}</p>`}
          <ul>
            ${pages.map((page) => link(domain, page, current))}
          </ul>`,
    )}
    ${shown.length < all.length ? html`<p><a href="/docs/${domain}/?all=1">All ${all.length.toLocaleString('en')} pages</a></p>` : ''}
  </nav>`
}

function link(domain: string, page: PageEntry, current: CurrentPage | undefined): Html {
  return html`<li>
    <a href="${docsPath(domain, page.url)}" ${page.url === current?.url ? html` aria-current="page"` : ''}
      >${page.title}</a
    >
  </li>`
}

function nearby(pages: PageEntry[], url: string): PageEntry[] {
  const folder = url.replace(/(?<![^/])[^/]*\/?$/, '')
  return pages.filter((page) => page.url.startsWith(folder)).slice(0, maximumShown)
}

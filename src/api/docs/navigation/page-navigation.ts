import { html } from 'hono/html'
import type { Html } from '../../frame/html/html.ts'
import { docsPath } from '../../render/docs-path.ts'
import type { NavigationGroup, PageEntry, SiteNavigation } from './navigation-groups.ts'
import type { PageList } from './page-list.ts'

type CurrentPage = Pick<PageEntry, 'path' | 'url' | 'language' | 'version'>

/** On a larger site, groups without the current page are only links to their first page. */
const mostOpen = 400
/** Pages of one group. */
const mostBeside = 200

/** The navigation of the site, opened at the current page. */
export function pageNavigation(domain: string, list: PageList, current: CurrentPage | undefined): Html {
  const navigation = list.navigationOf(current)
  const place = current && navigation.pages.find(({ path }) => path === current.path)
  const show: Shown = {
    domain,
    url: current?.url,
    names: place?.groups.slice(navigation.skipped) ?? [],
    isLarge: navigation.pages.length > mostOpen,
  }
  return html`<nav class="pages" aria-label="Pages" id="pages" popover>
    ${items(show, navigation.items, 0)}
    ${
      navigation.pages.length < list.pages.length || show.isLarge
        ? html`<p>
            <a href="/docs/${domain}/?all=1">All ${list.pages.length.toLocaleString('en')} pages</a>
          </p>`
        : ''
    }
  </nav>`
}

interface Shown {
  domain: string
  url: string | undefined
  /** The groups of the current page. */
  names: readonly string[]
  isLarge: boolean
}

function items(show: Shown, all: SiteNavigation['items'], depth: number): Html {
  const parts: Html[] = []
  let run: PageEntry[] = []
  const end = (): void => {
    if (run.length > 0) parts.push(pageLinks(show, run))
    run = []
  }
  for (const item of all) {
    if ('url' in item) run.push(item)
    else {
      end()
      parts.push(groupOf(show, item, depth))
    }
  }
  end()
  return html`${parts}`
}

function pageLink({ domain, url }: Shown, page: PageEntry): Html {
  return html`<a href="${docsPath(domain, page.url)}" ${page.url === url ? html` aria-current="page"` : ''}
    >${page.label}</a
  >`
}

function pageLinks(show: Shown, pages: readonly PageEntry[]): Html {
  const at = Math.max(0, pages.findIndex(({ url }) => url === show.url) - mostBeside / 2)
  return html`<ul>
    ${pages.slice(at, at + mostBeside).map((page) => html`<li>${pageLink(show, page)}</li>`)}
  </ul>`
}

function groupOf(
  show: Shown,
  { name, items: inside, own, first, count }: NavigationGroup,
  depth: number,
): Html {
  const isHere = show.names[depth] === name && (depth === 0 || show.names.length > depth)
  if (show.isLarge && !isHere)
    return html`<ul>
      <li>
        <a class="closed" href="${docsPath(show.domain, first.url)}"
          >${name} <span class="count">${count}</span></a
        >
      </li>
    </ul>`
  // The names of the groups around are only those of the current page within its own groups.
  const within = isHere ? show : { ...show, names: [] }
  if (depth === 0)
    return html`<p class="folder">${own === undefined ? name : pageLink(show, own)}</p>
      ${items(within, inside, 1)}`
  if (inside.length === 0 && own) return pageLinks(show, [own])
  // What opens a group cannot be a link as well.
  return html`<details class="group" data-key="group ${depth} ${name}" ${isHere ? html` open` : ''}>
    <summary>${name}</summary>
    ${items(within, own ? [own, ...inside] : inside, depth + 1)}
  </details>`
}

/** The groups that a page stands in. */
export function breadcrumbs(list: PageList, current: CurrentPage): Html {
  const { skipped, pages } = list.navigationOf(current)
  const groups = pages.find(({ path }) => path === current.path)?.groups.slice(skipped) ?? []
  return groups.length === 0 ? html`` : html`<p class="trail">${groups.join(' › ')}</p>`
}

/** Links to the pages before and after a page in the site's order. */
export function neighbours(domain: string, list: PageList, current: CurrentPage): Html {
  const { pages } = list.navigationOf(current)
  const at = pages.findIndex(({ path }) => path === current.path)
  const [before, after] = at === -1 ? [] : [pages[at - 1], pages[at + 1]]
  if (!before && !after) return html``
  const link = (page: PageEntry | undefined, rel: 'prev' | 'next'): Html =>
    page === undefined
      ? html`<span></span>`
      : html`<a rel="${rel}" href="${docsPath(domain, page.url)}"
          ><span class="muted">${rel === 'prev' ? 'Previous' : 'Next'}</span> ${page.label}</a
        >`
  return html`<nav class="neighbours" aria-label="Pages before and after">
    ${link(before, 'prev')} ${link(after, 'next')}
  </nav>`
}

import { html } from 'hono/html'
import type { Html } from '../../frame/html/html.ts'
import { docsPath } from '../../render/docs-path.ts'
import type { PageEntry } from './navigation-groups.ts'
import type { PageList } from './page-list.ts'

type Current = Pick<PageEntry, 'path' | 'url' | 'language' | 'version'>
type What = 'language' | 'version'

const mostChoices = 60

/** The languages and the versions of a site, where it has several, each a link to this page there or to where reading begins. */
export function switches(domain: string, list: PageList, current: Current): Html {
  return html`${switchOf('language', domain, list, current)}${switchOf('version', domain, list, current)}`
}

const names = { language: 'Language', version: 'Version' } as const

function switchOf(what: What, domain: string, { inOrder }: PageList, current: Current): Html {
  const other: What = what === 'language' ? 'version' : 'language'
  const all = Map.groupBy(
    inOrder.filter((page) => page[what] !== undefined),
    (page) => page[what] ?? '',
  )
  const present = current[what]
  if (present === undefined || all.size < 2) return present === undefined ? html`` : only(what, present)
  const key = keyOf(current)
  const choices = [...all].slice(0, mostChoices).map(([value, pages]) => {
    const near = pages.filter((page) => page[other] === current[other])
    const target = near.find((page) => keyOf(page) === key) ?? near[0] ?? pages[0]
    return { value, url: value === present || !target ? current.url : target.url }
  })
  return html`<details class="switch">
    <summary><span class="hidden">${names[what]}:</span> ${labelOf(what, present)}</summary>
    <ul>
      ${choices.map(({ value, url }) => html`<li><a href="${docsPath(domain, url)}" ${what === 'language' ? html` lang="${value}" hreflang="${value}"` : ''} ${value === present ? html` aria-current="true"` : ''}>${labelOf(what, value)}</a></li>`)}
    </ul>
  </details>`
}

/** A site of one language says nothing about it; a version is worth knowing. */
function only(what: What, value: string): Html {
  return what === 'language' ? html`` : html`<span class="badge">${value}</span>`
}

/** What two versions of a page, or two languages, have in common: the address without the parts that name those. */
function keyOf({ url, language, version }: Current): string {
  return url
    .split('/')
    .filter((part) => part !== '' && part !== language && part !== version && part !== `v${version ?? ''}`)
    .join('/')
}

/** A language is named in itself. */
function labelOf(what: What, value: string): string {
  if (what === 'version') return value
  try {
    const name = new Intl.DisplayNames([value], { type: 'language' }).of(value) ?? value
    const [first = ''] = name
    return `${first.toLocaleUpperCase(value)}${name.slice(first.length)}`
  } catch {
    return value
  }
}

import type { SiteView } from '../../../site/checks/site-view.ts'
import type { SitePage } from '../../../site/pages/page.ts'
import type { Site } from '../../../site/site.ts'
import { groupsOf, openNavigation } from '../../../site/frameworks/open-navigation.ts'
import { quote } from '../../../lib/text/quote.ts'

const maxCharacters = 6000
const maxShown = 120
/** Of more pages only those that are shown are read. */
const maxRead = 400
const maxTitle = 80

/** An outline of the site for somebody who has not seen it, of at most 6,000 characters. Names and titles are the repository's. */
export async function siteOverview(view: SiteView): Promise<string> {
  const site = await view.site()
  const pages = site.pages.flatMap((path) => {
    const page = site.pageFor(path)
    return page === undefined ? [] : [{ path, page }]
  })
  const [first] = pages
  const isMain = ({ page }: { page: SitePage }) =>
    page.language === first?.page.language && page.version === first?.page.version
  const main = pages.filter(isMain)
  const groups =
    main.length > maxRead
      ? new Map<string, string>()
      : groupsOf(await openNavigation(view).catch(() => undefined))
  const sections = new Map<string, string[]>()
  for (const { path } of main) {
    const label = groups.get(path)?.at(-1) ?? folderLabel(site, path)
    sections.set(label, [...(sections.get(label) ?? []), path])
  }
  const most = mostOfEach([...sections.values()].map((paths) => paths.length))
  const examples = [...sections.values()].flatMap((paths) => paths.slice(0, most))
  const titles = new Map<string, string>()
  for await (const { path, facts } of view.eachFacts(examples)) {
    if (facts.title !== undefined) titles.set(path, facts.title)
  }
  const lines = [summaryOf(site, pages, main.length)]
  for (const [label, paths] of sections) {
    lines.push(`${quote(label)}${paths.length > most ? ` (${paths.length} pages)` : ''}`)
    for (const path of paths.slice(0, most)) {
      const title = site.pageFor(path)?.navTitle ?? titles.get(path)
      lines.push(
        `  ${quotedWhenOdd(path)}${title === undefined ? '' : ` ${JSON.stringify(title.slice(0, maxTitle).toWellFormed())}`}`,
      )
    }
  }
  return cut(lines)
}

function summaryOf(site: Site, pages: readonly { path: string; page: SitePage }[], shown: number): string {
  const listed = (name: 'language' | 'version') => {
    const names = [...new Set(pages.flatMap(({ page }) => page[name] ?? []))]
    return names.length < 2 ? [] : [`${name}s: ${names.slice(0, 20).map(quote).join(', ')}`]
  }
  const outside = pages.filter(({ page }) => !page.inNavigation).length
  const parts = [
    `framework: ${site.framework}`,
    `pages in ${site.root === '' ? 'the whole repository' : quote(site.root)}: ${pages.length}`,
    ...(outside > 0 ? [`not in the navigation: ${outside}`] : []),
    ...listed('language'),
    ...listed('version'),
    ...(shown < pages.length ? [`below are the ${shown} of the first language and version`] : []),
  ]
  return parts.join('; ')
}

/** How many pages of each section are shown, so that they are not too many together. */
function mostOfEach(counts: readonly number[]): number {
  const shownWith = (most: number) => counts.reduce((sum, count) => sum + Math.min(count, most), 0)
  return [Infinity, 20, 10, 5, 2].find((most) => shownWith(most) <= maxShown) ?? 0
}

function folderLabel({ root }: Site, path: string): string {
  const inside = path.startsWith(root) ? path.slice(root.length) : path
  const slash = inside.lastIndexOf('/')
  return slash === -1 ? '/' : inside.slice(0, slash + 1)
}

function quotedWhenOdd(path: string): string {
  return /^[\w./@+-]{1,200}$/.test(path) ? path : quote(path)
}

function cut(lines: readonly string[]): string {
  let length = 0
  const kept = lines.filter((line) => (length += line.length + 1) <= maxCharacters)
  const left = lines.length - kept.length
  return [...kept, ...(left > 0 ? [`(${left} more lines: list_pages shows all pages)`] : [])].join('\n')
}

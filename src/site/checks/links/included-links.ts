import { type Link, actingLinks, extractLinks } from '../../markdown/extract-links.ts'
import { textOfPage } from '../../includes/read-whole-page.ts'
import type { Site } from '../../site.ts'
import type { SiteView } from '../site-view.ts'

/** A link in a text that a page includes, as it is in the page. */
export interface IncludedLink {
  link: Link
  /** Where it is written. */
  path: string
  line: number
  /** The line of the page in which the text is included. */
  at: number
}

/** The links of the texts that a page includes. */
export async function includedLinks(view: SiteView, path: string): Promise<IncludedLink[]> {
  const whole = await view.whole(path)
  if (whole === undefined) return []
  const { page } = whole
  const links: IncludedLink[] = []
  const dialect = (await view.site()).dialectOf(path)
  for (const link of actingLinks(extractLinks(textOfPage(page)), dialect)) {
    const origin = page.lines[link.line - 1]
    if (origin === undefined || origin.path === path) continue
    const before = page.lines.slice(0, link.line).findLast((line) => line.path === path)
    links.push({ link, path: origin.path, line: origin.line, at: before?.line ?? 1 })
  }
  return links
}

/** The pages that include one of these files. */
export async function pagesIncluding(view: SiteView, files: ReadonlySet<string>): Promise<string[]> {
  const { pages } = await view.site()
  const includers: string[] = []
  for await (const { path, facts } of view.eachFacts(pages)) {
    if (!facts.mayInclude) continue
    const whole = await view.whole(path)
    if (whole?.page.included.some((file) => files.has(file)) === true) includers.push(path)
  }
  return includers
}

/** Whether other pages can lead to a page: generators build none of the files that they know as parts of pages alone. */
export function isServed(site: Site, path: string): boolean {
  const from = site.pages.find((page) => page !== path) ?? path
  const target = site.resolveLink(from, site.linkTo(from, path, path.slice(path.lastIndexOf('/') + 1)))
  return target.kind === 'page' && target.path === path
}

/** Whether a file is only shown as a part of pages, so that its links count from those. */
export async function isOnlyPart(view: SiteView, path: string): Promise<boolean> {
  return !isServed(await view.site(), path) && (await pagesIncluding(view, new Set([path]))).length > 0
}

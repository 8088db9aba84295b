import { includedLinks, isServed } from './included-links.ts'
import type { SiteView } from '../site-view.ts'
import { countsFromFile } from '../../includes/read-whole-page.ts'
import type { Link } from '../../markdown/extract-links.ts'
import type { Site } from '../../site.ts'
import { markupOf } from '../../text/markup.ts'

/** A page that shows the text of a file, and so the links in it. */
export interface Showing {
  page: string
  /** The lines with links that it shows; undefined where that is not known by the line. */
  lines: ReadonlySet<number> | undefined
  /** Whether a link counts from the file that it is in, and not from the page. */
  isOwn: (link: Link) => boolean
}

/** The pages that show the links of included files. */
export async function showingPages(view: SiteView): Promise<ReadonlyMap<string, readonly Showing[]>> {
  const { pages } = await view.site()
  const showing = new Map<string, Showing[]>()
  for await (const { path: page, facts } of view.eachFacts(pages)) {
    const links = facts.mayInclude ? await includedLinks(view, page) : []
    const own = links.length === 0 ? undefined : (await view.whole(page))?.page.own
    // Lines of other markups are those of the blocks that links are in.
    const isExact = markupOf(page) === undefined
    for (const path of new Set(links.map((link) => link.path))) {
      const lines = new Set(links.flatMap((link) => (link.path === path ? [link.line] : [])))
      const one: Showing = {
        page,
        lines: isExact ? lines : undefined,
        isOwn: (link) => countsFromFile(link, own?.get(path)),
      }
      const others = showing.get(path)
      if (others === undefined) showing.set(path, [one])
      else others.push(one)
    }
  }
  return showing
}

/** The files from which a link of a file counts: the file, if it is a page or nothing shows it, and the pages that show it. */
export function placesOf(site: Site, path: string, showing: readonly Showing[], link: Link): string[] {
  const pages = showing.filter(({ lines }) => lines?.has(link.line) !== false)
  const [first] = pages
  if (first === undefined) return [path]
  const places = pages.map((one) => (one.isOwn(link) ? path : one.page))
  return [...new Set(isServed(site, path) ? [path, ...places] : places)]
}

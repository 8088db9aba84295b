import { folderOf } from '../text/paths.ts'
import type { Site } from '../frameworks/site.ts'
import type { Problem } from './problem.ts'
import type { SiteView } from './site-view.ts'
import type { TreeChange } from './tree-change.ts'

/** New pages that no reader finds, as the navigation does not name them. */
export async function checkNavigation({ base, head, files }: TreeChange): Promise<Problem[]> {
  const [before, site] = [await base.site(), await head.site()]
  const known = base.oids()
  const pages = new Set(site.pages)
  const problems: Problem[] = []
  for (const { path, from } of files) {
    if (known.has(path) || !pages.has(path)) continue
    const data = (await head.facts(path))?.frontMatter.data ?? {}
    if (data['hidden'] === true || data['draft'] === true || data['unlisted'] === true) continue
    if (isHome(site, path) || standsAlone(site.framework, data)) continue
    if (site.pageFor(path, data)?.inNavigation !== false) continue
    if (await isOutside(base, before, folderOf(path))) continue
    // A page that was moved or copied and could not be found before either is no worse off.
    const old = from === undefined ? undefined : ((await base.facts(from))?.frontMatter.data ?? {})
    if (from !== undefined && before.pageFor(from, old)?.inNavigation === false) continue
    problems.push({
      check: 'navigation',
      path,
      line: 1,
      message: 'The page is new and the navigation does not name it, so nobody finds it',
      hint: `Call add_to_navigation with its path${hiding[site.framework] ?? ''}`,
    })
  }
  return problems
}

/** The first page of a site or of one of its languages is opened by the site's name. */
function isHome({ root, pageFor }: Site, path: string): boolean {
  const page = pageFor(path)
  if (page === undefined || !path.startsWith(root)) return false
  const folder = folderOf(path.slice(root.length)).replace(/\/$/, '')
  return (
    page.url === '/' ||
    (/\/index\.[^/]+$/.test(path) && folder.toLowerCase() === page.language?.toLowerCase())
  )
}

/** Pages that show no navigation themselves are no part of it: a landing page, a page for what is not found. */
function standsAlone(framework: string, data: Readonly<Record<string, unknown>>): boolean {
  if (framework === 'vitepress') return (data['layout'] ?? 'doc') !== 'doc' || data['sidebar'] === false
  return framework === 'starlight' && data['template'] === 'splash'
}

/** Whether most pages of the folder are found by other ways than the navigation, as those of a blog are. */
async function isOutside(base: SiteView, site: Site, folder: string): Promise<boolean> {
  const beside = site.pages
    .filter((page) => folderOf(page) === folder && !isHome(site, page))
    .slice(0, maxBeside)
  let balance = 0
  for await (const { path, facts } of base.eachFacts(beside))
    balance += site.pageFor(path, facts.frontMatter.data)?.inNavigation === false ? 1 : -1
  return balance > 0
}

const maxBeside = 200

const hiding: Readonly<Record<string, string>> = {
  mintlify: ', or write `hidden: true` in its front matter if nobody is to find it',
  docusaurus: ', or write `unlisted: true` in its front matter if nobody is to find it',
}

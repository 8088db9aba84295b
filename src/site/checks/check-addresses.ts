import type { Site } from '../site.ts'
import { openNavigation } from '../frameworks/open-navigation.ts'
import { folderOf } from '../text/paths.ts'
import { isHome, namesAllPages, needsNavigation } from './learn-customs.ts'
import type { Problem } from './problem.ts'
import type { SiteView } from './site-view.ts'
import type { TreeChange } from './tree-change.ts'

/** New pages that readers cannot find, because the navigation does not name them. */
export async function checkNavigation(change: TreeChange): Promise<Problem[]> {
  const { base, head, files } = change
  const lost = await lostEntries(change)
  const isLost = new Set(lost.map(({ path }) => path))
  const [before, site] = [await base.site(), await head.site()]
  const { hiding } = site.customs
  const known = base.oids()
  const pages = new Set(site.pages)
  const problems: Problem[] = []
  for (const { path, from } of files) {
    if (known.has(path) || isLost.has(path) || !pages.has(path)) continue
    const data = (await head.facts(path))?.frontMatter.data ?? {}
    if (!needsNavigation(site, path, data)) continue
    if (site.pageFor(path, data)?.inNavigation !== false) continue
    if (await isOutside(base, before, folderOf(path))) continue
    // A page that was moved or copied may stay out of the navigation when it was not in it before.
    const old = from === undefined ? undefined : ((await base.facts(from))?.frontMatter.data ?? {})
    if (from !== undefined && before.pageFor(from, old)?.inNavigation === false) continue
    problems.push({
      check: 'navigation',
      ...((await namesAllPages(base)) ? {} : { severity: 'warning' as const }),
      path,
      line: 1,
      message: 'New page isn’t in the navigation',
      hint: `Add it to the navigation${hiding === undefined ? '' : `, or write ${hiding} in its front matter if no one is to find it`}`,
    })
  }
  return [...problems, ...lost]
}

const maxLost = 50

/** Pages that the navigation named before and does not name any more, though they are still there. */
async function lostEntries({ base, head, files, removed }: TreeChange): Promise<Problem[]> {
  const [before, site] = [await base.site(), await head.site()]
  const changed = new Set(files.map(({ path }) => path))
  const isTouched = [...site.configPaths, ...before.configPaths].some((path) => changed.has(path))
  if (!isTouched && removed.size === 0) return []
  const pages = new Set(site.pages)
  const problems: Problem[] = []
  for (const old of before.pages) {
    const path = removed.get(old) ?? old
    if (!pages.has(path) || before.pageFor(old)?.inNavigation !== true) continue
    const data = changed.has(path) ? (await head.facts(path))?.frontMatter.data : undefined
    const page = site.pageFor(path, data)
    if (page?.inNavigation !== false || !needsNavigation(site, path, data ?? {})) continue
    problems.push({
      check: 'navigation',
      path,
      line: 1,
      message: 'The page was in the navigation and no longer is, so no one finds it',
      hint: 'Add it again with add_to_navigation, or delete the page if it is to go',
    })
    if (problems.length >= maxLost) break
  }
  return problems
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

/**
 * Former addresses of pages that no longer work: an error where the site keeps up redirects from pages that moved.
 * @param unpublished pages that the base branch does not have, so that nobody has their addresses
 */
export async function checkRedirects(
  change: TreeChange,
  unpublished: ReadonlySet<string> = new Set(),
): Promise<Problem[]> {
  const { base, head, files, removed } = change
  const [before, after] = [await base.site(), await head.site()]
  const place =
    after.aliasField === undefined ? undefined : `\`${after.aliasField}\` of the page's front matter`
  const pages = new Set(before.pages)
  const lost: { path: string; url: string; to: string | undefined }[] = []
  const kept = files.flatMap(({ path, from }) => (from === path ? [[path, path] as const] : []))
  for (const [path, to] of [...removed, ...kept]) {
    if (!pages.has(path) || unpublished.has(path)) continue
    const data = (await base.facts(path))?.frontMatter.data ?? {}
    if (data['hidden'] === true || data['draft'] === true || data['unlisted'] === true) continue
    const url = before.pageFor(path, data)?.url
    const now = to === undefined ? undefined : await urlOf(head, after, to)
    if (url !== undefined && url !== now) lost.push({ path, url, to: now })
  }
  if (lost.length === 0) return []
  const taken = new Set<string>()
  for (const path of after.pages) {
    const url = after.pageFor(path)?.url
    if (url !== undefined) taken.add(url)
  }
  const open = lost.filter(({ url }) => !taken.has(url) && !isRedirected(after, url))
  if (open.length === 0) return []
  const editable = await keepsRedirects(head)
  const keepsUp = before.redirects.size >= fewRedirects
  const languages = new Map(open.map(({ path }) => [path, before.pageFor(path)?.language]))
  return open.flatMap(({ path, url, to }) => {
    const copies = before
      .copiesOf(path)
      .filter((one) => languages.has(one) && isTranslation(before, path, one))
    // What moves in every language is told once, of the page that the site begins with.
    if (copies.some((one) => before.pages.indexOf(one) < before.pages.indexOf(path))) return []
    const others = copies.flatMap((one) => languages.get(one) ?? []).sort()
    const also = others.length === 0 ? '' : `, and the same in ${others.join(', ')}`
    const from = `${url}${to === undefined ? '' : ` to ${to}`}`
    return [
      {
        check: 'redirect',
        // Deleted pages often have no successor.
        ...(editable && to !== undefined && keepsUp ? {} : { severity: 'warning' as const }),
        path,
        line: 1,
        message: `The old URL ${url} no longer works. Add a redirect`,
        hint: editable
          ? `Add a redirect from ${from === url ? `${url} to the page that takes its place` : from} in ${place ?? after.configPaths[0] ?? 'the configuration'}${also}`
          : `A person who keeps the site's redirects should add one from ${from}${also}`,
      },
    ]
  })
}

function isTranslation(site: Site, path: string, other: string): boolean {
  const [one, two] = [site.pageFor(path), site.pageFor(other)]
  return one?.language !== two?.language && one?.version === two?.version
}

/** From so many redirects on, leaving one out is most likely a mistake. */
const fewRedirects = 5

async function urlOf(view: SiteView, site: Site, path: string): Promise<string | undefined> {
  return site.pageFor(path, (await view.facts(path))?.frontMatter.data ?? {})?.url
}

/** Redirects may be written with or without a slash at their end, and with a pattern. */
function isRedirected({ redirects }: Site, url: string): boolean {
  const bare = trimmed(url)
  for (const from of redirects.keys()) {
    if (trimmed(from) === bare) return true
    const wild = from.search(/[:*]/)
    if (wild > 1 && url.startsWith(from.slice(0, wild))) return true
  }
  return false
}

function trimmed(url: string): string {
  return url.replace(/\.html$/, '').replace(/(?<!\/)\/+$/, '')
}

async function keepsRedirects(view: SiteView): Promise<boolean> {
  if ((await view.site()).aliasField !== undefined) return true
  try {
    return (await openNavigation(view))?.hasRedirects === true
  } catch {
    // Another check reports configuration that cannot be read.
    return false
  }
}

/** Pages with the same address as another page, when the change causes that. */
export async function checkRoutes({ base, head, files }: TreeChange): Promise<Problem[]> {
  const changed = new Set(files.map(({ path }) => path))
  const known = new Set((await base.site()).collisions.map(keyOf))
  return (await head.site()).collisions.flatMap((collision) => {
    if (known.has(keyOf(collision))) return []
    const path = collision.paths.findLast((one) => changed.has(one))
    const others = collision.paths.filter((one) => one !== path).slice(0, 3)
    if (path === undefined) return []
    return [
      {
        check: 'route',
        path,
        line: 1,
        message: `The page has the address ${collision.url}, which ${others.join(' and ')} has too`,
        hint: 'Choose another path, or another slug in its front matter',
      },
    ]
  })
}

function keyOf({ url, paths }: { url: string; paths: readonly string[] }): string {
  return `${url}\n${[...paths].sort().join('\n')}`
}

import { openNavigation } from '../navigation/open-navigation.ts'
import type { Site } from '../frameworks/site.ts'
import type { Problem } from './problem.ts'
import type { SiteView } from './site-view.ts'
import type { TreeChange } from './tree-change.ts'

/** Addresses that pages had and that lead nowhere now: an error where the site keeps redirects in files. */
export async function checkRedirects(change: TreeChange): Promise<Problem[]> {
  const { base, head, files, removed } = change
  const [before, after] = [await base.site(), await head.site()]
  const pages = new Set(before.pages)
  const lost: { path: string; url: string; to: string | undefined }[] = []
  const kept = files.flatMap(({ path, from }) => (from === path ? [[path, path] as const] : []))
  for (const [path, to] of [...removed, ...kept]) {
    if (!pages.has(path)) continue
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
  return open.map(({ path, url, to }) => {
    const from = `${url}${to === undefined ? '' : ` to ${to}`}`
    return {
      check: 'redirect',
      // What takes the place of a page that is gone is often nothing, unless the site says otherwise.
      ...(editable && (to !== undefined || before.redirects.size > 0)
        ? {}
        : { severity: 'warning' as const }),
      path,
      line: 1,
      message: `The address ${url}, which the page had, leads nowhere now`,
      hint: editable
        ? `Add a redirect from ${from === url ? `${url} to the page that takes its place` : from} in ${after.configPaths[0] ?? 'the configuration'}`
        : `A person who keeps the site's redirects should add one from ${from}`,
    }
  })
}

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
  try {
    return (await openNavigation(view))?.hasRedirects === true
  } catch {
    // Configuration that cannot be read is another check's matter.
    return false
  }
}

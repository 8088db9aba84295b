import type { Site } from '../../src/site/site.ts'
import { isHome } from '../../src/site/checks/learn-customs.ts'
import type { Recording } from './compare-site.ts'

/**
 * Where the order of our navigation is not that of the built sidebars, in words.
 * @param keyOf makes all ways to write one address the same
 */
export function navigationDifferences(
  { sidebars, pages }: Pick<Recording, 'sidebars' | 'pages'>,
  site: Site,
  keyOf: (url: string) => string,
): string[] {
  const built = new Set(pages.map(({ address }) => keyOf(address)))
  const known = new Set(site.pages.map((path) => keyOf(site.pageFor(path)?.url ?? '')))
  const own = new Map<string, string>()
  for (const path of site.pages) {
    const page = site.pageFor(path)
    if (page?.inNavigation === true && !page.hidden && built.has(keyOf(page.url)))
      own.set(keyOf(page.url), path)
  }
  const differences = new Set<string>()
  const named = new Set<string>()
  const elsewhere = new Set<string>()
  // A page of several sidebars has one place here.
  const inPlace = new Set<string>()
  for (const sidebar of sidebars) {
    const theirs = sidebar.map(keyOf).filter((url) => known.has(url))
    for (const url of theirs) named.add(url)
    const inBoth = theirs.filter((url) => own.has(url))
    const kept = new Set(
      longestCommon(
        inBoth,
        [...own.keys()].filter((url) => inBoth.includes(url)),
      ),
    )
    for (const url of theirs) {
      if (!own.has(url)) differences.add(`${url} is in the navigation`)
      else (kept.has(url) ? inPlace : elsewhere).add(url)
    }
  }
  for (const url of elsewhere)
    if (!inPlace.has(url)) differences.add(`${url} stands elsewhere in the navigation`)
  if (sidebars.length > 0)
    // The home page heads our navigation, whether the site lists it or not.
    for (const [url, path] of own)
      if (!named.has(url) && !isHome(site, path) && url !== `/${site.pageFor(path)?.language}`)
        differences.add(`${url} is not in the navigation`)
  return [...differences]
}

/** The longest list that is in both in this order. */
function longestCommon(left: readonly string[], right: readonly string[]): string[] {
  let rows: string[][] = right.map(() => [])
  for (const one of left) {
    const next: string[][] = []
    for (const [at, other] of right.entries()) {
      const [above, beside] = [rows[at] ?? [], next[at - 1] ?? []]
      next.push(
        one === other ? [...(rows[at - 1] ?? []), one] : above.length >= beside.length ? above : beside,
      )
    }
    rows = next
  }
  return rows.at(-1) ?? []
}

import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { decoded } from '../../lib/text/decoded.ts'
import { outerSlashes } from '../text/paths.ts'

/** What a page may be known by: its path on the site, or its file. */
export type PageName = { url: string } | { path: string }

/** How the home page is called where its address alone would be no name. */
export const homeSlug = 'index'

/**
 * The slug of a page: what follows the site's address and a slash, without a slash at its end. Escaped only as far as
 * an address needs it, so that other scripts stay readable.
 * @param url the page's path on the site, as it is spelled there
 * @param home the home page's: `index` where the site opens that too, else nothing
 */
export function slugOf(url: string, home: string): string {
  const bare = url.replace(outerSlashes, '')
  return bare === '' ? home : bare.replaceAll(/[\s#?%\\\p{Cc}]/gu, encodeURIComponent)
}

/**
 * The pages that a name may mean, the likeliest first: a slug, the path of a file, or an address as a whole or from its
 * path on; with a fragment, slashes, an extension or escapes. Empty for what lies elsewhere.
 * @param sites addresses below which the pages are; a path may begin with the path of one
 */
export function readPageName(name: string, sites: readonly string[]): PageName[] {
  const spelled = pathsOnSite(name, sites).flatMap((path) => [path, decoded(path)])
  const names = new Map<string, PageName>()
  for (const path of new Set(spelled))
    // Pages are rows, not files, so that steps upwards lead nowhere. They are no names either.
    if (!hasUnstorable(path) && !path.split(/[/\\]/).some((step) => step === '.' || step === '..'))
      for (const one of namesIn(path)) names.set('url' in one ? `url ${one.url}` : `path ${one.path}`, one)
  return [...names.values()]
}

/** What a name says of a page's path on the site, as it is and below the path of a site. */
export function pathsOnSite(name: string, sites: readonly string[]): string[] {
  const [, host, rest = ''] = /^(?:https?:)?\/\/([^/?#\\]*)(.*)$/is.exec(name) ?? []
  if (host === undefined && /^[a-z][a-z0-9+.-]*:\/\//i.test(name)) return []
  // A fragment or a query alone is a place on another page.
  if (host === undefined && /^(?:[?#]|$)/.test(name)) return []
  // A process that does not know its own address has only the path of one.
  const places = sites.map((site) => new URL(site, 'http://unknown.invalid'))
  if (host !== undefined)
    return places
      .filter((site) => site.host === host.toLowerCase())
      .flatMap((site) => below(site.pathname, rest) ?? [])
  const path = name.startsWith('/') ? name : `/${name}`
  const inside = places.flatMap(({ pathname }) => (pathname === '/' ? [] : (below(pathname, path) ?? [])))
  return [name, ...inside]
}

/** The part of a path behind a folder: `/` for the folder itself. */
function below(folder: string, path: string): string | undefined {
  const base = folder.replace(/(?<!\/)\/+$/, '')
  const rest = path.slice(base.length)
  if (!path.startsWith(base) || !/^(?:[/?#]|$)/.test(rest)) return undefined
  return rest.startsWith('/') ? rest : `/${rest}`
}

function namesIn(path: string): PageName[] {
  // A file's own name may hold `#` or `?`.
  const whole = trimmed(path)
  const bare = trimmed(path.replace(/[#?].*$/s, ''))
  const stem = bare.replace(/\.(?:mdx?|markdown|html?)$/i, '')
  const folder = stem.replace(/(?:^|\/)(?:index|readme)$/i, '')
  const urlsOf = (one: string): PageName[] => [{ url: `/${one}` }, { url: `/${one}/` }]
  return [
    ...urlsOf(whole),
    ...urlsOf(bare),
    ...[...new Set([path, whole, bare])].map((file) => ({ path: file })),
    ...[stem, folder].flatMap((one) => [...urlsOf(one), { url: `/${one}.html` }]),
    { url: folder === '' ? '/index.html' : `/${folder}/index.html` },
    { path: `${bare}.md` },
    { path: `${bare}.mdx` },
  ]
}

function trimmed(path: string): string {
  return path.replace(outerSlashes, '')
}

import { decoded } from '../../lib/text/decoded.ts'

/** Resolves a link of a page to a path on the site, with its fragment; undefined when it leads to no stored page. */
export type Links = (from: { path: string; url: string }, href: string) => string | undefined

const mostAbove = 10
const fileEndings = ['', '.md', '.mdx', '/index.md', '/index.mdx', '/README.md', '/README.mdx']

/**
 * Resolves links in the styles of all frameworks: relative to the page's file or to its address. Files are tried
 * first, because `../install.md` can only be a file.
 */
export function createLinks(pages: { path: string; url: string }[], site: string | undefined): Links {
  const byPath = new Map(pages.map(({ path, url }) => [path, url]))
  const byUrl = new Map(pages.map(({ url }) => [keyOf(url), url]))
  const prefix = site === undefined ? '' : new URL(site).pathname.replace(/\/$/, '')
  const byAddress = (pathname: string): string | undefined =>
    byUrl.get(keyOf(pathname)) ??
    (prefix !== '' && pathname.startsWith(`${prefix}/`)
      ? byUrl.get(keyOf(pathname.slice(prefix.length)))
      : undefined)

  /** The page of a file that is named from a folder above the page: `api/store.md`, `/guides/start.md`. */
  const fileAbove = (from: string, href: string): string | undefined => {
    const name = decoded(href.replace(/[?#].*$/s, ''))
    if (own(href) || name.startsWith('.') || !/\.mdx?$/i.test(name)) return undefined
    const folders = from.split('/').slice(0, -1)
    for (let depth = Math.min(folders.length, mostAbove); depth >= 0; depth--) {
      const url = byPath.get([...folders.slice(0, depth), name.replace(/^\/+/, '')].join('/'))
      if (url !== undefined) return url
    }
    return undefined
  }
  // A site may repeat the path that it is served below, which only its configuration names.
  const firsts = new Set(pages.map(({ url }) => url.split('/', 2)[1] ?? ''))
  const belowBase = (pathname: string): string | undefined => {
    const [, first = '', ...rest] = pathname.split('/')
    return rest.length === 0 || rest.join('') === '' || firsts.has(first)
      ? undefined
      : byAddress(`/${rest.join('/')}`)
  }
  const own = (href: string): boolean => site !== undefined && (href === site || href.startsWith(`${site}/`))

  return (from, href) => {
    if (href.length > 2000) return undefined
    const isOwn = own(href)
    if (!isOwn && /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(href)) return undefined
    const base = `http://own.invalid${encodeURI(from.url)}`
    if (!URL.canParse(href, base)) return undefined
    const { pathname, hash } = new URL(href, base)
    const file = isOwn || href.startsWith('/') ? undefined : besideFile(from.path, href)
    const url =
      (file === undefined ? undefined : fileEndings.map((end) => byPath.get(file + end)).find(Boolean)) ??
      byAddress(pathname) ??
      fileAbove(from.path, href) ??
      belowBase(pathname)
    return url === undefined ? undefined : `${url}${hash}`
  }
}

function besideFile(path: string, href: string): string | undefined {
  const parts = path.split('/').slice(0, -1)
  for (const part of decoded(href.replace(/[?#].*$/s, '')).split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** Sites, and links within one site, differ in extensions and in the slash at the end. */
function keyOf(url: string): string {
  const path = decoded(url)
    .replace(/\.(?:html?|mdx?)$/i, '')
    .replace(/\/(?:index|readme)$/i, '/')
    .replace(/(?<!\/)\/+$/, '')
  return path === '' ? '/' : path
}

import { decodeHref } from '../../site/links/link-resolver.ts'

/** Resolves a link of a page to a path on the site, with its fragment; undefined when it leads to no stored page. */
export type Links = (from: { path: string; url: string }, href: string) => string | undefined

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

  return (from, href) => {
    if (href.length > 2000) return undefined
    const own = site !== undefined && (href === site || href.startsWith(`${site}/`))
    if (!own && /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(href)) return undefined
    const base = `http://own.invalid${encodeURI(from.url)}`
    if (!URL.canParse(href, base)) return undefined
    const { pathname, hash } = new URL(href, base)
    const file = own || href.startsWith('/') ? undefined : besideFile(from.path, href)
    const found =
      (file === undefined ? undefined : fileEndings.map((end) => byPath.get(file + end)).find(Boolean)) ??
      byAddress(pathname)
    return found === undefined ? undefined : `${found}${hash}`
  }
}

function besideFile(path: string, href: string): string | undefined {
  const parts = path.split('/').slice(0, -1)
  for (const part of decodeHref(href.replace(/[?#].*$/s, '')).split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** Sites, and links within one site, differ in extensions and in the slash at the end. */
function keyOf(url: string): string {
  const path = decodeHref(url)
    .replace(/\.(?:html?|mdx?)$/i, '')
    .replace(/\/(?:index|readme)$/i, '/')
    .replace(/(?<!\/)\/+$/, '')
  return path === '' ? '/' : path
}

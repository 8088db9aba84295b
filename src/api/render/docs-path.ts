import { decoded } from '../../lib/text/decoded.ts'

/**
 * The address at which this server shows a page of the site.
 * @param url path on the site, with its fragment if it has one
 */
export function docsPath(domain: string, url: string): string {
  const at = url.indexOf('#')
  const path = at === -1 ? url : url.slice(0, at)
  const fragment = at === -1 ? '' : `#${encoded(url.slice(at + 1))}`
  return `/docs/${domain}${path.startsWith('/') ? '' : '/'}${withoutSteps(encoded(path))}${fragment}`
}

/** The address of a page's Markdown on this server. */
export function markdownPath(domain: string, url: string): string {
  return `${docsPath(domain, url.endsWith('/') ? `${url}index` : url)}.md`
}

/** The path on the site that a request asks for. */
export function sitePath(domain: string, requestPath: string): string {
  const path = requestPath.slice(`/docs/${domain}`.length)
  return path === ''
    ? '/'
    : path
        .split('/')
        .map((segment) => decoded(segment).toWellFormed())
        .join('/')
}

function encoded(path: string): string {
  return encodeURI(readable(path)).replaceAll(/[?#]/g, (character) => (character === '?' ? '%3F' : '%23'))
}

/** Browsers would go up a folder, however the dots of a name are written. */
function withoutSteps(path: string): string {
  return path.replaceAll(/(?<![^/])(?:\.|%2e){1,2}(?![^/])/gi, (dots) =>
    dots.replaceAll('%', '%25').replaceAll('.', '%252e'),
  )
}

function readable(path: string): string {
  try {
    return decodeURI(path).toWellFormed()
  } catch {
    return path.toWellFormed()
  }
}

/** Where an image of the repository is, by the id of its content. No page has such an address. */
export function imagePath(domain: string, oid: string): string {
  return `/docs/${domain}/-/images/${oid}`
}

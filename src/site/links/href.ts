/** An address without what differs between ways to write the same one. */
export function keyOf(url: string): string {
  const key = url
    .replace(/\.html?$/, '')
    .replace(/\/index$/, '/')
    .replace(/(?<!\/)\/+$/, '')
  return key === '' ? '/' : key
}

export function splitHref(href: string): { path: string; hash: string | undefined; suffix: string } {
  const at = href.search(/[?#]/)
  const path = at === -1 ? href : href.slice(0, at)
  const suffix = at === -1 ? '' : href.slice(at)
  const hash = suffix.indexOf('#')
  return { path, hash: hash === -1 ? undefined : suffix.slice(hash + 1), suffix }
}

export function decodeHref(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Only what would end or change a link; other letters stay as people write them. */
export function encodeHref(path: string): string {
  return path.replace(/[\s()<>"?#%]/g, (character) =>
    encodeURIComponent(character).replace(/[()]/g, (bracket) => `%${bracket.charCodeAt(0).toString(16)}`),
  )
}

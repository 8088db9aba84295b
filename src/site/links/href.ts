export function splitHref(href: string): { path: string; hash: string | undefined; suffix: string } {
  // The `#` of an entity such as `&#45;` starts no fragment.
  const at = href.search(/\?|(?<!&)#/)
  const path = at === -1 ? href : href.slice(0, at)
  const suffix = at === -1 ? '' : href.slice(at)
  const hash = suffix.indexOf('#')
  return { path, hash: hash === -1 ? undefined : suffix.slice(hash + 1), suffix }
}

/**
 * Encodes the characters that would end or change a link, in the form of another link: with the characters that it
 * escapes by a backslash, and with plain spaces where it has some, as between angle brackets.
 */
export function encodeHref(path: string, like: string): string {
  const escaped = new Set([...like.matchAll(/\\([!-\-:-@[-`{-~])/g)].map(([, character]) => character))
  const plain = /\s/.test(like) ? /[<>"?#%]/ : /[\s()<>"?#%]/
  const encoded = (character: string): string => {
    if (escaped.has(character)) return `\\${character}`
    if (character === '&' && like.includes('&amp;')) return '&amp;'
    if (!plain.test(character)) return character
    const code = encodeURIComponent(character)
    return code === character ? `%${character.charCodeAt(0).toString(16)}` : code
  }
  return Array.from(path, encoded).join('')
}

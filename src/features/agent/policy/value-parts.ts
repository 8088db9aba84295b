import type { ActivePart } from './active-part.ts'
import { firstLine, squeezed } from './active-part.ts'
import { activeScheme, hostsOfSet, isPlainPicture } from './address.ts'
import { linkParts } from './link-parts.ts'
import { readTags } from './read-tags.ts'
import { styleHosts } from './style-hosts.ts'
import { fetched, imagePart, tagParts } from './tag-parts.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

const styled = /(?:url|image|image-set|src|cross-fade)\s*\(|\\[0-9a-f]/i

/**
 * What a text of data or code becomes when it is put into a page: an address, a style, HTML or Markdown, whichever is the
 * worst. Its escapes have been read before. `names` are those of the fields around it, the nearest first.
 */
export function valueParts(text: string, at: number, names: readonly string[]): Part[] {
  const parts: Part[] = []
  const scheme = activeScheme(text)
  if (scheme !== undefined && !isPlainPicture(text)) {
    const what = `an address of the scheme ${scheme}:`
    parts.push({ key: `address ${squeezed(text)}`, what, search: firstLine(text), at })
  }
  const hosts = styled.test(text) ? styleHosts(text) : []
  if (names.some((name) => fetched.test(name))) hosts.push(...hostsOfSet(text))
  parts.push(...[...new Set(hosts)].map((host) => imagePart(host, at)))
  if (text.includes('<')) {
    const tags = readTags(text, { braces: false }) ?? []
    for (const part of tagParts(text, tags, { mdx: false, vue: false })) parts.push(part)
  }
  if (/\]\s*[(:[]|<[a-z]+:|!\[|\\[a-z]+\s*\{/i.test(text))
    for (const part of linkParts(text)) parts.push(part)
  return parts.map((part) => ({ ...part, at }))
}

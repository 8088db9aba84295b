import { contentHash } from '../../../site/text/content-hash.ts'
import type { ActivePart } from './active-part.ts'
import { squeezed } from './active-part.ts'
import { activeScheme, hostsOf, isPlainPicture } from './address.ts'
import { styleHosts } from './style-hosts.ts'
import { imagePart } from './tag-parts.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

const mostLinks = 20_000
const definition =
  /^(?:[ \t>]|[-*+] |\d{1,9}[.)] )*\[((?:\\[^]|[^\]\\]){1,1000})\]:[ \t]*(?:\n[ \t>]*)?<?([^\s<>]{1,20000})/gm
const autolink = /<([a-z][a-z0-9+.-]{1,30}:[^<>\n]{1,20000})>/gi

/** Images of other hosts and addresses that run, in Markdown's own forms. */
export function linkParts(text: string): Part[] {
  if (hasMore(text, '](', mostLinks) || hasMore(text, '\n[', mostLinks)) {
    const key = `links ${contentHash(Buffer.from(text))}`
    return [{ key, what: 'more links than can be judged', search: '', at: 0 }]
  }
  const parts: Part[] = []
  const judge = (address: string, at: number, isImage: boolean): void => {
    const plain = address.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    const scheme = activeScheme(plain)
    if (scheme !== undefined && !isPlainPicture(plain) && !(isImage && /^data:image\//i.test(plain))) {
      const what = `an address of the scheme ${scheme}:`
      parts.push({ key: `address ${squeezed(plain)}`, what, search: address.slice(0, 200), at })
    }
    if (isImage) for (const host of [address, plain].flatMap(hostsOf)) parts.push(imagePart(host, at))
  }
  const { targets, imageLabels } = inlineTargets(text)
  for (const { address, at, isImage } of targets) judge(address, at, isImage)
  for (const match of text.matchAll(definition)) {
    const [, label = '', address = ''] = match
    judge(address, match.index + match[0].length - address.length, imageLabels.has(labelOf(label)))
  }
  for (const match of text.matchAll(autolink)) judge(match[1] ?? '', match.index + 1, false)
  // Docsify puts what such a link leads to into the page.
  for (const match of text.matchAll(/\]\(\s{0,100}<?([^\s<>)]{1,4000})>?\s{1,100}["']:include\b/g))
    judge(match[1] ?? '', match.index, true)
  // As formulas name them.
  for (const match of text.matchAll(/\\(href|url|includegraphics)\s{0,20}\{([^{}\n]{1,2000})\}/g))
    judge(match[2] ?? '', match.index, match[1] === 'includegraphics')
  for (const match of text.matchAll(/\\(?:style|htmlStyle)\s{0,20}\{([^{}\n]{1,2000})\}/g))
    parts.push(...styleHosts(match[1] ?? '').map((host) => imagePart(host, match.index)))
  return parts
}

/** Where the links of a text lead to, as written and without the backslashes of Markdown. */
export function linkAddresses(text: string): string[] {
  if (hasMore(text, '](', mostLinks) || hasMore(text, '\n[', mostLinks)) return []
  const addresses = [
    ...inlineTargets(text).targets.map(({ address }) => address),
    ...[...text.matchAll(definition)].map((match) => match[2] ?? ''),
    ...[...text.matchAll(autolink)].map((match) => match[1] ?? ''),
  ]
  return addresses.flatMap((address) => [address, address.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')])
}

/** The destinations of inline links and images. What cannot be told to be a link counts as an image. */
function inlineTargets(text: string): {
  targets: { address: string; at: number; isImage: boolean }[]
  imageLabels: ReadonlySet<string>
} {
  const targets: { address: string; at: number; isImage: boolean }[] = []
  const imageLabels = new Set<string>()
  let openers: { at: number; isImage: boolean }[] = []
  let tagAt = -1
  let imageAt = -1
  for (const match of text.matchAll(/\\[^]|\n[ \t>]*\n|[[\]<]/g)) {
    const at = match.index
    if (match[0].startsWith('\n')) {
      openers = []
      imageAt = -1
    } else if (match[0] === '<') tagAt = at
    else if (match[0] === '[') {
      const isImage = text[at - 1] === '!'
      if (isImage) imageAt = at
      openers.push({ at, isImage })
    } else if (match[0] === ']') {
      const opener = openers.pop()
      // A tag's value may hold brackets that only look like some.
      const isSure = opener !== undefined && (tagAt < opener.at || imageAt === -1)
      const isImage = isSure ? opener.isImage : imageAt !== -1
      if (text[at + 1] === '(') {
        const target = targetAt(text, at + 1)
        if (target !== undefined) targets.push({ ...target, isImage })
      } else if (isImage) {
        const reference = /^\[((?:\\[^]|[^\]\\]){1,1000})\]/.exec(text.slice(at + 1, at + 1010))?.[1]
        imageLabels.add(labelOf(reference ?? text.slice((opener?.at ?? at - 1000) + 1, at).slice(-1000)))
      }
    }
  }
  return { targets, imageLabels }
}

function targetAt(text: string, open: number): { address: string; at: number } | undefined {
  const [whole, angled, plain] =
    /^\(\s{0,2000}(?:<([^<>\n]{0,4000})>?|([^\s<>)]{0,4000}))/.exec(text.slice(open, open + 6100)) ?? []
  const address = angled ?? plain
  if (whole === undefined || address === undefined || address === '') return undefined
  return { address, at: open + whole.lastIndexOf(address) }
}

function hasMore(text: string, sign: string, most: number): boolean {
  let found = 0
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1))
    if (++found > most) return true
  return false
}

function labelOf(text: string): string {
  return squeezed(text).toLowerCase()
}

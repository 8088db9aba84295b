import type { ActivePart } from './active-part.ts'
import { firstLine, shown, squeezed } from './active-part.ts'
import { hostsOf } from './address.ts'
import { decodeEntities } from './decode-entities.ts'
import { directivePart } from './directives.ts'
import { linkParts } from './link-parts.ts'
import { readTags } from './read-tags.ts'
import { imagePart, tagParts } from './tag-parts.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

const maxBlock = 5000

/** reStructuredText: its directives, and addresses that run. HTML in it is text. */
export function restructuredParts(text: string): Part[] {
  const parts = [...runningAddresses(text), ...linkParts(text).filter(({ key }) => key.startsWith('image '))]
  // In lists, fields and tables as well; what is white to it is not only blanks.
  for (const match of text.matchAll(
    /(?<=^|[\s|])\.\.[ \t\f\v]{1,20}(?:\|[^|\n]{1,200}\|[ \t]{1,20})?([A-Za-z][\w:+.-]{0,60}?) ?::([^\n]*)$/gm,
  )) {
    const [whole, name = '', argument = ''] = match
    const start = match.index + whole.length
    const column = match.index - text.lastIndexOf('\n', match.index - 1) - 1
    const rest = text.slice(start, start + maxBlock)
    const end = rest.search(new RegExp(`\\n(?![ \\t]*\\n|[ \\t]{${Math.min(column, 500) + 1},}\\S|$)`))
    const content = argument + (end === -1 ? rest : rest.slice(0, end))
    parts.push(...directivePart(name, content.trim(), match.index))
    // An address may go over lines.
    const address = content.split(/\n[ \t]*(?:\n|:)/, 1)[0]?.replaceAll(/\s/g, '') ?? ''
    if (/^(?:image|figure)$/.test(name))
      parts.push(...hostsOf(address).map((host) => imagePart(host, match.index)))
  }
  return parts
}

/** AsciiDoc: what passes through as HTML, what it loads, and attributes that decide about either. */
export function asciidocParts(given: string): Part[] {
  const text = withAttributes(given)
  const parts = runningAddresses(text)
  if (/^\+{4,}|\+\+|\bpass\b|\bsubs\b|\$\$/m.test(text))
    parts.push(...tagParts(text, readTags(text, { braces: false }) ?? [], { mdx: false, vue: false }))
  for (const match of text.matchAll(
    /\b(?:image|video|audio|iframe|kroki|plantuml|diagram|ditaa|vega)::?([^\s[\]]{1,2000})\[/g,
  ))
    parts.push(...hostsOf(match[1] ?? '').map((host) => imagePart(host, match.index)))
  for (const match of text.matchAll(
    /(?:^:!?|\{set:)(?:docinfo|allow-uri-read|stylesheet|kroki|safe|webfonts|max-include|source-highlighter|highlightjs|prettify|asset-uri|font-awesome|iconfont|linkcss|copycss|favicon|logo|(?:images?|icons|styles|scripts|[a-z]{0,20}js|mathjax)dir)[\w-]*:[^\n]*/gm,
  )) {
    const what = `an attribute that decides what the page loads: ${shown(match[0])}`
    parts.push({ key: `attribute ${squeezed(match[0])}`, what, search: firstLine(match[0]), at: match.index })
  }
  // Values are put into HTML as they are.
  for (const match of text.matchAll(/["'\s]on[a-z]{3,20}\s{0,20}=[^\]\n]{0,500}/g)) {
    const before = text.slice(Math.max(0, match.index - 1000), match.index)
    if (before.lastIndexOf('[') <= Math.max(before.lastIndexOf(']'), before.lastIndexOf('\n'))) continue
    const what = `an event handler in attributes: ${shown(match[0])}`
    parts.push({ key: `handler ${squeezed(match[0])}`, what, search: firstLine(match[0]), at: match.index })
  }
  return parts
}

const maxAttributes = 500
const maxText = 2_000_000

/** With what the page's own attributes stand for in their places. */
function withAttributes(text: string): string {
  const entries = [...text.matchAll(/(?:^:|\{set:)([\w-]{1,100}):[ \t]*([^\n}]{1,1000})/gm)].slice(
    0,
    maxAttributes,
  )
  const values = new Map(entries.map(([, name = '', value = '']) => [name.toLowerCase(), value.trim()]))
  let plain = text
  for (let times = 0; times < 3 && values.size > 0; times++) {
    let left = maxText
    plain = plain.replaceAll(/\{([\w-]{1,100})\}/g, (whole, name: string) => {
      const value = values.get(name.toLowerCase()) ?? whole
      left -= value.length
      return left > 0 ? value : whole
    })
  }
  return plain
}

// Line ends and backslashes within do not count.
const scheme = (name: string): string => name.split('').join(String.raw`[\s\\]{0,20}`)
const running = new RegExp(
  `(?<![\\w-])(?:(?:${scheme('java')}|${scheme('vb')})[\\s\\\\]{0,20}${scheme('script:')}(?=\\S)|data:(?:text/html|image/svg))\\S{0,500}`,
  'gi',
)

function runningAddresses(text: string): Part[] {
  return [...decodeEntities(text).matchAll(running)].map((match) => {
    const address = match[0].replaceAll(/[\s\\]/g, '')
    const what = `an address of the scheme ${address.replace(/:.*$/s, '').toLowerCase()}:`
    return { key: `address ${address}`, what, search: firstLine(match[0]), at: match.index }
  })
}

import type { ActivePart } from './active-part.ts'
import { firstLine, shown, squeezed } from './active-part.ts'
import { hostsOf } from './address.ts'
import { decodeEntities } from './decode-entities.ts'
import { directivePart } from './directives.ts'
import { readTags } from './read-tags.ts'
import { imagePart, tagParts } from './tag-parts.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

const maxBlock = 5000

/** reStructuredText: its directives, and addresses that run. HTML in it is text. */
export function restructuredParts(text: string): Part[] {
  const parts = runningAddresses(text)
  for (const match of text.matchAll(
    /^([ \t]*)\.\. (?:\|[^|\n]{1,200}\|[ \t]+)?([A-Za-z][\w:+.-]{0,60}?)::([^\n]*)$/gm,
  )) {
    const [whole, indent = '', name = '', argument = ''] = match
    const start = match.index + whole.length
    const rest = text.slice(start, start + maxBlock)
    const end = rest.search(new RegExp(`\\n(?![ \\t]*\\n|${indent}[ \\t]+\\S|$)`))
    const content = argument + (end === -1 ? rest : rest.slice(0, end))
    parts.push(...directivePart(name, content.trim(), match.index))
    if (/^(?:image|figure)$/.test(name))
      parts.push(...hostsOf(argument.trim()).map((host) => imagePart(host, match.index)))
  }
  return parts
}

/** AsciiDoc: what passes through as HTML, what it loads, and attributes that decide about either. */
export function asciidocParts(text: string): Part[] {
  const parts = runningAddresses(text)
  if (/^\+{4,}|\+\+\+|\bpass:|\bsubs\s*=/m.test(text))
    parts.push(...tagParts(text, readTags(text, { braces: false }) ?? [], { mdx: false, vue: false }))
  for (const match of text.matchAll(
    /\b(?:image|video|audio|iframe|kroki|plantuml|diagram|ditaa|vega)::?([^\s[\]]{1,2000})\[/g,
  ))
    parts.push(...hostsOf(match[1] ?? '').map((host) => imagePart(host, match.index)))
  for (const match of text.matchAll(
    /^:!?(?:docinfo|allow-uri-read|imagesdir|iconsdir|stylesdir|stylesheet|scriptsdir|kroki|safe|webfonts|max-include|source-highlighter|highlightjs|prettify|asset-uri|font-awesome|iconfont)[\w-]*:[^\n]*/gm,
  )) {
    const what = `an attribute that decides what the page loads: ${shown(match[0])}`
    parts.push({ key: `attribute ${squeezed(match[0])}`, what, search: firstLine(match[0]), at: match.index })
  }
  return parts
}

function runningAddresses(text: string): Part[] {
  const parts: Part[] = []
  for (const match of decodeEntities(text).matchAll(
    /(?:^|[\s<"'`(:])((?:java|vb)script:(?=\S)|data:text\/html)[^\s]{0,500}/gim,
  )) {
    const what = `an address of the scheme ${(match[1] ?? '').replace(/:.*$/, '').toLowerCase()}:`
    parts.push({ key: `address ${squeezed(match[0])}`, what, search: match[0].trim(), at: match.index })
  }
  return parts
}

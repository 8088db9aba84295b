import type { Link } from '../markdown/extract-links.ts'
import { entryOf } from './attributes.ts'

/** What is known of a page in AsciiDoc by its source alone. */
export interface AsciidocFacts {
  links: Link[]
  title: string | undefined
  labels: string[]
  /** The attributes at its top. */
  fields: Readonly<Record<string, unknown>>
  mayInclude: boolean
}

const opensCode = /^(?:-{4,}|\.{4,}|\+{4,}|\/{4,}|`{3,})(?=\w{0,20}$)/
/** What is taken from another file. */
const taking = /^(?:include|image)::([^[\]{}]{1,500})(?=\[)|(?<![\w\\])image:(?!:)([^\s[\]{}]{1,500})(?=\[)/g
/** A reference between angles, apart from titles, whose words are no id. */
const angled = /(?<![\\+<])<<(#?[\w:][^<>\s,{}[\]]{0,300})(?:,([^<>{}]{0,500}))?>>(?!\+)/g
/** The code that stands below it ends with the paragraph. */
const styledAsCode = /^\[(?:source|listing|literal|pass|stem|latexmath|asciimath)\b|^\[,/
const macro =
  /(?<![\w\\])(xref|link):(?!:)([^\s[\]{}<>:]{0,200}(?::[^\s[\]{}<>:]{0,500}){0,3})\[([^[\]]{0,300})/g

export function asciidocFacts(text: string): AsciidocFacts {
  const links: Link[] = []
  const fields: Record<string, unknown> = {}
  let [title, open] = [undefined as string | undefined, undefined as string | undefined]
  let at = 0
  let [mayInclude, isCode, conditions] = [false, false, 0]
  for (const [index, raw] of text.split('\n').entries()) {
    const start = at
    at += raw.length + 1
    const line = raw.trimEnd()
    if (/^(?:include|ifn?def|ifeval)::/.test(line)) mayInclude = true
    if (/^if(?:n?def|eval)::.*\[\]$/.test(line) || line.startsWith('ifeval::')) conditions++
    else if (line.startsWith('endif::')) conditions = Math.max(0, conditions - 1)
    const put = (kind: Link['kind'], href: string, from: number, label: string) =>
      links.push({
        kind,
        href,
        text: label,
        start: start + from,
        end: start + from + href.length,
        line: index + 1,
        ...(conditions > 0 && { definedAs: 'unused' as const }),
      })
    // Files are included in code, too.
    if (line.startsWith('include::') || open === undefined)
      for (const { 0: href, index: from } of line.slice(0, 5000).matchAll(taking))
        put(href.startsWith('image') ? 'image' : 'attribute', href, from, '')
    if (open !== undefined) {
      if (line === open) open = undefined
      continue
    }
    open = opensCode.exec(line)?.[0]
    if (line === '') isCode = false
    else if (styledAsCode.test(line)) isCode = true
    else if (open !== undefined || line === '--') isCode = false
    if (open !== undefined || line.startsWith('//') || /^\s+\S/.test(line)) continue
    title ??= /^[=#] +(\S.*)$/.exec(line)?.[1]
    const entry = entryOf(line)
    if (entry?.value !== undefined && Object.keys(fields).length < 200) fields[entry.name] = entry.value
    if (line.length > 20_000) continue
    if (!isCode)
      for (const { 1: target = '', 2: label = '', index: from } of line.matchAll(angled))
        if (!/[A-Z]/.test(target) || /[_.-]/.test(target)) put('link', `<<${target}`, from, label.trim())
    for (const { 0: whole, 1: name = '', 2: target = '', 3: label = '', index: from } of line.matchAll(macro))
      if (name === 'xref') put('link', `xref:${target}`, from, label)
      else if (/^https?:/.test(target)) put('link', target, from + whole.indexOf(':') + 1, label)
  }
  return { links, title, labels: [], fields, mayInclude }
}

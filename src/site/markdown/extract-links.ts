import { startEsm } from './esm.ts'
import { readFrontMatter } from './front-matter.ts'
import { codeSpan, inlineTarget } from './inline-target.ts'
import { openComment } from './open-comment.ts'
import { endOfTemplate } from './link-forms.ts'
import { createFences } from './fence.ts'
import { createIndents, createProperties, readCallout, readLine, readListMarker } from './line.ts'
import { readTag } from './tag.ts'

/** A link as it stands in a page's source. */
export interface Link {
  kind: 'link' | 'image' | 'definition' | 'attribute'
  href: string
  /** The link's text or the image's alternative text as written; a definition's label; an attribute's name. */
  text: string
  /** The href alone, in the original text: replacing `[start, end)` changes nothing else. */
  start: number
  end: number
  /** From 1. */
  line: number
  /** Of an element `a` in HTML, which most generators leave as it is. */
  isRaw?: true
  /** In indented text, which is code where a page is Markdown, and none where it is MDX. */
  isIndented?: true
  /** Of a definition: that no reference uses it, or that others define the same label before or after it. */
  definedAs?: 'unused' | 'first' | 'middle' | 'last'
}

/** The links of a page that lead somewhere: none in code, and of definitions those that references use. */
export function actingLinks(
  links: readonly Link[],
  { mdx, lastDefinitions }: { mdx: boolean; lastDefinitions?: boolean },
): Link[] {
  const counts = lastDefinitions === true ? 'last' : 'first'
  return links.filter(
    ({ isIndented, definedAs }) =>
      (isIndented !== true || mdx) && (definedAs === undefined || definedAs === counts),
  )
}

/** The links that a build would read if references used all definitions: those that follow a page that moves. */
export function writtenLinks(links: readonly Link[], { mdx }: { mdx: boolean }): Link[] {
  return links.filter(({ isIndented }) => isIndented !== true || mdx)
}

/** Characters; longer paragraphs are cut. */
const maxSpan = 32 * 1024
const definition =
  /^\[((?:[^\]\\\n]|\\.){1,300})\]:[ \t]*(?:<((?:[^<>\\]|\\.)+)>|([^\s<>]+))[ \t]*(?:["'(][^]*)?$/
/** As above, with an address that is a call of a template language and may hold spaces. */
const calledDefinition = /^\[([^\]\n]{1,300})\]:[ \t]*(\{[{%].*)$/
const block = /\{%-?[ \t]*(?:content-ref|page-ref)[ \t]+(?:url|page)="([^"\n]{1,2000})"/
const roleAt = /\{(?:doc|std:doc|ref|std:ref|numref)\}(?=`)/y
const setting = /^[ \t]*(?:-[ \t]+)?(?:link:|href:|to:(?=[ \t]+["']?[./]))[ \t]+["']?([^\s"'#][^\s"']*)/
const bound = /^(?::|v-bind:)?(?:href|src|to)$/
const hiddenElement = /^\s*<(script|style|svg)\b/i

/** What keeps a link from being read: it is an example in code, or an expression makes its address. */
export type Unread = 'code' | 'expression'

/**
 * Every link whose address is written out, in reading order; none from code and comments. Autolinks are left out.
 * `onUnread` is told how many links were passed over, and why.
 */
export function extractLinks(text: string, onUnread?: (why: Unread, count: number) => void): Link[] {
  const output: Found = { links: [], used: new Set(), onUnread: onUnread ?? (() => {}) }
  const { bodyStart } = readFrontMatter(text)
  let span: { start: number; end: number; isIndented: boolean } | undefined
  const fences = createFences()
  let until: string | undefined
  let esm: ReturnType<typeof startEsm>
  let afterBlank = true
  const indents = createIndents()
  /** A definition whose address is on the next line. */
  let waiting: string | undefined
  const properties = createProperties()
  const add = (link: Omit<Link, 'line'>, isIndented: boolean) => {
    output.links.push(isIndented ? { ...link, isIndented } : link)
  }
  const flush = () => {
    const { start, end, isIndented } = span ?? { start: 0, end: 0, isIndented: false }
    for (let from = start; from < end; from += maxSpan) {
      const known = output.links.length
      readSpan(text.slice(from, Math.min(end, from + maxSpan)), from, output)
      if (isIndented) for (const link of output.links.slice(known)) link.isIndented = true
    }
    span = undefined
  }
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const next = newline === -1 ? text.length : newline + 1
    const from = start
    const raw = text.slice(from, next).trimEnd()
    start = next
    if (until !== undefined) {
      if (raw.toLowerCase().includes(until)) until = undefined
      continue
    }
    const line = readLine(raw)
    const code = fences.inside(line)
    if (code === 'content') countInCode(raw, output)
    if (code) continue
    const part = from < bodyStart ? 'property' : properties.read(raw)
    if (part !== undefined) {
      const match = setting.exec(raw)
      if (match?.[1] !== undefined)
        output.links.push(at('attribute', match[1], 'link', from + match[0].length - match[1].length))
      continue
    }
    const fence = fences.open(line)
    if (fence) {
      flush()
      if (fence.indent > line.indent) indents.enter(fence.indent)
      continue
    }
    if (esm) {
      if (esm.goesOn(raw)) continue
      esm = undefined
    }
    // A lone `>` may close a tag that was opened lines above.
    if (line.text === '' && raw.trim() !== '>') {
      flush()
      afterBlank = true
      continue
    }
    esm = afterBlank && line.indent === 0 ? startEsm(raw) : undefined
    if (esm) continue
    const isIndented = afterBlank && indents.isCode(line)
    if (!isIndented) afterBlank = false
    const item = isIndented ? undefined : readListMarker(line.text)
    if (item) indents.enter(line.indent + item.width)
    else if (!isIndented && !line.text.startsWith(':') && readCallout(line.text) !== undefined)
      indents.enter(line.indent + 4)
    const hidden = hiddenElement.exec(raw)?.[1]?.toLowerCase()
    if (hidden !== undefined && !raw.toLowerCase().includes(`</${hidden}`)) {
      flush()
      until = `</${hidden}`
      continue
    }
    const defined = definitionIn(line.text, from + raw.length - line.text.length, waiting)
    waiting = defined?.waiting
    if (defined !== undefined) {
      flush()
      if (defined.link !== undefined) add(defined.link, isIndented)
      continue
    }
    const reference = block.exec(raw)?.[1]
    if (reference !== undefined)
      add(at('attribute', reference, 'url', from + raw.indexOf(`"${reference}"`) + 1), isIndented)
    // Inline markup does not cross from one list item, heading or table row into the next.
    const isLong = span !== undefined && span.end - span.start > maxSpan
    if (item || /^[#|]/.test(line.text) || isLong || span?.isIndented !== isIndented) flush()
    const open = openComment(raw, true)
    span = { start: span?.start ?? from, end: open ? from + open.at : next, isIndented }
    if (open) {
      flush()
      until = open.close
    }
  }
  flush()
  return withLines(text, withUses(output))
}

type Unplaced = Omit<Link, 'line'>

/**
 * The definition that a line is, also as the first thing in a list item; `waiting` is one whose address is still to come.
 * @param start where the text of the line starts in the page
 */
function definitionIn(
  text: string,
  start: number,
  before: string | undefined,
): { link?: Unplaced; waiting?: string } | undefined {
  let skipped = 0
  for (let item = readListMarker(text); item; item = readListMarker(text.slice(skipped))) {
    skipped += item.width
    if (skipped >= text.length) break
  }
  const own = text.slice(skipped)
  const offset = start + skipped
  const named =
    before === undefined || own.startsWith('[')
      ? undefined
      : /^(?:<([^<>]+)>|([^\s<>]+))\s*(?:["'(][^]*)?$/.exec(own)
  const next = named?.[1] ?? named?.[2]
  // Anything else may follow the name of a thing and a colon.
  if (before !== undefined && next !== undefined && /[/.#]/.test(next))
    return { link: at('definition', next, before, offset + own.indexOf(next)) }
  if (!own.startsWith('[') || own.startsWith('[^')) return undefined
  const open = /^\[((?:[^\]\\\n]|\\.){1,300})\]:$/.exec(own)?.[1]
  if (open !== undefined) return { waiting: open }
  const [, label, bracketed, plain] = definition.exec(own) ?? []
  const href = bracketed ?? plain
  if (label !== undefined && href !== undefined)
    return { link: at('definition', href, label, offset + own.indexOf(href, own.indexOf(']:') + 2)) }
  const called = calledDefinition.exec(own)
  if (called?.[1] === undefined || called[2] === undefined) return undefined
  const from = own.length - called[2].length
  const end = endOfTemplate(own, from) ?? from
  return end > from ? { link: at('definition', own.slice(from, end), called[1], offset + from) } : undefined
}

/** Labels are the same whatever their case and blanks. */
function labelKey(label: string): string {
  return label.replace(/\s+/g, ' ').trim().toLowerCase()
}

/** Says of each definition whether a reference uses its label, and which of several it is. */
function withUses({ links, used }: Found): Unplaced[] {
  const byLabel = new Map<string, Unplaced[]>()
  for (const link of links) {
    if (link.kind !== 'definition') continue
    const key = labelKey(link.text)
    const same = byLabel.get(key) ?? []
    byLabel.set(key, same)
    same.push(link)
  }
  for (const [key, same] of byLabel)
    for (const [index, link] of same.entries()) {
      if (!used.has(key)) link.definedAs = 'unused'
      else if (same.length > 1)
        link.definedAs = index === 0 ? 'first' : index === same.length - 1 ? 'last' : 'middle'
    }
  return links
}

interface Found {
  links: Unplaced[]
  /** The labels that references name. */
  used: Set<string>
  onUnread: (why: Unread, count: number) => void
}

/** Code that shows what a link looks like. */
function countInCode(code: string, { onUnread }: Found): void {
  const count = code.split('](').length - 1
  if (count > 0) onUnread('code', count)
}

function at(kind: Link['kind'], href: string, text: string, start: number): Unplaced {
  return { kind, href, text, start, end: start + href.length }
}

/** Inline markup of one paragraph. */
function readSpan(source: string, offset: number, found: Found): void {
  const special = /[\\`[\]!<{]/g
  const brackets: { at: number; image: boolean }[] = []
  const unmatched = new Set<number>()
  let noTagBefore = 0
  let match = special.exec(source)
  for (; match; match = special.exec(source)) {
    const position = match.index
    let next = position + 1
    if (match[0] === '\\') next++
    else if (match[0] === '`') {
      next = codeSpan(source, position, unmatched).end
      countInCode(source.slice(position, next), found)
    } else if (match[0] === '[') brackets.push({ at: position, image: source[position - 1] === '!' })
    else if (match[0] === ']') {
      const opener = brackets.pop()
      const target = opener ? inlineTarget(source, position + 1) : undefined
      const includes = source.startsWith('[!code', brackets.at(-1)?.at ?? source.length)
      if (opener && target && !includes) {
        const label = source.slice(opener.at + 1, position)
        const href = source.slice(target.start, target.stop)
        // MyST leaves such a link as it is.
        const isExternal = /^\{[^{}\n]{0,200}\.external\b/.test(source.slice(target.end, target.end + 220))
        if (href !== '' && !isExternal)
          found.links.push(at(opener.image ? 'image' : 'link', href, label.trim(), offset + target.start))
        next = target.end
      } else if (opener) {
        const reference = source[position + 1] === '[' ? labelAt(source, position + 1) : ''
        const label = reference === '' ? source.slice(opener.at + 1, position) : reference
        if (label.length < maxLabel) found.used.add(labelKey(label))
      }
    } else if (source.startsWith('<!--', position)) {
      const close = source.indexOf('-->', position)
      next = close === -1 ? source.length : close + 3
    } else if (match[0] === '{' && source.startsWith('{/*', position)) {
      const close = source.indexOf('*/}', position)
      next = close === -1 ? source.length : close + 3
    } else if (match[0] === '{') {
      roleAt.lastIndex = position
      const role = roleAt.exec(source)
      if (role !== null) {
        const span = codeSpan(source, roleAt.lastIndex, unmatched)
        next = span.end
        if (span.close !== -1)
          found.links.push(at('link', source.slice(position, span.end), role[0], offset + position))
      }
    } else if (match[0] === '<' && position >= noTagBefore) {
      const tag = readTag(source, position)
      if ('failedAt' in tag) noTagBefore = tag.failedAt
      else {
        next = tag.end
        for (const { name, value, start, stop } of tag.attributes) {
          const isDynamic = value === undefined ? source[start] === '{' : /^(?::|v-bind:)/.test(name)
          if (isDynamic && bound.test(name)) found.onUnread('expression', 1)
          const leads = name === 'href' || name === 'src' || (name === 'to' && tag.name.endsWith('Link'))
          // `<use href>` names a part of an SVG, not a page.
          if (!leads || tag.name === 'use' || value === undefined || value === '') continue
          const link = at('attribute', source.slice(start, stop), name, offset + start)
          found.links.push(tag.name === 'a' ? { ...link, isRaw: true } : link)
        }
      }
    }
    special.lastIndex = next
  }
}

const maxLabel = 1000

/** What stands between the brackets that open at `at`: `''` where nothing does, or where none close. */
function labelAt(source: string, at: number): string {
  const rest = source.slice(at + 1, at + maxLabel)
  const end = rest.search(/(?<!\\)[[\]]/)
  return rest[end] === ']' ? rest.slice(0, end).trim() : ''
}

function withLines(text: string, found: Unplaced[]): Link[] {
  // A link around an image closes after it but starts before.
  const ordered = found.sort((left, right) => left.start - right.start)
  let line = 1
  let counted = 0
  return ordered.map((link) => {
    for (let newline = text.indexOf('\n', counted); newline !== -1 && newline < link.start;) {
      line++
      counted = newline + 1
      newline = text.indexOf('\n', counted)
    }
    return { ...link, line }
  })
}

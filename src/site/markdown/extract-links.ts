import { startEsm } from './esm.ts'
import { readFrontMatter } from './front-matter.ts'
import { codeSpan, inlineTarget } from './inline-target.ts'
import { endOfTemplate } from './link-forms.ts'
import { createFences } from './fence.ts'
import { createProperties, readLine, readListMarker } from './line.ts'
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
}

/** Characters; longer paragraphs are cut. */
const maxSpan = 32 * 1024
const definition =
  /^(?: {0,3}>)* {0,3}\[([^\]\n]{1,300})\]:[ \t]*(?:<((?:[^<>\\]|\\.)+)>|([^\s<>]+))[ \t]*(?:["'(][^]*)?$/
/** As above, with an address that is a call of a template language and may hold spaces. */
const calledDefinition = /^(?: {0,3}>)* {0,3}\[([^\]\n]{1,300})\]:[ \t]*(\{[{%].*)$/
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
  const output: Found = { links: [], onUnread: onUnread ?? (() => {}) }
  const { bodyStart } = readFrontMatter(text)
  let span: { start: number; end: number } | undefined
  const fences = createFences()
  let until: string | undefined
  let esm: ReturnType<typeof startEsm>
  let afterBlank = true
  let inList = false
  const properties = createProperties()
  const flush = () => {
    const { start, end } = span ?? { start: 0, end: 0 }
    for (let from = start; from < end; from += maxSpan) {
      readSpan(text.slice(from, Math.min(end, from + maxSpan)), from, output)
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
    if (fences.open(line)) {
      flush()
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
    const item = readListMarker(line.text)
    if (item) inList = true
    else if (afterBlank && line.indent === 0) inList = false
    // Deep indentation outside of a list is code, except around components, whose content people indent.
    const isCode = afterBlank && !inList && line.indent >= 4 && !/[<\]]/.test(line.text)
    afterBlank = false
    if (isCode) {
      countInCode(raw, output)
      continue
    }
    const hidden = hiddenElement.exec(raw)?.[1]?.toLowerCase()
    if (hidden !== undefined && !raw.toLowerCase().includes(`</${hidden}`)) {
      flush()
      until = `</${hidden}`
      continue
    }
    const defined = definition.exec(raw)
    const [, label, bracketed, plain] = defined ?? []
    const href = bracketed ?? plain
    if (label !== undefined && href !== undefined && !label.startsWith('^')) {
      flush()
      const start = raw.indexOf(href, raw.indexOf(']:') + 2)
      output.links.push(at('definition', href, label, from + start))
      continue
    }
    const called = defined === null ? calledDefinition.exec(raw) : null
    if (called?.[1] !== undefined && called[2] !== undefined) {
      const start = raw.length - called[2].length
      const end = endOfTemplate(raw, start) ?? start
      if (end > start) {
        flush()
        output.links.push(at('definition', raw.slice(start, end), called[1], from + start))
        continue
      }
    }
    const reference = block.exec(raw)?.[1]
    if (reference !== undefined)
      output.links.push(at('attribute', reference, 'url', from + raw.indexOf(`"${reference}"`) + 1))
    // Inline markup does not cross from one list item, heading or table row into the next.
    if (item || /^[#|]/.test(line.text) || (span && span.end - span.start > maxSpan)) flush()
    const open = openComment(raw)
    span = { start: span?.start ?? from, end: open ? from + open.at : next }
    if (open) {
      flush()
      until = open.close
    }
  }
  flush()
  return withLines(text, output.links)
}

interface Found {
  links: Omit<Link, 'line'>[]
  onUnread: (why: Unread, count: number) => void
}

/** Code that shows what a link looks like. */
function countInCode(code: string, { onUnread }: Found): void {
  const count = code.split('](').length - 1
  if (count > 0) onUnread('code', count)
}

function at(kind: Link['kind'], href: string, text: string, start: number): Omit<Link, 'line'> {
  return { kind, href, text, start, end: start + href.length }
}

function openComment(raw: string): { at: number; close: string } | undefined {
  for (const [open, close] of [
    ['<!--', '-->'],
    ['{/*', '*/}'],
  ] as const) {
    const position = raw.lastIndexOf(open)
    // Inline code may show a comment's opening.
    if (position !== -1 && !raw.includes(close, position) && !raw.slice(0, position).includes('`'))
      return { at: position, close }
  }
  return undefined
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
        if (href !== '')
          found.links.push(at(opener.image ? 'image' : 'link', href, label.trim(), offset + target.start))
        next = target.end
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
          found.links.push(at('attribute', source.slice(start, stop), name, offset + start))
        }
      }
    }
    special.lastIndex = next
  }
}

function withLines(text: string, found: Omit<Link, 'line'>[]): Link[] {
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

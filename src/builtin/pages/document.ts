/** What may be changed where: prose is free, the rest only when a request means it. */
export type Zone = 'prose' | 'code' | 'link' | 'markup'

interface Span {
  start: number
  end: number
  zone: Exclude<Zone, 'prose'>
}

/** A page's text with the spans that are not prose, in order and without overlap. */
export interface Document {
  text: string
  spans: Span[]
  /** Where the body starts behind the front matter. */
  bodyStart: number
}

/** Values of front matter that readers see; every other field is left alone. */
const shownField =
  /^(?:title|sidebarTitle|sidebar_label|description|summary|tagline|label|lead|excerpt|og:title|og:description|hero|text|details|name|pagination_label)$/
/** Attributes of components that readers see. */
const shownAttribute =
  /^(?:title|sidebarTitle|label|description|caption|alt|summary|text|heading|subtitle|content|placeholder|cta|tag)$/i

const fenceLine = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?!`)|~{3,}(?!~))(.*)$/
const inlineMark =
  /`+|<!--|\{\/\*|\{\{|\{#[^}\n]{1,200}\}|<(?:https?|ftp|mailto):[^\s<>]{1,2000}>|<\/?[A-Za-z][\w.:-]*|\]\(|\]\[[^\]\n]{0,200}\]|(?:https?|ftp):\/\/[^\s<>"'`)\]}]{1,2000}|\bwww\.[^\s<>"'`)\]}]{1,2000}|[\w.+-]{1,64}@[\w-]{1,100}\.[\w.-]{1,100}/g

export function readDocument(text: string, path: string): Document {
  const spans: Span[] = []
  const bodyStart = readFrontMatter(text, spans)
  let proseStart = bodyStart
  let fence: { mark: string; start: number } | undefined
  let blankBefore = true
  let container = false
  const mdx = path.endsWith('.mdx')
  for (let at = bodyStart; at < text.length;) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(at, end)
    const mark = line.length < 2000 ? fenceLine.exec(line) : null
    if (fence) {
      const closes = mark?.[1]?.startsWith(fence.mark) === true && mark[2]?.trim() === ''
      if (closes) {
        spans.push({ start: fence.start, end, zone: 'code' })
        fence = undefined
        proseStart = end
      }
    } else if (mark?.[1] !== undefined && !(mark[1].startsWith('`') && mark[2]?.includes('`') === true)) {
      scanProse(text, proseStart, at, spans)
      fence = { mark: mark[1], start: at }
    } else if (line.trim() === '') {
      scanProse(text, proseStart, at, spans)
      proseStart = end
      blankBefore = true
      at = end + 1
      continue
    } else if (isVerbatim(line, { mdx, blankBefore, container })) {
      scanProse(text, proseStart, at, spans)
      spans.push({ start: at, end, zone: 'code' })
      proseStart = end
    } else if (/^ {0,3}\[[^\]\n]{1,300}\]:/.test(line)) {
      scanProse(text, proseStart, at, spans)
      spans.push({ start: at, end, zone: 'link' })
      proseStart = end
    }
    if (/^ {0,3}\S/.test(line))
      container = /^ {0,3}(?:[-*+]|\d{1,9}[.)]|!!!|\?\?\?|===|:::|<|\[\^)/.test(line)
    blankBefore = spans.at(-1)?.end === end && isVerbatim(line, { mdx, blankBefore: true, container: false })
    at = end + 1
  }
  if (fence) spans.push({ start: fence.start, end: text.length, zone: 'code' })
  else scanProse(text, proseStart, text.length, spans)
  return { text, spans, bodyStart }
}

/** Indented code, and the imports of MDX. A list, admonition or component indents its own text. */
function isVerbatim(
  line: string,
  state: { mdx: boolean; blankBefore: boolean; container: boolean },
): boolean {
  if (state.mdx) return /^(?:import|export)\s+(?:[\w{*"'])/.test(line) && /from\s|["'=]|\{/.test(line)
  return state.blankBefore && !state.container && /^(?: {4}|\t)/.test(line)
}

function readFrontMatter(text: string, spans: Span[]): number {
  const opening = /^\uFEFF?---[ \t]*\n/.exec(text)
  if (!opening) return 0
  const closing = /^(?:---|\.\.\.)[ \t]*$/m
  const rest = text.slice(opening[0].length)
  const found = closing.exec(rest)
  if (!found) return 0
  let at = 0
  let shown = false
  for (const line of text.slice(0, opening[0].length + found.index).split('\n')) {
    const field = /^([ \t]*(?:- )?)([\w:.-]+)(:[ \t]*)/.exec(line)
    const named = field?.[2] !== undefined && shownField.test(field[2])
    if (field) shown = named
    const head = field ? field[0].length : 0
    if (!shown) push(spans, at, at + line.length, 'markup')
    else if (head > 0) push(spans, at, at + head, 'markup')
    at += line.length + 1
  }
  const end = opening[0].length + found.index + found[0].length
  push(spans, opening[0].length + found.index, end, 'markup')
  return end
}

function push(spans: Span[], start: number, end: number, zone: Span['zone']): void {
  if (end > start) spans.push({ start, end, zone })
}

/** What was looked for in vain is not looked for again: hostile text would make that quadratic. */
interface ScanState {
  unmatched: Set<string>
  /** No tag that begins before this offset is closed. */
  noTagBefore: number
}

/** One paragraph or run of lines between blank lines and fences. */
function scanProse(text: string, start: number, end: number, spans: Span[]): void {
  if (end <= start) return
  const state: ScanState = { unmatched: new Set(), noTagBefore: 0 }
  const source = text.slice(0, end)
  inlineMark.lastIndex = start
  for (let found = inlineMark.exec(source); found; found = inlineMark.exec(source)) {
    const mark = found[0]
    const at = found.index
    const next = readMark(source, at, mark, spans, state)
    inlineMark.lastIndex = Math.max(next, at + 1)
  }
}

function readMark(text: string, at: number, mark: string, spans: Span[], state: ScanState): number {
  const { unmatched } = state
  const after = at + mark.length
  const close = (closer: string, zone: Span['zone']) => {
    const found = unmatched.has(closer) ? -1 : text.indexOf(closer, after)
    if (found < 0) unmatched.add(closer)
    const end = found < 0 || found - at > 5000 ? after : found + closer.length
    if (end > after) spans.push({ start: at, end, zone })
    return end
  }
  if (mark.startsWith('`')) {
    if (unmatched.has(mark)) return after
    let found = text.indexOf(mark, after)
    while (found >= 0 && text[found + mark.length] === '`') {
      let past = found
      while (text[past] === '`') past += 1
      if (past - found === mark.length) break
      found = text.indexOf(mark, past)
    }
    if (found < 0) {
      unmatched.add(mark)
      return after
    }
    spans.push({ start: at, end: found + mark.length, zone: 'code' })
    return found + mark.length
  }
  if (mark === '<!--') return close('-->', 'markup')
  if (mark === '{/*') return close('*/}', 'markup')
  if (mark === '{{') return close('}}', 'code')
  if (mark.startsWith('{#')) {
    spans.push({ start: at, end: after, zone: 'markup' })
    return after
  }
  if (mark === '](') return readDestination(text, after, spans)
  if (/^<\/?[A-Za-z]/.test(mark) && !/^<(?:https?|ftp|mailto):/.test(mark))
    return readTag(text, at, after, spans, state)
  spans.push({ start: at, end: after, zone: 'link' })
  return after
}

/** `](destination "title")`: the destination is no prose, the title is. */
function readDestination(text: string, at: number, spans: Span[]): number {
  let depth = 0
  let end = at
  if (text[end] === '<') {
    const closing = text.indexOf('>', end)
    end = closing < 0 ? at : closing + 1
  } else {
    while (end < text.length && end - at < 4000) {
      const character = text[end] ?? ''
      if (/\s/.test(character) || (character === ')' && depth === 0)) break
      if (character === '(') depth += 1
      if (character === ')') depth -= 1
      end += 1
    }
  }
  push(spans, at, end, 'link')
  return end
}

const attribute = /([\w:@.-]{1,100})\s*=\s*(?:"([^"]{0,4000})"|'([^']{0,4000})'|\{)|>|\{/g

/** A tag is markup but for the attributes that readers see. */
function readTag(text: string, at: number, nameEnd: number, spans: Span[], state: ScanState): number {
  if (at < state.noTagBefore) {
    push(spans, at, nameEnd, 'markup')
    return nameEnd
  }
  const limit = Math.min(text.length, at + 6000)
  let end = nameEnd
  let covered = at
  const source = text.slice(0, limit)
  attribute.lastIndex = nameEnd
  for (let found = attribute.exec(source); found; found = attribute.exec(source)) {
    const character = source[found.index]
    if (character === '>') {
      end = found.index + 1
      break
    }
    const value = found[2] ?? found[3]
    if (found[1] === undefined || value === undefined) {
      // An expression: skipped by braces.
      let depth = 1
      let past = found.index + found[0].length
      while (past < limit && depth > 0) {
        if (text[past] === '{') depth += 1
        if (text[past] === '}') depth -= 1
        past += 1
      }
      attribute.lastIndex = past
    } else if (shownAttribute.test(found[1]) && value !== '') {
      const from = found.index + found[0].length - value.length - 1
      push(spans, covered, from, 'markup')
      covered = from + value.length
    } else if (/^(?:href|src|to|url|link)$/i.test(found[1])) {
      const from = found.index + found[0].length - value.length - 1
      push(spans, covered, from, 'markup')
      push(spans, from, from + value.length, 'link')
      covered = from + value.length
    }
  }
  if (end === nameEnd) {
    // `<` that opens no tag (a < b, generics): only its own word is taken as markup.
    state.noTagBefore = limit
    while (spans.length > 0 && (spans.at(-1)?.start ?? 0) >= at) spans.pop()
    push(spans, at, nameEnd, 'markup')
    return nameEnd
  }
  push(spans, covered, end, 'markup')
  return end
}

/** The zone of a stretch of text; what touches several counts as the strictest of them. */
export function zoneOf(document: Document, start: number, end: number): Zone {
  const { spans } = document
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.end ?? 0) <= start) low = middle + 1
    else high = middle
  }
  const span = spans[low]
  return span && span.start < end ? span.zone : 'prose'
}

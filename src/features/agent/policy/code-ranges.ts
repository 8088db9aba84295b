import { endOfBraces } from './end-of-braces.ts'
import { readJsxTag } from './read-tags.ts'

/** How a renderer finds code blocks. */
interface Reading {
  /** HTML blocks swallow fences, as in CommonMark; in MDX they do not. */
  html: boolean
  /** Deeper fences, counted from their container, are indented code. */
  maxIndent: number
  /** The end of a quote or list item ends a fence in it. */
  containers: boolean
  /** `$$` opens a block of its own, in which no fence opens. */
  math?: boolean
  /** Where what begins on a line at an offset ends, when no fence opens in it. */
  skips?: (text: string, at: number) => number | undefined
}

export type Range = readonly [start: number, end: number]

const commonMark: Reading = { html: true, maxIndent: 3, containers: true }
const mdxReading: Reading = { html: false, maxIndent: Infinity, containers: true, skips: endOfMdx }
const naive: Reading = { html: false, maxIndent: Infinity, containers: false }
const fenceLine = /^(`{3,}(?!`)|~{3,}(?!~))([^\n]*)$/
const listMarker = /^(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)[ \t]{0,4}/
const block =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[\s/>]|$)/i
const loneTag = /^<\/?[A-Za-z][\w-]*(?:[\s/][^<>]*)?>[ \t]*$/

/**
 * What is code whoever reads: the content of closed fences on which the dialect's own reading and a naive one agree.
 * `python` adds that of Python-Markdown; `live` tells the fences that do not count.
 */
export function fencedRanges(
  text: string,
  options: { mdx: boolean; python: boolean; live?: RegExp | undefined },
): Range[] {
  const own = options.mdx ? mdxReading : commonMark
  const readings = [fences(text, own, options.live), fences(text, naive, options.live)]
  if (/^[ \t>]*\$\$/m.test(text)) readings.push(fences(text, { ...own, math: true }, options.live))
  if (options.python) readings.push(pythonFences(text))
  return readings.reduce(shared)
}

function fences(text: string, reading: Reading, live: RegExp | undefined): Range[] {
  const found: Range[] = []
  let fence: { marker: string; start: number; quotes: number; indent: number; live: boolean } | undefined
  let html: RegExp | undefined
  let lists: number[] = []
  let afterBlank = true
  let inMath = false
  let skipped = 0
  let failed = 0
  for (const { start, end } of lineRanges(text)) {
    if (start < skipped) continue
    const raw = text.slice(start, end)
    let { indent, quotes, rest } = unquote(raw, fence?.quotes)
    if (rest === '') {
      if (reading.containers && fence !== undefined && quotes < fence.quotes) fence = undefined
      if (html === untilBlank) html = undefined
      afterBlank = true
      continue
    }
    if (fence !== undefined) {
      // Its container has ended, and with it the block: without a closing line it hides nothing.
      if (reading.containers && (quotes < fence.quotes || indent < fence.indent)) fence = undefined
      else {
        const closes = rest.startsWith(fence.marker) && isRun(rest, fence.marker[0] ?? '')
        if (!closes || indent - fence.indent > reading.maxIndent) continue
        if (!fence.live) found.push([fence.start, start])
        fence = undefined
        afterBlank = false
        continue
      }
    }
    lists = lists.filter((width) => indent >= width)
    if (html !== undefined) {
      if (html !== untilBlank && html.test(rest)) html = undefined
      continue
    }
    if (reading.math === true && rest.startsWith('$$')) inMath = !inMath || !/^\$+$/.test(rest)
    if (inMath) continue
    if (reading.skips !== undefined && failed < maxFailed && /^[{<ie]/.test(rest)) {
      const stop = reading.skips(text, start + raw.length - raw.trimStart().length)
      if (stop === undefined) failed++
      else {
        skipped = stop
        // A line that goes on behind it opens nothing either.
        if (stop > end) continue
      }
    }
    let inside = lists.at(-1) ?? 0
    for (
      let marker = listMarker.exec(rest);
      marker !== null && lists.length < 50;
      marker = listMarker.exec(rest)
    ) {
      inside = indent + marker[0].length
      lists.push(inside)
      indent = inside
      const after = unquote(rest.slice(marker[0].length))
      quotes += after.quotes
      indent += after.indent
      rest = after.rest
      afterBlank = true
    }
    const opened = indent - inside > reading.maxIndent ? null : fenceLine.exec(rest)
    const [, marker = '', info = ''] = opened ?? []
    if (marker !== '' && !(marker.startsWith('`') && info.includes('`'))) {
      // In MDX what follows the marks is text; elsewhere it may be a list of attributes.
      const from = reading.html ? end : end - info.length
      fence = { marker, start: from, quotes, indent: inside, live: live?.test(info.trim()) === true }
    } else if (reading.html) html = opensHtml(rest, afterBlank)
    afterBlank = false
  }
  return found
}

const untilBlank = /(?!)/
const maxFailed = 500
const maxSkipped = 20_000

/** Expressions, tags and modules of MDX go over lines. */
function endOfMdx(text: string, at: number): number | undefined {
  const first = text[at]
  if (first === '{') return endOfBraces(text, at, Math.min(text.length, at + maxSkipped))
  if (first === '<') return readJsxTag(text, at)?.end
  if (!/^(?:import|export)[\s{*"']/.test(text.slice(at, at + 8)) || (at > 0 && text[at - 1] !== '\n'))
    return undefined
  const blank = text.slice(at, at + maxSkipped).indexOf('\n\n')
  return blank === -1 ? Math.min(text.length, at + maxSkipped) : at + blank
}

/** What ends the HTML block that starts with this line; undefined when none does. */
function opensHtml(line: string, afterBlank: boolean): RegExp | undefined {
  if (!line.startsWith('<')) return undefined
  const ends = (end: RegExp, from: number) => (end.test(line.slice(from)) ? undefined : end)
  if (/^<(?:script|pre|style|textarea)(?:[\s>]|$)/i.test(line))
    return ends(/<\/(?:script|pre|style|textarea)>/i, 1)
  if (line.startsWith('<!--')) return ends(/-->/, 4)
  if (line.startsWith('<?')) return ends(/\?>/, 2)
  if (line.startsWith('<![CDATA[')) return ends(/\]\]>/, 9)
  if (/^<![A-Za-z]/.test(line)) return ends(/>/, 2)
  if (block.test(line) || (afterBlank && loneTag.test(line))) return untilBlank
  return undefined
}

/** Only fences whose lines all have the indentation and quotes of the first, and an equal end. */
function pythonFences(text: string): Range[] {
  const found: Range[] = []
  let fence: { before: string; marker: string; start: number } | undefined
  for (const { start, end } of lineRanges(text)) {
    const raw = text.slice(start, end).trimEnd()
    const before = /^[> \t]*/.exec(raw)?.[0] ?? ''
    const rest = raw.slice(before.length)
    if (fence !== undefined) {
      if (before === fence.before && rest === fence.marker) {
        found.push([fence.start, start])
        fence = undefined
      } else if (raw !== '' && !raw.startsWith(fence.before.trimEnd())) fence = undefined
      continue
    }
    const [, marker = '', info = ''] = fenceLine.exec(rest) ?? []
    const depth = before.replaceAll('\t', '    ').length
    if (marker !== '' && !info.includes('`') && (before.includes('>') || depth % 4 === 0)) {
      fence = { before, marker, start: end }
    }
  }
  return found
}

function* lineRanges(text: string): Generator<{ start: number; end: number }> {
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    yield { start, end }
    start = end + 1
  }
}

function unquote(raw: string, most = 64): { indent: number; quotes: number; rest: string } {
  let [at, indent, quotes] = [0, 0, 0]
  for (; at < raw.length; at++) {
    const character = raw[at]
    if (character === ' ') indent++
    else if (character === '\t') indent += 4 - (indent % 4)
    else if (character === '>' && quotes < most) {
      quotes++
      indent = 0
      if (raw[at + 1] === ' ') at++
    } else break
  }
  return { indent, quotes, rest: raw.slice(at).trimEnd() }
}

function isRun(text: string, character: string): boolean {
  for (const one of text) if (one !== character) return false
  return true
}

/**
 * Comments and blocks of a template language are taken out before Markdown is read: a text in which one of them ends that
 * began elsewhere is no code.
 */
export function isWhole(code: string): boolean {
  const open = new Map<string, number>()
  const signs = /\{(?:[%{]?[%<]-?\s{0,20}(\/|end)?\s?([\w.-]{0,100})|#|:(?::|(\/)))|#(\})/g
  for (const [, end, name = '#', slash, brace] of code.matchAll(signs)) {
    const isEnd = (end ?? slash ?? brace) !== undefined
    const left = (open.get(name) ?? 0) + (isEnd ? -1 : 1)
    if (left < 0) return false
    open.set(name, left)
  }
  return true
}

/** What two sorted lists of ranges have in common. */
export function shared(one: readonly Range[], other: readonly Range[]): Range[] {
  const both: Range[] = []
  for (let [i, j] = [0, 0]; i < one.length && j < other.length;) {
    const [a, b] = [one[i], other[j]]
    if (a === undefined || b === undefined) break
    const [start, end] = [Math.max(a[0], b[0]), Math.min(a[1], b[1])]
    if (start < end) both.push([start, end])
    if (a[1] < b[1]) i++
    else j++
  }
  return both
}

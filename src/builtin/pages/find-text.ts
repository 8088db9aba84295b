import { cutLine } from '../tools.ts'
import type { Edit } from '../tools.ts'
import type { PageText } from '../../site/page-text.ts'
import { isQuoted, zoneOf, type Zone } from '../../site/markdown/zones.ts'

/** A text and its replacement, and where it may be replaced. */
export interface Rule {
  find: string
  replace: string
  ignoreCase: boolean
  /** Word endings may follow (`recieve` in `recieved`), and capitals are preserved. */
  typo: boolean
  zones: ReadonlySet<Zone>
  /** A word that must stand close by on the same line, because a number alone says too little. */
  near?: string | undefined
  /** Where it is no match as a part of a longer name: `Node` in `Node.js`, `app` in `app.use`, `/users` in `/users/1`. */
  alone?: 'everywhere' | 'outside of code' | undefined
}

/** A range of a page's text and its replacement. */
export interface Change {
  start: number
  end: number
  replace: string
}

export interface Found {
  changes: Change[]
  /** Lines, by zone, that contain the text where it must not be changed. */
  left: Map<Left, number[]>
}

/** Why a match stays: the zone that it stands in, or what it is. */
export type Left = Zone | 'elsewhere' | 'name' | 'local' | 'history' | 'newer'

/** Texts without special characters for quotes and YAML. */
const plainValue = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M} .,;()_/+-]|:(?=\S))*)?$/u
const mostLeft = 1000

/** Applies rules to a page's text, longer texts first. Each range is changed once. */
export function findText(page: PageText, rules: readonly Rule[]): Found {
  const { text } = page
  const changes: Change[] = []
  const left: Found['left'] = new Map()
  const taken = new Uint8Array(text.length)
  for (const rule of [...rules].sort((a, b) => b.find.length - a.find.length)) {
    const pattern = patternOf(rule)
    const lineOf = lineCounter(text)
    for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
      const start = found.index
      const end = start + found[0].length
      if (end === start) break
      if (!standsAlone(text, start, end, rule)) {
        pattern.lastIndex = start + 1
        continue
      }
      if (found[0] === rule.replace || isReplaced(text, start, rule)) continue
      const zone = zoneFor(page, start, end, rule)
      if (zone !== undefined) {
        const lines = left.get(zone) ?? []
        if (lines.length < mostLeft) left.set(zone, [...lines, lineOf(start)])
        continue
      }
      const change = changeOf(text, start, end, rule)
      if (!change || taken[change.start] === 1 || taken[change.end - 1] === 1) continue
      taken.fill(1, change.start, change.end)
      changes.push(change)
    }
  }
  return { changes: changes.sort((a, b) => a.start - b.start), left }
}

/** Why a match stays unchanged; undefined where it may be changed. */
function zoneFor(page: PageText, start: number, end: number, rule: Rule): Left | undefined {
  const zone = zoneOf(page, start, end)
  if (!rule.zones.has(zone)) return zone
  if (isQuoted(page, start) && !plainValue.test(rule.replace)) return 'markup'
  const { text } = page
  const isAlone = rule.alone === 'everywhere' || (rule.alone !== undefined && zone !== 'code')
  if (isAlone && isPartOfName(text, start, end)) return 'name'
  if (/^https?:\/\/$/.test(rule.find) && localHost.test(text.slice(end, end + 60))) return 'local'
  return rule.near === undefined || isNear(text, start, end, rule.near) ? undefined : 'elsewhere'
}

/** Addresses of one's own machine or network have no certificate. */
const localHost =
  /^(?:localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[|[\w-]+(?:[:/\s"'`)\]}]|$)|[\w.-]+\.(?:local|localhost|test|internal|lan)\b|[^\w])/i

/** Whether a name or address goes on at an end of the match. */
function isPartOfName(text: string, start: number, end: number): boolean {
  const [before, after] = [text.slice(Math.max(0, start - 2), start), text.slice(end, end + 6)]
  const [first = '', last = ''] = [text[start], text[end - 1]]
  if (/[\w-][.:]$|[-_/@$#\\]$|\\\[$/.test(before)) return true
  if (/[/.]/.test(first) && /[\w}>-]$/.test(before)) return true
  if (/^(?:[_@\\(]|[-/][^\s)]|[.:][*_]{0,2}\w)/.test(after)) return true
  return last === '/' && /^[\w{*<-]/.test(after)
}

/** Whether the word stands on the number's line, close to it and with no other number in between. */
function isNear(text: string, start: number, end: number, near: string): boolean {
  const from = Math.max(text.lastIndexOf('\n', start - 1) + 1, start - 120)
  const [before, after] = [
    text.slice(from, start),
    text.slice(end, Math.min(nextNewline(text, end), end + 120)),
  ]
  // The port of an address, or of a command that says it in its own way, needs no such word.
  if (
    near === 'port' &&
    /(?:(?:localhost|\d\.\d+|\]|\/\/[\w.-]{1,60}):|\.listen\(|\s-p \d{0,5}:?|^EXPOSE )$/.test(before)
  )
    return true
  const last = wordsIn(before).findLast(({ word }) => isForm(word, near))
  const next = wordsIn(after).find(({ word }) => isForm(word, near))
  const between = [last && before.slice(last.end), next && after.slice(0, next.start)]
  return between.some((gap) => gap !== undefined && !/\d|[.;!?]\s/.test(gap))
}

/** The words of a text; those of `DOCS_PORT` and `serverPort` are separate ones. */
function wordsIn(text: string): { word: string; start: number; end: number }[] {
  return [...text.matchAll(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lo}+/gu)].map((found) => ({
    word: found[0].toLowerCase(),
    start: found.index,
    end: found.index + found[0].length,
  }))
}

function isForm(word: string, near: string): boolean {
  return word === near || word === `${near}s` || near === `${word}s`
}

function changeOf(text: string, start: number, end: number, rule: Rule): Change | undefined {
  const match = text.slice(start, end)
  const replace = rule.typo ? withCapitals(match, rule.replace) : rule.replace
  const gap = /\n[ \t>]*/.exec(match)?.[0]
  if (gap === undefined) return { start, end, replace }
  // The line break moves after the new text, unless nothing would be left on the next line.
  const rest = text.slice(end, end + 200)
  if (!/^[^\S\n]*\S/.test(rest)) return undefined
  const space = /^[ \t]+/.exec(rest)?.[0].length ?? 0
  if (space > 0) return { start, end: end + space, replace: replace + gap }
  const at = replace.lastIndexOf(' ')
  return { start, end, replace: at < 0 ? replace : replace.slice(0, at) + gap + replace.slice(at + 1) }
}

function patternOf(rule: Rule): RegExp {
  const words = rule.find.trim() === '' ? [rule.find] : rule.find.split(/\s+/)
  const gap = '(?:[ \\t\\u00a0]+|[ \\t]*\\n[ \\t>]*)'
  return new RegExp(words.map(escapeWord).join(gap), rule.ignoreCase || rule.typo ? 'giu' : 'gu')
}

/** A word for an expression, also one of grep. */
export function escapeWord(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

const ending = /^(?:e?s|e?d|e?rs?|ing|ly|ment|al|ally)(?![\p{L}\p{N}_])/u
const wordCharacter = /[\p{L}\p{N}_]/u
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/** A word is only matched as a whole: `port` is not in `report`, `1.5` not in `1.50` or `1.5.2`. */
function standsAlone(text: string, start: number, end: number, rule: Rule): boolean {
  const joins = (a: string | undefined, b: string | undefined) =>
    a !== undefined &&
    b !== undefined &&
    wordCharacter.test(a) &&
    wordCharacter.test(b) &&
    !unspaced.test(a) &&
    !unspaced.test(b)
  if (joins(text[start - 1], text[start])) return false
  if (/^\d[.,]\d/.test(text.slice(start - 2, start + 1)) || /^\d[.,]\d/.test(text.slice(end - 1, end + 2)))
    return false
  if (!joins(text[end - 1], text[end])) return true
  // The word may have an ending, as in `recieved` or `seperately`; but `successfully` is not `successfull` with an
  // ending.
  return rule.typo && rule.find.length >= 5 && ending.test(text.slice(end, end + 8))
}

/** Whether the text is part of its own replacement already (`Acme` in `Acme Cloud`). */
function isReplaced(text: string, start: number, rule: Rule): boolean {
  const offset = rule.replace.indexOf(rule.find)
  return offset >= 0 && rule.replace !== rule.find && text.startsWith(rule.replace, start - offset)
}

function withCapitals(match: string, replace: string): string {
  if (match.length > 1 && match === match.toUpperCase() && match !== match.toLowerCase())
    return replace.toUpperCase()
  const first = match[0] ?? ''
  if (first !== first.toLowerCase()) return (replace[0] ?? '').toUpperCase() + replace.slice(1)
  return replace
}

/** Returns line numbers from 1, for ascending offsets. */
export function lineCounter(text: string): (offset: number) => number {
  let line = 1
  let next = text.indexOf('\n')
  return (offset) => {
    for (; next >= 0 && next < offset; next = text.indexOf('\n', next + 1)) line += 1
    return line
  }
}

/** Each edit goes through the whole file, so that of many changes those that stand near each other are one edit. */
const many = 150
const near = 400
const longestEdit = 4000

/**
 * The edits of one page for changes that do not overlap. Each edit has whole lines and its line number, last line
 * first, so that the numbers stay correct while the edits are made one after another.
 */
export function lineEdits(text: string, changes: readonly Change[]): { edits: Edit[]; lines: number[] } {
  const blocks: { start: number; end: number; line: number; changes: Change[] }[] = []
  const lineOf = lineCounter(text)
  const lines = new Set<number>()
  // What was not read whole cannot be named.
  const isNextTo = (block: { start: number; end: number }, { start, end }: Change): boolean =>
    changes.length > many &&
    start - block.end <= near &&
    end - block.start <= longestEdit &&
    !text.slice(block.end, start).includes(cutLine)
  for (const change of [...changes].sort((a, b) => a.start - b.start)) {
    const block = blocks.at(-1)
    const line = lineOf(change.start)
    lines.add(line)
    if (block && (change.start <= block.end || isNextTo(block, change))) {
      block.end = Math.max(block.end, nextNewline(text, change.end))
      block.changes.push(change)
    } else {
      const start = change.start === 0 ? 0 : text.lastIndexOf('\n', change.start - 1) + 1
      blocks.push({ start, end: nextNewline(text, change.end), line, changes: [change] })
    }
  }
  const edits: Edit[] = []
  for (const block of blocks.reverse()) {
    const search = text.slice(block.start, block.end)
    let replace = ''
    let at = block.start
    for (const change of block.changes) {
      replace += text.slice(at, change.start) + change.replace
      at = change.end
    }
    replace += text.slice(at, block.end)
    if (search !== replace && search !== '') edits.push({ search, replace, line: block.line })
  }
  return { edits, lines: [...lines] }
}

function nextNewline(text: string, from: number): number {
  const newline = text.indexOf('\n', from)
  return newline < 0 ? text.length : newline
}

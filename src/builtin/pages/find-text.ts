import type { Change } from './line-edits.ts'
import type { Zone } from './document.ts'
import { readDocument, zoneOf } from './document.ts'

/** One text and what takes its place, with where that may happen. */
export interface Rule {
  find: string
  replace: string
  ignoreCase: boolean
  /** Endings of a word may follow (`recieve` in `recieved`), and capitals are carried over. */
  typo: boolean
  zones: ReadonlySet<Zone>
}

export interface Found {
  changes: Change[]
  /** Lines, by zone, on which the text stands where it may not be changed. */
  left: Map<Zone, number[]>
}

/** Applies rules to a page's text, longer texts first; a stretch is changed once. */
export function findText(text: string, path: string, rules: readonly Rule[]): Found {
  const document = readDocument(text, path)
  const changes: Change[] = []
  const left = new Map<Zone, number[]>()
  const taken = new Uint8Array(text.length)
  const sorted = [...rules].sort((a, b) => b.find.length - a.find.length)
  for (const rule of sorted) {
    const pattern = patternOf(rule)
    for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
      const start = found.index
      let end = start + found[0].length
      if (end === start) break
      if (!standsAlone(text, start, end, rule)) {
        pattern.lastIndex = start + 1
        continue
      }
      const said = found[0]
      const broken = said.includes('\n')
      if (said === rule.replace || inside(text, start, rule)) continue
      const zone = zoneOf(document, start, end)
      if (!rule.zones.has(zone)) {
        const lines = left.get(zone) ?? []
        if (lines.length < 1000) left.set(zone, [...lines, lineNumber(text, start)])
        continue
      }
      let replace = rule.typo ? withCapitals(said, rule.replace) : rule.replace
      if (broken) {
        // The line break moves behind the new text, unless nothing would be left on the next line.
        const rest = /^[^\S\n]*\S/.exec(text.slice(end, end + 200))
        if (!rest) continue
        const gap = /\n[ \t>]*/.exec(said)?.[0] ?? '\n'
        const space = /^[ \t]+/.exec(text.slice(end, end + 200))?.[0].length ?? 0
        if (space > 0) {
          end += space
          replace += gap
        } else replace = replaceLastSpace(replace, gap)
      }
      if (taken[start] === 1 || taken[end - 1] === 1) continue
      taken.fill(1, start, end)
      changes.push({ start, end, replace })
    }
  }
  return { changes: changes.sort((a, b) => a.start - b.start), left }
}

function patternOf(rule: Rule): RegExp {
  const words = rule.find.trim() === '' ? [rule.find] : rule.find.split(/\s+/)
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll('-', '\\-'))
  const gap = '(?:[ \\t\\u00a0]+|[ \\t]*\\n[ \\t>]*)'
  return new RegExp(
    escaped.map((word) => word.replaceAll('\\-', '[-]')).join(gap),
    rule.ignoreCase || rule.typo ? 'giu' : 'gu',
  )
}

const wordCharacter = /[\p{L}\p{N}_]/u
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/** A term that is a word is only found as one: `port` is not in `report`. */
function standsAlone(text: string, start: number, end: number, rule: Rule): boolean {
  const joins = (a: string | undefined, b: string | undefined) =>
    a !== undefined &&
    b !== undefined &&
    wordCharacter.test(a) &&
    wordCharacter.test(b) &&
    !unspaced.test(a) &&
    !unspaced.test(b)
  if (joins(text[start - 1], text[start])) return false
  if (!joins(text[end - 1], text[end])) return true
  // `recieved`, `seperately`: the word goes on with an ending.
  return rule.typo && rule.find.length >= 5 && /^\p{Ll}{1,6}(?![\p{L}\p{N}_])/u.test(text.slice(end, end + 8))
}

/** Whether the text stands inside its own replacement already (`Acme` in `Acme Cloud`). */
function inside(text: string, start: number, rule: Rule): boolean {
  const offset = rule.replace.indexOf(rule.find)
  if (offset < 0 || rule.replace === rule.find || rule.find.length === 0) return false
  return text.startsWith(rule.replace, start - offset)
}

function withCapitals(said: string, replace: string): string {
  if (said.length > 1 && said === said.toUpperCase() && said !== said.toLowerCase())
    return replace.toUpperCase()
  const first = said[0] ?? ''
  if (first !== first.toLowerCase()) return (replace[0] ?? '').toUpperCase() + replace.slice(1)
  return replace
}

function replaceLastSpace(text: string, gap: string): string {
  const at = text.lastIndexOf(' ')
  return at < 0 ? text : text.slice(0, at) + gap + text.slice(at + 1)
}

function lineNumber(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

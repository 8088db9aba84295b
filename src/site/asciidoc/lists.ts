import { blankAt, type OutLine, prefixed } from '../markdown/write-blocks.ts'
import { printInline } from './inline.ts'
import {
  type Cursor,
  delimiterOf,
  isBlank,
  isComment,
  type Line,
  maxDepth,
  readDelimited,
  type Reading,
} from './reading.ts'

/** A line that begins an item. Items with the same mark are of one list. */
interface Mark {
  mark: string
  kind: 'plain' | 'ordered' | 'terms' | 'callouts'
  text: string
  /** Of a list of terms. */
  term: string
}

const marks: readonly [RegExp, Mark['kind']][] = [
  [/^\s*(-|\*{1,5}|•)\s+(\S.*)$/, 'plain'],
  [/^\s*(\.{1,5})\s+(\S.*)$/, 'ordered'],
  [/^\s*(\d{1,4}\.|[a-zA-Z]\.|[ivxIVX]{1,5}\))\s+(\S.*)$/, 'ordered'],
  [/^<(\d{1,3}|\.)>\s+(\S.*)$/, 'callouts'],
]

export function markOf(text: string): Mark | undefined {
  const mayBegin = /^\s*(?:[-*•.<]|\d{1,4}\.|[a-zA-Z]{1,5}[.)])/.test(text)
  for (const [form, kind] of mayBegin ? marks : []) {
    const [, sign = '', rest = ''] = form.exec(text) ?? []
    if (sign === '') continue
    const mark = kind === 'callouts' ? '<' : /^\w/.test(sign) ? (/^\d/.test(sign) ? '1' : 'a') : sign
    return { mark, kind, text: rest, term: '' }
  }
  return termOf(text)
}

/** `term:: text` */
function termOf(text: string): Mark | undefined {
  if (!(text.includes('::') || text.includes(';;')) || isComment(text)) return undefined
  const at = text.search(/:::?:?(?:\s|$)|;;(?:\s|$)/)
  const [sign = ''] = at > 0 ? (/^(?::{2,4}|;;)/.exec(text.slice(at, at + 4)) ?? []) : []
  const term = text.slice(0, Math.max(0, at)).trim()
  if (sign === '' || term === '' || text[at - 1] === ':') return undefined
  return { mark: sign, kind: 'terms', text: text.slice(at + sign.length).trim(), term }
}

/** Reads a list whose first item the cursor is at. `around` are the marks of the lists that it is in. */
export function printList(
  cursor: Cursor,
  reading: Reading,
  depth: number,
  around: readonly string[] = [],
): OutLine[] {
  const first = markOf(cursor.lines[cursor.at]?.text ?? '')
  if (first === undefined) return []
  const within = [...around, first.mark]
  const out: OutLine[] = []
  let number = 1
  while (cursor.at < cursor.lines.length) {
    const mark = markOf(cursor.lines[cursor.at]?.text ?? '')
    if (mark === undefined || mark.mark !== first.mark) break
    const index = cursor.lines[cursor.at]?.index ?? 0
    const terms = [mark.term]
    let own = mark
    // Several terms may share a text.
    while (
      own.kind === 'terms' &&
      own.text === '' &&
      markOf(cursor.lines[cursor.at + 1]?.text ?? '')?.mark === mark.mark
    ) {
      cursor.at++
      own = markOf(cursor.lines[cursor.at]?.text ?? '') ?? own
      terms.push(own.term)
    }
    cursor.at++
    const body = printItem(own, index, cursor, { reading, depth, within })
    const sign = first.kind === 'plain' || first.kind === 'terms' ? '- ' : `${number++}. `
    const term = terms.map((one) => printInline(one, reading.inline).markdown).filter((one) => one !== '')
    const title = term.map((one) => (one.includes('**') ? one : `**${one}**`)).join(', ')
    const whole =
      first.kind === 'terms'
        ? [{ text: title, index }, ...(body.length > 0 ? [blankAt(body), ...body] : [])]
        : body.length > 0
          ? body
          : [{ text: '', index }]
    if (out.length > 0 && whole.some(({ text }) => text === '')) out.push({ text: '', index })
    for (const line of prefixed(whole, sign, ' '.repeat(sign.length))) out.push(line)
  }
  return out
}

interface Within {
  reading: Reading
  depth: number
  within: readonly string[]
}

function printItem(mark: Mark, index: number, cursor: Cursor, { reading, depth, within }: Within): OutLine[] {
  const out: OutLine[] = []
  const put = (lines: readonly OutLine[]) => {
    if (lines.length === 0) return
    if (out.length > 0) out.push(blankAt(lines))
    for (const line of lines) out.push(line)
  }
  const paragraph: Line[] = mark.text === '' ? [] : [{ text: mark.text, index }]
  const takeText = () => {
    for (; cursor.at < cursor.lines.length; cursor.at++) {
      const line = cursor.lines[cursor.at]
      if (line === undefined || isBlank(line) || endsText(line.text)) break
      if (!isComment(line.text)) paragraph.push({ text: line.text.trim(), index: line.index })
    }
  }
  takeText()
  if (mark.kind === 'terms' && paragraph.length === 0) {
    const from = cursor.at
    while (isBlank(cursor.lines[cursor.at])) cursor.at++
    const next = cursor.lines[cursor.at]
    if (next !== undefined && !endsText(next.text)) takeText()
    else if (markOf(next?.text ?? '') === undefined) cursor.at = from
  }
  if (paragraph.length > 0) {
    const [first] = paragraph
    // A box around the first letters of an item of a checklist.
    const [box = ''] = /^\[[ x*]\] /.exec(first?.text ?? '') ?? []
    const text = paragraph.map((line) => line.text).join('\n')
    const printed = printInline(text.slice(box.length), reading.inline).markdown
    put(
      `${box === '' ? '' : box === '[ ] ' ? '[ ] ' : '[x] '}${printed}`
        .split('\n')
        .map((line, at) => ({ text: line.trimStart(), index: paragraph[at]?.index ?? index })),
    )
  }
  while (cursor.at < cursor.lines.length) {
    const from = cursor.at
    let blanks = 0
    while (isBlank(cursor.lines[cursor.at])) {
      cursor.at++
      blanks++
    }
    const above = linesAbovePlus(cursor)
    cursor.at += above.length
    const line = cursor.lines[cursor.at]
    if (line === undefined) break
    if (line.text === '+') {
      // With empty lines before it, it belongs to a list around this one.
      if (blanks > 0 && within.length > 1) {
        cursor.at = from + 1
        if (cursor.lines[cursor.at] === undefined) break
        return out
      }
      cursor.at++
      const list = listAt(cursor)
      if (list !== undefined && depth < maxDepth && !within.includes(list.mark)) {
        cursor.at = list.at
        put(printList(cursor, reading, depth + 1, within))
      } else put(reading.blocks([...above, ...attachedTo(cursor)], depth + 1))
      continue
    }
    const inner = listAt(cursor)
    if (inner !== undefined) {
      if (within.includes(inner.mark) || depth >= maxDepth) {
        if (!within.includes(inner.mark)) cursor.at = from
        return out
      }
      cursor.at = inner.at
      put(printList(cursor, reading, depth + 1, within))
      continue
    }
    if (blanks > 0 && /^\s/.test(line.text) && mark.kind !== 'callouts') {
      const start = cursor.at
      while (cursor.at < cursor.lines.length && !isBlank(cursor.lines[cursor.at])) cursor.at++
      put(reading.blocks(cursor.lines.slice(start, cursor.at), depth + 1))
      continue
    }
    cursor.at = from
    break
  }
  return out
}

/** What is said of an attached block before the `+`. */
function linesAbovePlus({ lines, at: from }: Cursor): readonly Line[] {
  let at = from
  while (at < from + 5 && /^\[.*\]$/.test(lines[at]?.text ?? '')) at++
  return lines[at]?.text === '+' ? lines.slice(from, at) : []
}

/** The list that begins here, below lines in brackets that say of which kind it is. */
function listAt({ lines, at: from }: Cursor): { mark: string; at: number } | undefined {
  let at = from
  while (at < from + 5 && /^\[[^[\]].*\]$/.test(lines[at]?.text ?? '')) at++
  const mark = markOf(lines[at]?.text ?? '')
  return mark === undefined ? undefined : { mark: mark.mark, at }
}

/** Whether a line ends the text of an item. */
function endsText(text: string): boolean {
  return (
    text === '+' ||
    delimiterOf(text) !== undefined ||
    /^\[(?:[\w.#%,"'].*|\[.*\])\]$/.test(text) ||
    /^={1,6}\s/.test(text) ||
    markOf(text) !== undefined
  )
}

/** The lines of the block that is attached to an item. */
function attachedTo(cursor: Cursor): Line[] {
  const start = cursor.at
  while (cursor.at < cursor.lines.length) {
    const text = cursor.lines[cursor.at]?.text ?? ''
    if (
      !/^(?:\[.*\]|\.[^\s.].*)$/.test(text) &&
      !isComment(text) &&
      !(isBlank(cursor.lines[cursor.at]) && cursor.at === start)
    )
      break
    cursor.at++
  }
  const text = cursor.lines[cursor.at]?.text ?? ''
  const block = delimiterOf(text)
  if (block !== undefined) {
    cursor.at++
    readDelimited(cursor, block.close)
  } else if (markOf(text) !== undefined)
    while (cursor.at < cursor.lines.length && !isBlank(cursor.lines[cursor.at])) cursor.at++
  else
    while (cursor.at < cursor.lines.length) {
      const line = cursor.lines[cursor.at]
      if (
        isBlank(line) ||
        line?.text === '+' ||
        (cursor.at > start && markOf(line?.text ?? '') !== undefined)
      )
        break
      cursor.at++
    }
  return cursor.lines.slice(start, cursor.at)
}

import type { OutLine } from '../markdown/write-blocks.ts'
import { listOf } from './attributes.ts'
import type { Attributes } from './attributes.ts'
import type { Ids } from './ids.ts'
import type { InlineContext } from './inline.ts'

/** A line that is read, and its place among the lines that the page was made of, from 0. */
export interface Line {
  text: string
  index: number
}

/** What a page is read with. */
export interface Reading {
  attributes: Attributes
  ids: Ids
  inline: InlineContext
  offsetOf: (index: number) => number
  /** The title of the page. */
  title: { text: string | undefined }
  blocks: (lines: readonly Line[], depth: number) => OutLine[]
}

/** Lines, and how far they were read. */
export interface Cursor {
  lines: readonly Line[]
  at: number
}

/** What the lines above a block say of it. */
export interface Above {
  style: string
  ids: string[]
  reftext: string | undefined
  title: string | undefined
  positional: readonly string[]
  named: ReadonlyMap<string, string>
  options: ReadonlySet<string>
}

export const maxDepth = 16

export const isBlank = (line: Line | undefined): boolean => (line?.text.trim() ?? 'x') === ''

const attributeLine = /^\[(?:[\w.#%,"'].*|\s*)\]$/

/** Reads the lines above a block: `[style#id,name=value]`, `[[id]]`, `.Title`. Comments and attributes of the page, too. */
export function readAbove(cursor: Cursor, reading: Reading): Above {
  const ids: string[] = []
  const named = new Map<string, string>()
  const options = new Set<string>()
  let [style, reftext, title] = ['', undefined as string | undefined, undefined as string | undefined]
  let positional: string[] = []
  for (; cursor.at < cursor.lines.length; cursor.at++) {
    const text = cursor.lines[cursor.at]?.text ?? ''
    // Most lines say nothing of a block.
    if (/^[^[.:/\s]/.test(text)) break
    const [, id, name] = /^\[\[([^\],]{1,300})(?:,([^\]]{0,500}))?\]\]$/.exec(text) ?? []
    if (id !== undefined) {
      ids.push(reading.attributes.fill(id).trim())
      if (name !== undefined) reftext = reading.attributes.fill(name).trim()
    } else if (attributeLine.test(text)) {
      const list = listOf(reading.attributes.fill(text.slice(1, -1)))
      const [first = ''] = list.positional
      const short = first.search(/[#.%]/)
      const [own, rest] = short === -1 ? [first, ''] : [first.slice(0, short), first.slice(short)]
      if (own !== '') style = own
      // With a blank in it, it is no short form.
      for (const [, sign, value = ''] of first.includes(' ')
        ? []
        : rest.matchAll(/([#.%])([^#.%]{1,200})/g)) {
        if (sign === '#') ids.push(value)
        if (sign === '%') options.add(value)
      }
      if (list.positional.length > 0) positional = list.positional
      for (const [key, value] of list.named) named.set(key, value)
      for (const option of (list.named.get('options') ?? list.named.get('opts') ?? '').split(','))
        if (option.trim() !== '') options.add(option.trim())
    } else if (/^\.[^\s.].*$/.test(text) || /^\.\.[^\s.]/.test(text)) title = text.slice(1)
    else if (!isComment(text) && !reading.attributes.read(text)) {
      // Empty lines between them and the block mean nothing.
      const isWaiting = ids.length > 0 || style !== '' || title !== undefined || positional.length > 0
      if (!(isBlank(cursor.lines[cursor.at]) && isWaiting)) break
    }
  }
  const own = named.get('id')
  if (own !== undefined) ids.push(own)
  return {
    style,
    ids,
    reftext: named.get('reftext') ?? reftext,
    title: named.get('title') ?? title,
    positional,
    named,
    options,
  }
}

export function isComment(text: string): boolean {
  return text.startsWith('//') && !text.startsWith('///')
}

const delimiter =
  /^(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|\/{4,}|--|[|,:!]={3,}|`{3,}[\w+-]{0,40}(?:,.*)?)$/

/** The sign that begins a block of several lines, and the line that ends it. */
export function delimiterOf(text: string): { kind: string; close: string; language: string } | undefined {
  if (!delimiter.test(text)) return undefined
  const [fence = ''] = /^`+/.exec(text) ?? []
  return fence === ''
    ? { kind: text.slice(0, 2), close: text, language: '' }
    : { kind: '``', close: fence, language: text.slice(fence.length).split(',')[0] ?? '' }
}

/** The lines of such a block, whose first line was read. */
export function readDelimited(cursor: Cursor, close: string): Line[] {
  const start = cursor.at
  while (cursor.at < cursor.lines.length && cursor.lines[cursor.at]?.text !== close) cursor.at++
  const body = cursor.lines.slice(start, cursor.at)
  cursor.at++
  return body
}

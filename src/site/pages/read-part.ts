/** A piece of a page, from one heading to before the next, in the order of the page. */
export interface ReadablePart {
  anchor?: string | undefined
  /** Level of its heading; 0 for what stands before the first one. */
  level: number
  heading: string
  /** With its heading. */
  text: string
}

/** What is read of a page at once. */
export interface Reading {
  text: string
  /** Where the rest begins, for the next reading; left out at the end. */
  next?: number
  /** The sections that are not in the text as a whole: to read by their addresses. */
  others: Omit<ReadablePart, 'text'>[]
}

/** A rest that is not worth another reading, as a share of the bytes at once. */
const slack = 0.2
const mostOthers = 60
const gap = '\n\n'

/**
 * Reads a page, or one section of it with those below it, within a budget. Every text can be read to its end,
 * however long and however little structure it has.
 * @param anchor names a section; undefined for the page
 * @param from where to begin, in characters: `next` of the reading before
 * @param budget bytes, at least
 * @returns undefined where the page has no such section
 */
export function readPart(
  parts: readonly ReadablePart[],
  { anchor, from = 0, budget }: { anchor?: string | undefined; from?: number | undefined; budget: number },
): Reading | undefined {
  const chosen = anchor === undefined ? parts : sectionOf(parts, anchor)
  if (chosen === undefined) return undefined
  const whole = chosen.map(({ text }) => text).join(gap)
  const start = Math.min(from, whole.length)
  const end = endOf(whole, start, chosen, budget)
  const text = closeFence(whole.slice(start, end).trim().toWellFormed())
  const shownParts = new Set<ReadablePart>()
  for (const { part, first, last } of placesOf(chosen))
    if (first >= start && last <= end) shownParts.add(part)
  const isRest = end < whole.length
  const others =
    isRest || from > 0 || anchor !== undefined ? outline(parts.filter((part) => !shownParts.has(part))) : []
  return { text, ...(isRest && { next: end }), others }
}

function sectionOf(parts: readonly ReadablePart[], anchor: string): readonly ReadablePart[] | undefined {
  const exact = parts.findIndex((part) => part.anchor === anchor)
  const at =
    exact === -1 ? parts.findIndex((part) => part.anchor?.toLowerCase() === anchor.toLowerCase()) : exact
  const first = parts[at]
  if (first === undefined) return undefined
  const length = parts.slice(at + 1).findIndex(({ level }) => level <= first.level)
  return length === -1 ? parts.slice(at) : parts.slice(at, at + 1 + length)
}

function placesOf(parts: readonly ReadablePart[]): { part: ReadablePart; first: number; last: number }[] {
  let at = 0
  return parts.map((part) => {
    const first = at
    at += part.text.length + gap.length
    return { part, first, last: first + part.text.length }
  })
}

/** Before a section, else between blocks, lines or words, as late as the budget allows. */
function endOf(whole: string, start: number, parts: readonly ReadablePart[], budget: number): number {
  const rest = whole.slice(start, start + 2 * budget)
  const bytes = Buffer.byteLength(rest)
  if (start + rest.length === whole.length && bytes <= budget * (1 + slack)) return whole.length
  // Characters of other scripts have more bytes, and more tokens.
  const most = Math.max(1, Math.floor((rest.length * budget) / bytes))
  const window = rest.slice(0, most)
  const heading = placesOf(parts).findLast(({ first }) => first > start + most / 2 && first <= start + most)
  if (heading) return heading.first
  for (const mark of ['\n\n', '\n', ' ']) {
    const at = window.lastIndexOf(mark)
    if (at > most / 2) return start + at + mark.length
  }
  const last = window.charCodeAt(window.length - 1)
  return start + (last >= 0xd800 && last <= 0xdbff && most > 1 ? most - 1 : most)
}

/** The upper levels, where there are many. */
function outline(parts: readonly ReadablePart[]): Reading['others'] {
  const named = parts.filter(({ level, heading }) => level > 0 && heading !== '')
  const levels = [...new Set(named.map(({ level }) => level))].toSorted((a, b) => a - b)
  const fitting = levels.findLast((most) => named.filter(({ level }) => level <= most).length <= mostOthers)
  return named
    .filter(({ level }) => fitting === undefined || level <= fitting)
    .slice(0, mostOthers)
    .map(({ anchor, level, heading }) => ({ anchor, level, heading }))
}

function closeFence(text: string): string {
  const fences = text.match(/^[ \t]{0,3}(?:```|~~~)/gm) ?? []
  return fences.length % 2 === 0 ? text : `${text}\n${fences.at(-1)?.trim() ?? ''}`
}

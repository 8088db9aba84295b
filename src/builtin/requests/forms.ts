import type { Masked } from './mask.ts'

/**
 * A phrase pattern of a request: `replace|swap the? word? {from} with|by {to} {where}?`. Words stand for
 * themselves, `a|b` for one of several, `_` for a blank in them, `?` makes optional and `*` repeatable, and
 * `{name}` is a slot. The name of a slot decides what it accepts.
 */
export interface Form {
  parts: readonly Part[]
}

type Part =
  | { slot: string; optional: boolean }
  | { words: readonly (readonly string[])[]; optional: boolean; repeated: boolean }

/** A word of a request: the original, and in lower case without surrounding punctuation. */
export interface Word {
  text: string
  key: string
}

/** The words of a form's slots. */
export type Slots = Readonly<Record<string, Word[] | undefined>>

export function formOf(pattern: string): Form {
  const parts = pattern.split(' ').map((part): Part => {
    const bare = part.replace(/[?*]$/, '')
    const optional = bare !== part
    if (bare.startsWith('{')) return { slot: bare.slice(1, -1), optional }
    const words = bare.split('|').map((one) => one.split('_'))
    return { words, optional, repeated: part.endsWith('*') }
  })
  return { parts }
}

export function wordsOf(head: string): Word[] {
  return head
    .replace(/(\uE000\d{1,9}\uE001)(?=[^\s,.;:!?)'’])/g, '$1 ')
    .split(/\s+/)
    .filter((text) => text !== '')
    .map((text) => ({ text, key: bareWord(text).toLowerCase() }))
}

/** The word without an opening bracket and the punctuation after it. */
function bareWord(text: string): string {
  const start = text.startsWith('(') && text.length > 1 ? 1 : 0
  const closing = text.slice(start).includes('(') ? ',;:!?' : ',;:!?)'
  let end = text.length
  while (end > 1 && closing.includes(text[end - 1] ?? '')) end -= 1
  return text.slice(start, end)
}

/** More steps than any sensible match takes: a longer text was not written as a request. */
const mostSteps = 20_000

/** Returns the slots of the first accepted match of the words with this form, each slot as short as possible. */
export function matchForm(
  { parts }: Form,
  words: readonly Word[],
  accept: (slots: Slots) => boolean = () => true,
): Slots | undefined {
  let steps = 0
  const match = (part: number, at: number, slots: Slots): Slots | undefined => {
    if (++steps > mostSteps) return undefined
    const current = parts[part]
    if (!current) return at === words.length && accept(slots) ? slots : undefined
    if ('slot' in current) {
      const skipped = current.optional ? match(part + 1, at, slots) : undefined
      if (skipped) return skipped
      const test = kinds[current.slot]
      const next = parts[part + 1]
      for (let end = at + 1; end <= words.length; end++) {
        if (next && 'words' in next && !next.optional && !takes(next.words, words, end)) continue
        const held = words.slice(at, end)
        if (test && !test(held)) continue
        const reading = match(part + 1, end, { ...slots, [current.slot]: held })
        if (reading) return reading
      }
      return undefined
    }
    for (const option of current.words) {
      if (!takes([option], words, at)) continue
      const next = current.repeated ? part : part + 1
      const reading = match(next, at + option.length, slots)
      if (reading) return reading
    }
    return current.optional ? match(part + 1, at, slots) : undefined
  }
  return match(0, 0, {})
}

function takes(options: readonly (readonly string[])[], words: readonly Word[], at: number): boolean {
  return options.some((option) => option.every((word, index) => words[at + index]?.key === word))
}

const quotation = /^\(?\uE000\d{1,9}\uE001['’]?s?[,;:.!?)]*$/
const path = /^[^\s\uE000]+\.(?:ya?ml|json|mdx?|markdown|rst)[,;:]?$/i
const placeWord = /^(?:in|on|from|across|throughout|within|under|inside|everywhere|globally)$/
/** Kinds of text, which are no place: "in links", "in the titles". */
const kindOfText =
  /^(?:from|code|links?|urls?|titles?|headings?|tables?|images?|blocks?|comments?|sentences?|examples?|snippets?)$/

export function isQuotation(words: readonly Word[] | undefined): boolean {
  return words?.length === 1 && quotation.test(words[0]?.text ?? '')
}

function holdsMark(word: Word): boolean {
  return word.text.includes('\uE000')
}

/** Accepts one quotation, or a few words without one. */
const text = (most: number) => (words: readonly Word[]) =>
  isQuotation(words) || (words.length <= most && !words.some(holdsMark))
/** "For" is a place only before pages: "for all pages", but not "for consistency". */
const place = (words: readonly Word[]) => {
  const [first, last] = [words[0]?.key ?? '', words.at(-1)?.key ?? '']
  if (words.some(holdsMark))
    return placeWord.test(first) && words.slice(1).every((word) => holdsMark(word) || beside.test(word.key))
  if (first === 'for') return /^(?:docs?|documentation|pages?|files?|guides?|folder|site)$|[/.]/.test(last)
  const isKind = words.some(
    ({ key }, at) => kindOfText.test(key) && (at === words.length - 1 || words[at + 1]?.key === 'of'),
  )
  return placeWord.test(first) && !isKind
}
const beside =
  /^(?:the|our|my|this|that|and|or|page|pages|article|document|doc|guide|file|called|named|titled|about)$/
/** The name of a page in quotes, with no more than "the page" around it, or a few words. */
const pageName = (words: readonly Word[]) => {
  const quoted = words.filter(holdsMark)
  if (quoted.length > 1) return false
  return quoted.length === 0
    ? words.length <= 10 && !/^(?:it|them|this|that|these|those|everything|all)$/.test(words[0]?.key ?? '')
    : words.every((word) => holdsMark(word) || beside.test(word.key))
}

/** What the slots accept; slots that are not listed accept anything. */
const kinds: Record<string, (words: readonly Word[]) => boolean> = {
  from: text(12),
  to: text(12),
  term: text(4),
  title: text(12),
  heading: text(8),
  group: text(6),
  what: text(4),
  page: pageName,
  product: (words) => words.length <= 4 && !words.some(holdsMark),
  version: (words) => words.length === 1 && /^v?\d+(?:\.[\dx]+)*(?:-[\w.]+)?$/i.test(words[0]?.key ?? ''),
  where: place,
  rest: () => true,
  quoted: isQuotation,
  file: (words) => words.length === 1 && (isQuotation(words) || path.test(words[0]?.text ?? '')),
  folder: (words) => words.length === 1 && /[^\s\uE000]\/[,;:]?$/.test(words[0]?.text ?? ''),
}

/** The value of a slot: the inside of a quotation, or the words. */
export function valueOf(words: readonly Word[] | undefined, masked: Masked): string {
  if (!words) return ''
  const text = words.map((word) => word.text).join(' ')
  return masked.valueOf(bareWord(text))
}

/** The words of a slot with their quotes, for page names. */
export function rawValueOf(words: readonly Word[] | undefined, masked: Masked): string {
  return masked.restore(bareWord((words ?? []).map((word) => word.text).join(' '))).trim()
}

/** A mark by which a model cites in a form of its own, as `[1]`, `[^2]`, `[1, 3]` or `【4:0†source】`. */
export interface CitationMark {
  /** Characters. */
  length: number
  /** The numbers that it names; none where they name nothing that the model was shown. */
  numbers: number[]
}

/** How models cite that were trained to number what they found: the third form stands in characters of private use. */
const bracketed = /^(?:\[\^?\d{1,2}(?:\s?[,;–-]\s?\^?\d{1,2}){0,9}\^?\]|\[\[\^?\d{1,2}\^?\]\])/
const daggered = /^【([^】\n]{0,400})】/
const privateUse = /^\u{E200}[^\u{E201}\n]{0,300}\u{E201}/u
const begun =
  /^(?:\[{1,2}[\d^,;–\s-]{0,60}\]{0,2}|【[^】\n]{0,400}】?|\u{E200}[^\u{E201}\n]{0,300}\u{E201}?)$/u

/**
 * Reads the mark that a text begins with.
 * @param before the end of the line before it: behind a name, `[1]` is an index
 * @param whole nothing more of the line comes
 */
export function readCitationMark(
  before: string,
  text: string,
  whole: boolean,
): CitationMark | 'more' | undefined {
  if (!whole && begun.test(text)) return 'more'
  const mark = bracketed.exec(text)?.[0] ?? readDaggered(text) ?? privateUse.exec(text)?.[0]
  if (mark === undefined) return undefined
  if (!mark.startsWith('[')) return { length: mark.length, numbers: [] }
  const numbers = (mark.match(/\d+/g) ?? []).map(Number)
  const next = text.slice(mark.length, mark.length + 1)
  if (next === '(' || next === ':' || numbers.includes(0)) return undefined
  return isIndex(before, next) ? undefined : { length: mark.length, numbers }
}

// Chinese and Japanese texts have these brackets around words.
function readDaggered(text: string): string | undefined {
  const [mark, inside = ''] = daggered.exec(text) ?? []
  return inside.includes('†') || (/^[\d:, ]+$/.test(inside) && /^\d/.test(inside)) ? mark : undefined
}

function isIndex(before: string, next: string): boolean {
  if (before.endsWith(']')) return true
  const word = before.split(/[^\p{L}\p{N}_$]/u).at(-1) ?? ''
  if (word === '') return false
  const isPlain = /^(?:\p{Lu}?\p{Ll}{2,}|\p{Lu}{2,}|\p{Lo}+|\d+)$/u.test(word)
  return !isPlain || !/^[\s.,;:!?)[】]?$/.test(next)
}

import { diffArrays, type ArrayChange } from 'diff'

/** Parts of a text, by what became of them. */
interface MarkedParts {
  /** For each token, whether the other text lacks it. */
  before: boolean[]
  after: boolean[]
}

const token =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu

/** Words, signs and the space between them. Scripts without spaces are split into their characters. */
export function wordsOf(text: string): string[] {
  return text.match(token) ?? []
}

const mostEdits = 1500
/** Milliseconds for one comparison, of words and of lines. */
const patience = { words: 150, lines: 300 }

/** A part of two texts: words that both have, or words of the one that others of the other take the place of. */
interface Run {
  isSame: boolean
  /** How many words it has in each. */
  before: number
  after: number
}

/**
 * Two texts in runs. Undefined where they have so little in common that marks on single words would only confuse, or where
 * comparing them takes too long.
 */
export function runsOf(before: readonly string[], after: readonly string[]): Run[] | undefined {
  const parts = diffWords(before, after)
  if (!parts) return undefined
  const runs: Run[] = []
  let at = 0
  for (const [index, { added, removed, value }] of parts.entries()) {
    const isSpace =
      !added && !removed && value.every((_, offset) => /^[ \t]+$/.test(before[at + offset] ?? ''))
    // A phrase reads as one change: space within it belongs to it.
    const joins = isSpace && index > 0 && index + 1 < parts.length
    const isSame = !added && !removed && !joins
    const last = runs.at(-1)
    const run = last && last.isSame === isSame ? last : { isSame, before: 0, after: 0 }
    if (run !== last) runs.push(run)
    if (!added) run.before += value.length
    if (!removed) run.after += value.length
    if (!added) at += value.length
  }
  return runs
}

/** Words that both texts have at a place, or that one of them has. */
type Difference = Pick<ArrayChange<string>, 'added' | 'removed' | 'value'>

function diffWords(before: readonly string[], after: readonly string[]): Difference[] | undefined {
  if (similarity(before, after) < 0.3) return undefined
  return compare(before.map(unwrapped), after.map(unwrapped), patience.words) ?? diffLines(before, after)
}

function compare(before: string[], after: string[], timeout: number): Difference[] | undefined {
  return diffArrays(before, after, { maxEditLength: mostEdits, timeout })
}

/** Lines of code, where there are too many changes to compare all words at once. Changed lines are not compared any further. */
function diffLines(before: readonly string[], after: readonly string[]): Difference[] | undefined {
  const [left, right] = [before, after].map(linesOf)
  const lines = compare(
    (left ?? []).map((line) => line.join('')),
    (right ?? []).map((line) => line.join('')),
    patience.lines,
  )
  const at = { left: 0, right: 0 }
  return lines?.map(({ added, removed, value }) => {
    const from = added ? right : left
    const start = added ? at.right : at.left
    if (!added) at.left += value.length
    if (!removed) at.right += value.length
    return { added, removed, value: (from ?? []).slice(start, start + value.length).flat() }
  })
}

function linesOf(words: readonly string[]): string[][] {
  const lines: string[][] = [[]]
  for (const word of words) {
    lines.at(-1)?.push(word)
    if (word.includes('\n')) lines.push([])
  }
  return lines
}

/** Which words of two texts differ; undefined where `runsOf` is. */
export function compareWords(before: readonly string[], after: readonly string[]): MarkedParts | undefined {
  const parts = diffWords(before, after)
  if (!parts) return undefined
  const marks: MarkedParts = { before: [], after: [] }
  for (const { added, removed, value } of parts) {
    if (!added) marks.before.push(...value.map(() => removed))
    if (!removed) marks.after.push(...value.map(() => added))
  }
  joinMarks(before, marks.before)
  joinMarks(after, marks.after)
  return marks
}

/** A line that is wrapped elsewhere has not changed. */
function unwrapped(word: string): string {
  return word === '\n' ? ' ' : word
}

/** A phrase reads as one change: space within it is marked as well, and space around it is not. */
function joinMarks(words: readonly string[], marks: boolean[]): void {
  const isSpace = (at: number): boolean => /^[ \t]+$/.test(words[at] ?? '')
  for (let at = 1; at + 1 < marks.length; at++)
    if (!marks[at] && marks[at - 1] && marks[at + 1] && isSpace(at)) marks[at] = true
  for (let start = 0; start < marks.length; start++) {
    if (!marks[start]) continue
    let end = start
    while (marks[end + 1]) end++
    if (end > start && isSpace(start)) marks[start] = false
    if (end > start && isSpace(end)) marks[end] = false
    start = end
  }
}

/** From 0 to 1: how much of two texts consists of the same words, in whatever order. */
export function similarity(before: readonly string[], after: readonly string[]): number {
  const left = new Map<string, number>()
  let size = 0
  for (const word of before) {
    if (!isWord(word)) continue
    left.set(word, (left.get(word) ?? 0) + 1)
    size++
  }
  let same = 0
  for (const word of after) {
    if (!isWord(word)) continue
    size++
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    same++
  }
  return size === 0 ? 1 : (2 * same) / size
}

function isWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

import { termsOf } from '../../../lib/prompts/question-terms.ts'

/** How a word is written in the one spelling by which words are compared: `colour` as `color`. */
export type Spelling = (word: string) => string

/** What two questions are compared by. */
export interface QuestionKey {
  /** Its words without those that only ask, in their order. */
  words: readonly string[]
  /** Their order matters, in this question and in what is compared with it. */
  isOrdered: boolean
  /** The same in the order of the question, without spaces. */
  joined: string
}

/** Words that say that something is asked, and nothing of what. "Not", "without", "why" and their like are none. */
const fillers = new Set(
  `a an the any some please hi hello hey thanks thank you do does did i we my our your me us is are am was were be been being can could should
  would will shall may might must there it its of for in on at how what whats way ways possible to get so if tell explain show know want
  need like this that these those they them und der die das ein eine ist sind wie kann ich man wir was le la les un une est sont comment puis je on el los las una es son como
  puedo se`.split(/\s+/),
)
/** Words that make the order of the others matter: "from Markdown to MDX" is not "from MDX to Markdown". */
const directions = new Set(
  'to into from than before after between versus vs with without over instead via through by von nach zu zum mit ohne de sin con'.split(
    ' ',
  ),
)
/** More is no question that was pinned. */
const longestCompared = 500
/** Letters from which on a slip of the keyboard is forgiven. */
const leastLetters = 5

/** Undefined where no word says what a text asks for. Takes time in proportion to the length of the text. */
export function keyOfQuestion(text: string, spelling: Spelling): QuestionKey | undefined {
  if (text.length > longestCompared) return undefined
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').normalize('NFKC').toLowerCase()
  const spoken = plain.replaceAll('ß', 'ss').split(/[^\p{L}\p{N}.’'+#-]/u)
  const all = spoken.map(bareWord).filter((word) => word !== '')
  const telling = all.filter((word) => !fillers.has(word))
  // The words that only ask are all that some questions have.
  const words = (telling.length > 0 ? telling : all).flatMap((word) =>
    /[.+#]/.test(word) ? [word] : termsOf(spelling(word)),
  )
  if (words.length === 0) return undefined
  return { words, isOrdered: all.some((word) => directions.has(word)), joined: words.join('') }
}

/** A word without punctuation around it and without a possessive: "C++" and "node.js" stay. */
function bareWord(text: string): string {
  const [word = ''] = text.replace(/^[.’'#-]{1,10}/, '').split(/[’']/, 1)
  return word.replace(/[.-]{1,10}$/, '')
}

function inOrder({ words }: QuestionKey, isOrdered: boolean): readonly string[] {
  return isOrdered ? words : [...new Set(words)].sort()
}

/** The same for questions that are the same by their words. */
export function groupOf(key: QuestionKey): string {
  return inOrder(key, key.isOrdered).join(' ')
}

/** How like two questions are: 2 by the same words, 1 but for a slip in one of them, 0 not at all. */
export function likeness(one: QuestionKey, other: QuestionKey): 0 | 1 | 2 {
  const isOrdered = one.isOrdered || other.isOrdered
  const [left, right] = [inOrder(one, isOrdered), inOrder(other, isOrdered)]
  if (one.joined === other.joined || left.join(' ') === right.join(' ')) return 2
  if (left.length !== right.length || left.length < 2) return 0
  const differing = [...left.keys()].filter((at) => left[at] !== right[at])
  const [at = 0] = differing
  return differing.length === 1 && isSlip(left[at] ?? '', right[at] ?? '') ? 1 : 0
}

/** Whether words differ by a letter too few, two that changed places, or `s` and `z` or `c`: another letter makes another word. */
function isSlip(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < leastLetters || !/^\p{L}+$/u.test(one + other)) return false
  if (one.charAt(0) !== other.charAt(0)) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  let end = 0
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)]
  if (left.length + right.length === 1) return true
  if (left.length === 2 && right.length === 2) return left[0] === right[1] && left[1] === right[0]
  return /^[szc][szc]$/.test(left + right)
}

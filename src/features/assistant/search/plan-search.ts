import { isCourtesy } from '../../../lib/prompts/courtesies.ts'
import { hasOwnSubject } from '../../../lib/prompts/follow-ups.ts'
import { readPasted } from '../../../lib/prompts/pasted-text.ts'
import { isUnspaced, questionTerms } from '../../../lib/prompts/question-terms.ts'
import type { Said } from '../threads/messages.ts'
import type { ContextItem } from '../ports.ts'

/** Searches for one question, whose results are fused by rank. */
export interface SearchPlan {
  /** What clients and models are told was searched for. */
  query: string
  /** At least one. */
  searches: PlannedSearch[]
}

export interface PlannedSearch {
  query: string
  by: QueryAuthor
  /** How much its ranks count beside those of the others. */
  weight: number
  /** Whether it stands for the whole question, so that its confidence says how well the documentation covers it. */
  whole: boolean
}

/** Where the words of a query come from. `conversation`: from the question and what was asked before it. */
export type QueryAuthor = 'question' | 'conversation' | 'selection' | 'model'

const mostKeyWords = 12
/** What a question with a subject of its own counts together with those before, beside it alone. */
const weightBefore = 0.4
const longestQuestion = 400
const longestSelection = 300
/** Of what is sent: the rest is cut off anyway. */
const mostRead = 10_000

/**
 * What to search for to answer a question, without a model. A follow-up is searched together with what was asked
 * before, and by its own words. A question about the selection searches for the selection, which also stands for
 * what was asked before.
 * @returns undefined where there is nothing to look up, as for a greeting
 */
export function planSearch(conversation: {
  question: string
  history: Said[]
  context: ContextItem[]
}): SearchPlan | undefined {
  const question = cleaned(conversation.question)
  if (isCourtesy(question)) return undefined
  const asksNothing = questionTerms(question).size === 0
  const selection = selectionOf(conversation.context)
  if (selection !== '' && isAboutSelection(question)) {
    const own = asksNothing ? [] : [{ query: question, by: 'question' as const, weight: 0.3, whole: false }]
    return {
      query: selection,
      searches: [{ query: selection, by: 'selection', weight: 1, whole: true }, ...own],
    }
  }
  const kind = followUpOf(question)
  // "How often?" is about what is selected, as it would be about what was asked before.
  const by = selection === '' ? 'conversation' : 'selection'
  const earlier = kind === undefined ? '' : selection || earlierWords(question, conversation.history)
  if (earlier === '') return asksNothing ? undefined : planOf(question)
  // Figures of bench/dialogues.ts: "How do I turn it off?" needs the words before, "and on Windows?" hardly does.
  const weights = kind === 'points' ? { own: 0.3, earlier: 0.2 } : { own: 0.7, earlier: 0 }
  const query = `${question} ${earlier}`
  if (kind === 'continues' && hasOwnSubject(question))
    return {
      query,
      searches: [
        { query, by, weight: weightBefore, whole: true },
        { query: question, by: 'question', weight: 1, whole: true },
      ],
    }
  const parts = [
    { query: question, by: 'question' as const, weight: asksNothing ? 0 : weights.own, whole: false },
    { query: earlier, by, weight: weights.earlier, whole: false } as const,
  ]
  return {
    query,
    searches: [{ query, by, weight: 1, whole: true }, ...parts.filter(({ weight }) => weight > 0)],
  }
}

/** The plan of a query that stands for itself. */
export function planOf(query: string, by: QueryAuthor = 'question'): SearchPlan {
  return { query, searches: [{ query, by, weight: 1, whole: true }] }
}

/** How much the literal searches count beside queries that a model wrote. */
const literalShare = 0.8

/** Adds queries that a model wrote for the same question. */
export function withQueries(plan: SearchPlan, queries: string[]): SearchPlan {
  if (queries.length === 0) return plan
  const literal = plan.searches.map((search) => ({ ...search, weight: search.weight * literalShare }))
  const written = queries.map((query) => ({ query, by: 'model' as const, weight: 1, whole: true }))
  return { query: plan.query, searches: [...written, ...literal] }
}

const opening =
  /^(?:and|but|so|or|also|then|what about|how about|what if|why|why not|same|ok(?:ay)?,? (?:and|but)|which one|with|und|oder|aber|auch|was ist mit|wie ist es mit|et|ou|mais|aussi|y|¿\s?y|pero|también|e|ed|mas|também|en|maar|ook|och|men|og|ale|и|а|но|или|ve|peki|ya)\s|^(?:那|那么|还有|另外|如果|それでは|じゃあ|では|그럼|그리고)|(?:呢|では|の場合は?|はどう(?:ですか)?|(?:에서)?는요?|은요)[？?]?$|^(?:why|how|which one|what else|那么|为什么)\W{0,3}$/iu
const pointing =
  /\b(?:it|its|that|this|them|they|those|these|one|ones|same|above|previous|latter|former|afterwards)\b|\b(?:many|much|else|another)\s?\?|它|这个|那个|第[一二三四]个/i
/** The same in other languages, as far as these words mean nothing else. */
const pointingElsewhere =
  /(?<!\p{L})(?:davon|damit|dafür|dazu|dies(?:e[rsnm]?)?|ça|cela|ceci|celui|celle|ceux|eso|esto|esos|esas|ello|isso|isto|disso|questo|quello|ciò|hiervan|ervan|это|этот|этого|его|их)(?!\p{L})|それ|これ|その|あれ|그것|이것|그거/iu
const mostPointingWords = 10
/** A question with more informative words than this says by itself what it is about. */
const mostOwnTerms = 3

/** How a question needs the ones before: `points` has a word for their subject, `continues` leaves a part out. */
function followUpOf(question: string): 'points' | 'continues' | undefined {
  const terms = [...questionTerms(question).values()]
  const words = question.split(/\s+/).length
  const strength = terms.reduce((sum, weight) => sum + weight, 0)
  if (pointing.test(question) && strength <= mostOwnTerms) return 'points'
  if (pointingElsewhere.test(question) && words <= mostPointingWords) return 'points'
  if (opening.test(question) && strength <= mostOwnTerms + 1) return 'continues'
  const isShort = isUnspaced(question)
    ? question.length <= 6
    : terms.length <= 1 || (terms.length <= 2 && words <= 3)
  return isShort ? 'continues' : undefined
}

/** Whether a question says by itself what it is about, without a word for what was said or selected before. */
export function standsAlone(question: string): boolean {
  return followUpOf(cleaned(question)) !== 'points'
}

const selected =
  /\b(?:selected|selection|highlighted|marked)\b|(?<!\p{L})(?:das|hier|es)(?!\p{L})|c'est|这|這/iu

function isAboutSelection(question: string): boolean {
  const terms = questionTerms(question)
  if (terms.size === 0) return true
  const points = [pointing, pointingElsewhere, selected].some((form) => form.test(question))
  return points && (terms.size <= 2 || question.split(/\s+/).length <= 4)
}

/** The distinctive words of what the reader has selected, in order. */
function selectionOf(context: ContextItem[]): string {
  const text = context.map(({ value }) => value.slice(0, mostRead)).join('\n')
  return joined(keyWords(text.slice(0, mostRead)), longestSelection)
}

/** The words of the questions before, back to the nearest one that says by itself what it is about. */
function earlierWords(question: string, history: Said[]): string {
  const own = questionTerms(question)
  const words: string[] = []
  const questions = history.flatMap(({ role, text }) => (role === 'user' ? [cleaned(text)] : []))
  for (const text of questions
    .filter((said) => !isCourtesy(said))
    .slice(-3)
    .reverse()) {
    const before = words.length
    for (const word of keyWords(text)) {
      const known = [...questionTerms(word).keys()].every((term) => own.has(term))
      if (!known && words.length < mostKeyWords) words.push(word)
    }
    if (words.length > before && followUpOf(text) === undefined) break
  }
  return joined(words, longestQuestion)
}

function keyWords(text: string): string[] {
  const pieces = isUnspaced(text) ? text.split(/[\s，。？！、?!,]+/) : text.split(/[\s?!,;:()"“”]+/)
  return pieces
    .map((word) => word.replace(/(?<![.])[.]+$/, ''))
    .filter((word) => questionTerms(word).size > 0)
}

function joined(words: string[], length: number): string {
  const line = words.join(' ')
  return line.length <= length ? line : line.slice(0, length).toWellFormed()
}

function cleaned(text: string): string {
  const line = readPasted(text).asked.slice(0, mostRead).replace(/\s+/g, ' ').trim()
  return line.length <= longestQuestion ? line : line.slice(0, longestQuestion).toWellFormed()
}

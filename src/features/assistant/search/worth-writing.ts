import { isUnspaced, questionTerms } from '../../../lib/prompts/question-terms.ts'
import type { SearchPlan } from './plan-search.ts'

/** What the searches of a plan came to before a model was asked. */
export interface Literal {
  /** Of the search for the whole question, 0 to 1. */
  confidence: number
  /** Words of the question that no page holds. */
  unknown: readonly string[]
}

/** Below this the documentation covers less than half of the words by weight, or spreads them over several pages. */
const strong = 0.5
/** Informative terms of a question that says more than a search can weigh. */
const longFrom = 12
const longestUnspaced = 60

/** Where a question after another one begins: its mark, or a joining word with a word of asking. */
const anotherPart =
  /[?？؟][^?？؟]*[\p{L}\p{N}]{3}|\b(?:and|also|or|plus|und|et|y|e|en|och)\s(?:also\s)?(?:how|what|where|when|which|why|who|can|could|does|do|is|are|should|wie|was|wo|wann|welche|warum|kann|ist|comment|quel|quelle|où|quand|pourquoi|est-ce|cómo|qué|dónde|cuándo|cuál|come|cosa|dove|hoe|wat|waar|hur|vad)\b/iu

/**
 * Whether queries of a model would help a question before anything was found: it continues a conversation, asks for
 * several things, or says much.
 */
export function isInvolved(question: string, { searches }: SearchPlan): boolean {
  if (searches.some(({ by }) => by !== 'question') || anotherPart.test(question.slice(0, 1000))) return true
  return isUnspaced(question) ? question.length > longestUnspaced : questionTerms(question).size >= longFrom
}

/**
 * Whether the words of a question do not lead to the pages: they are not those of the documentation, as in another
 * language, or no section holds enough of them.
 */
export function isWeak({ confidence, unknown }: Literal): boolean {
  return confidence < strong || unknown.some((word) => questionTerms(word).size > 0)
}

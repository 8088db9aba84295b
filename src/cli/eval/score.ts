import { judge, mean } from '../../lib/ranking-quality.ts'
import { termsOf } from '../../lib/prompts/question-terms.ts'

/** What is measured, from 0 to 1, more being better. Of a question only what its case says something about. */
export const metrics = {
  ndcg: 'nDCG of the first ten pages',
  recall5: 'expected pages among the first five',
  recall10: 'expected pages among the first ten',
  mrr: '1 divided by the place of the first expected page',
  section3: 'an expected section among the first three results',
  pageSection3: 'an expected section among the first three of its page',
  refusalAccuracy: 'answered where the documentation answers, not answered where it does not',
  answered: 'answerable questions that were answered',
  refused: 'unanswerable questions that were not answered',
  cited: 'answers with a source',
  citedPage: 'answers that cite an expected page',
  citedSection: 'answers that cite an expected section',
  quotes: 'texts before a citation whose words are in the linked section',
  verbatim: 'texts before a citation that are in the linked section word for word',
  facts: 'expected facts whose words are in the answer',
  judged: 'correctness, by the model that judges',
} as const

export type Metric = keyof typeof metrics
export type Scores = Partial<Record<Metric, number>>

/** A section that was found or cited. */
export interface Found {
  path: string
  /** Undefined for the page's beginning. */
  anchor: string | undefined
}

/** An expected page, or section where it has an anchor: `''` for the page's beginning. */
export interface Expected {
  path: string
  anchor: string | undefined
}

/** @param found in the order of the results */
export function scoreRanking(found: readonly Found[], expected: readonly Expected[]): Scores {
  if (expected.length === 0) return {}
  const pages = [...new Set(expected.map(({ path }) => path))]
  const scores: Scores = { ...judge([...new Set(found.map(({ path }) => path))], pages) }
  const sections = expected.filter(({ anchor }) => anchor !== undefined)
  if (sections.length === 0) return scores
  const isFound = (among: readonly Found[]): number => Number(sections.some((one) => includes(among, one)))
  scores.section3 = isFound(found.slice(0, 3))
  const page = found.find(({ path }) => sections.some((one) => one.path === path))?.path
  if (page !== undefined) scores.pageSection3 = isFound(found.filter(({ path }) => path === page).slice(0, 3))
  return scores
}

function includes(among: readonly Found[], { path, anchor }: Expected): boolean {
  return among.some((one) => one.path === path && (anchor === undefined || (one.anchor ?? '') === anchor))
}

export interface GivenAnswer {
  text: string
  outcome: string
  citations: (Found & { words: string[]; section: string })[]
}

/** Outcomes without an answer: quotes that may be about something else are none. Answers that cite nothing are answers. */
const withoutAnswer = new Set(['unanswered', 'weak', 'refused', 'clarified', 'greeting'])

/** Words of a text that must stand in the linked section, as a share. Models word things anew; quotes reach 1. */
export const quoteThreshold = 0.6

export function scoreAnswer(
  { text, outcome, citations }: GivenAnswer,
  { unanswerable, facts }: { unanswerable: boolean; facts: readonly string[][] },
  expected: readonly Expected[],
): Scores {
  const isAnswer = !withoutAnswer.has(outcome)
  if (unanswerable) return { refusalAccuracy: Number(!isAnswer), refused: Number(!isAnswer) }
  const scores: Scores = { refusalAccuracy: Number(isAnswer), answered: Number(isAnswer) }
  if (facts.length > 0) scores.facts = mean(facts.map((wordings) => Number(holdsFact(text, wordings))))
  if (!isAnswer) return scores
  // The pages that follow an answer without sources are no sources.
  const cited = outcome === 'uncited' ? [] : citations
  scores.cited = Number(cited.length > 0)
  if (expected.length > 0)
    scores.citedPage = Number(expected.some(({ path }) => includes(cited, { path, anchor: undefined })))
  const sections = expected.filter(({ anchor }) => anchor !== undefined)
  if (sections.length > 0) scores.citedSection = Number(sections.some((one) => includes(cited, one)))
  const texts = cited.flatMap(({ words, section }) => words.map((said) => ({ said, section })))
  if (texts.length > 0) {
    scores.quotes = mean(texts.map(({ said, section }) => Number(overlap(said, section) >= quoteThreshold)))
    scores.verbatim = mean(texts.map(({ said, section }) => Number(standsIn(said, section))))
  }
  return scores
}

/** Whether an answer has all words of one wording of a fact, in any order and form. */
export function holdsFact(answer: string, wordings: readonly string[]): boolean {
  const said = new Set(termsOf(answer))
  return wordings.some((wording) => termsOf(wording).every((term) => said.has(term)))
}

/** The share of the words of a text that a section has, in any order and form. */
export function overlap(said: string, section: string): number {
  const terms = [...new Set(termsOf(said))]
  const held = new Set(termsOf(onlyWords(section)))
  return terms.length === 0 ? 1 : terms.filter((term) => held.has(term)).length / terms.length
}

/**
 * Whether each line of a text stands in a section as it is, apart from markup and punctuation. Only tables have several,
 * some of whose rows may be left out. A cut text need not end with a whole word.
 */
export function standsIn(said: string, section: string): boolean {
  const held = bare(onlyWords(section))
  return said.split('\n').every((line) => held.includes(bare(onlyWords(line))))
}

function bare(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ')
}

// The targets of links and the markers of lists are no words.
function onlyWords(text: string): string {
  return text.replaceAll(/\]\([^()\s]*\)/g, ']').replaceAll(/^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/gm, '')
}

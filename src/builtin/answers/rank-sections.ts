import { questionTerms, termsOf } from '../../lib/question-terms.ts'
import { chooseQuote, type Quote } from './choose-quote.ts'
import type { Language } from './phrases.ts'
import { isFrequent } from './phrases.ts'
import { readBlocks } from './read-blocks.ts'
import type { SearchResult } from './search-results.ts'

/** A result with the words of the question that it holds. */
export interface Section {
  result: SearchResult
  /** The share of the question, by the weights of its terms, that the section, its title and its heading hold. */
  coverage: number
  /** The terms of the question that it holds. */
  held: ReadonlySet<string>
  score: number
  quote: Quote | undefined
}

/** The weight of a term that occurs in every result, and so hardly tells which of them answers. */
const leastWeight = 0.35

export interface Asked {
  question: string
  /** Words of the questions before, on which a follow-up leans. */
  context: string
  language: Language
  /** Words that no page holds and that are only another way to say something. */
  paraphrases: ReadonlySet<string>
}

/** The results, best first, each with its best quote. A term weighs more when fewer results hold it. */
export function rankSections(asked: Asked, results: readonly SearchResult[]): Section[] {
  const wanted = wantedTerms(asked)
  const held = results.map((result) => new Set(termsOf(textOf(result))))
  const weights = new Map<string, number>()
  for (const [term, weight] of wanted) {
    const holders = held.filter((terms) => terms.has(term)).length
    const rarity = results.length > 1 ? 1 - (Math.max(1, holders) - 1) / (results.length - 1) : 1
    weights.set(term, weight * (leastWeight + (1 - leastWeight) * (holders === 0 ? 1 : rarity)))
  }
  const total = sum(weights.values())
  const shareOf = (terms: ReadonlySet<string>) => (total === 0 ? 0 : weigh(terms, weights) / total)
  return results
    .map((result, rank): Section => {
      const heading = new Set(termsOf(`${result.title} ${result.heading}`))
      const own = held[rank] ?? new Set<string>()
      const quote = chooseQuote(readBlocks(result.content), asked.question, heading, shareOf)
      const coverage = shareOf(own)
      const score = coverage + 0.6 * (quote?.score ?? -1) + 0.7 * shareOf(heading) + 0.25 / (1 + rank)
      return {
        result,
        coverage,
        held: new Set([...weights.keys()].filter((term) => own.has(term))),
        score,
        quote,
      }
    })
    .sort((a, b) => b.score - a.score)
}

export function textOf({ title, heading, content }: SearchResult): string {
  return `${title} ${heading} ${content.slice(0, 20_000)}`
}

function wantedTerms({ question, context, language, paraphrases }: Asked): Map<string, number> {
  const wanted = new Map([...questionTerms(context)].map(([term, weight]) => [term, weight * 0.5]))
  const said = question
    .split(/\s+/)
    .filter((word) => !isFrequent(word.replace(/[^\p{L}]/gu, ''), language) || language === 'en')
    .join(' ')
  for (const [term, weight] of questionTerms(said)) wanted.set(term, paraphrases.has(term) ? 0.35 : weight)
  return wanted
}

function weigh(terms: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number {
  let found = 0
  for (const [term, weight] of weights) if (terms.has(term)) found += weight
  return found
}

function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}

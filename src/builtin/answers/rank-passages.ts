import type { SearchResult } from './search-results.ts'
import { questionTerms, termsOf } from '../../lib/question-terms.ts'
import { splitText, type Block } from './split-text.ts'

export interface Passage {
  result: SearchResult
  blocks: Block[]
  /** How well each block answers. */
  scores: number[]
  /** The share of the question's terms, by weight, that the section contains, including its title and heading. */
  coverage: number
  score: number
}

/** The weight of a term that occurs in every result, and so hardly tells which of them answers. */
const leastWeight = 0.35

/** The results as passages, best first. A term weighs more when fewer results contain it. */
export function rankPassages(question: string, context: string, results: readonly SearchResult[]): Passage[] {
  const own = questionTerms(question)
  const asked = new Map([...questionTerms(context)].map(([term, weight]) => [term, weight * 0.5]))
  for (const [term, weight] of own) asked.set(term, weight)
  const held = results.map(
    (result) => new Set(termsOf(`${result.title} ${result.heading} ${result.content.slice(0, 20_000)}`)),
  )
  const weights = new Map<string, number>()
  for (const [term, weight] of asked) {
    const holders = held.filter((terms) => terms.has(term)).length
    const rarity = results.length > 1 ? 1 - (Math.max(1, holders) - 1) / (results.length - 1) : 1
    weights.set(term, weight * (leastWeight + (1 - leastWeight) * (holders === 0 ? 1 : rarity)))
  }
  const total = sum(weights.values())
  const passages = results.map((result, rank): Passage => {
    const blocks = splitText(result.content)
    const heading = new Set(termsOf(`${result.title} ${result.heading}`))
    const inHeading = total === 0 ? 0 : weigh(heading, weights) / total
    const scores = blocks.map((block) => scoreBlock(block, weights, total))
    const coverage = total === 0 ? 0 : weigh(held[rank] ?? new Set(), weights) / total
    const best = Math.max(0, ...scores)
    const score = coverage + 0.6 * best + 0.7 * inHeading + 0.25 / (1 + rank)
    return { result, blocks, scores, coverage, score }
  })
  return passages.sort((a, b) => b.score - a.score)
}

function scoreBlock(block: Block, weights: ReadonlyMap<string, number>, total: number): number {
  if (total === 0) return 0
  const text = block.kind === 'list' ? block.items.join(' ') : block.text
  const terms = new Set(termsOf(text.slice(0, 4000)))
  let share = weigh(terms, weights) / total
  // A sentence below a heading need not repeat its words.
  if (block.kind === 'sentence' && block.under !== '' && share > 0) {
    for (const term of termsOf(block.under)) terms.add(term)
    share += 0.4 * (weigh(terms, weights) / total - share)
  }
  // A long text contains many words by chance.
  const length = block.kind === 'sentence' ? text.length : Math.min(text.length, 300)
  return share / (1 + Math.max(0, length - 200) / 600)
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

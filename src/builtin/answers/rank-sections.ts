import { hasOwnSubject } from '../../lib/prompts/follow-ups.ts'
import { questionTerms, termsOf } from '../../lib/prompts/question-terms.ts'
import { asksForDefinition, asksToRemove, chooseQuote, plainOf, type Quote } from './choose-quote.ts'
import type { Language } from './phrases.ts'
import { isFrequent } from './phrases.ts'
import { readBlocks, type Block } from './read-blocks.ts'
import type { SearchResult } from './search-results.ts'

/** A result with the words of the question that it holds. */
export interface Section {
  result: SearchResult
  /**
   * The share of the question, by the weights of its terms, that the quote, its title and its heading hold. What only the
   * rest of the section holds counts half: a long one holds words of any question.
   */
  coverage: number
  /** The same share of the terms that say what the question is about. */
  subject: number
  /** The same share of the subject without what is absent everywhere: 0 where nothing is left but what every result holds. */
  rest: number
  /** The terms of the question that say what it is about, and that it holds, with their shares of the subject. */
  held: ReadonlyMap<string, number>
  /** Whether its title or heading names something of the question. */
  isNear: boolean
  /** Whether it speaks of taking away, where the question does. */
  isComplete: boolean
  score: number
  quote: Quote | undefined
}

/** The weight of a term that occurs in every result, and so hardly tells which of them answers. */
const leastWeight = 0.35

/** The weight that a term of the subject must have, so that a text that holds it is about a part of the question. */
const leastRest = 0.4

/** What is on so large a share of the pages that it tells none apart, by rarity. */
const usual = 0.15

/** What the words of a section count where the question has none that tell: the order of the search says more. */
const fewWords = 0.25

/** What the words of earlier questions count: less, where the question has a subject of its own. */
const usualBefore = 0.5
const ownBefore = 0.1

/** Words that ask for a measure and say nothing about it. */
const howMuch = /\bhow (?:long|often|many|much|old|big|large|far|fast|tall|high|deep|late|soon)\b/gi

export interface Asked {
  question: string
  /** Words of the questions before, on which a follow-up leans. */
  context: string
  language: Language
  /** Whether the pages are in another language: then only names and borrowed words can be in them. */
  foreign: boolean
  /** Terms of names and versions: a section without them is at most a part of an answer. */
  names: ReadonlySet<string>
  /** Terms of words that no page holds. */
  unknown: ReadonlySet<string>
  /** Whether a program wrote the question, which stands in code where it is documented. */
  pasted: boolean
  /** Terms of what the answer has to say is missing. */
  absent: ReadonlySet<string>
  /** The file of the page that is asked for as a whole. */
  leading: string | undefined
  /** By word of the question, how rare it is on the site. */
  rarities?: ReadonlyMap<string, number> | undefined
}

/**
 * The results, best first, each with its best quote. A term weighs more the rarer it is on the site, or, where that is not
 * known, among the results.
 */
export function rankSections(asked: Asked, results: readonly SearchResult[]): Section[] {
  const { question } = asked
  const onSite = new Map(
    [...(asked.rarities ?? [])].flatMap(([word, rarity]) =>
      termsOf(word).map((term) => [term, rarity] as const),
    ),
  )
  // What nearly every page holds, such as the product's name, is not what a question is about.
  const wanted = new Map(
    [...wantedTerms(asked)].map(([term, weight]) => [
      term,
      (onSite.get(term) ?? 1) < usual ? Math.min(weight, leastWeight) : weight,
    ]),
  )
  const held = results.map((result) => termsIn(textOf(result)))
  for (const part of partsOfNames(question, held)) wanted.delete(part)
  const weights = new Map<string, number>()
  for (const [term, weight] of wanted) {
    const holders = held.filter((terms) => terms.has(term)).length
    const rarity = results.length > 1 ? 1 - (Math.max(1, holders) - 1) / (results.length - 1) : 1
    weights.set(
      term,
      weight * (leastWeight + (1 - leastWeight) * (holders === 0 ? 1 : (onSite.get(term) ?? rarity))),
    )
  }
  const total = sum(weights.values())
  // Of a question in weak words alone ("How do I install?"), these say what it is about.
  const heaviest = Math.max(0, ...wanted.values())
  const isSubject = (term: string) => (wanted.get(term) ?? 0) >= Math.min(0.5, heaviest)
  const subject = new Map([...weights].filter(([term]) => isSubject(term)))
  const subjectTotal = sum(subject.values())
  const rest = new Map([...subject].filter(([term]) => !asked.absent.has(term)))
  const most = Math.max(0, ...rest.values())
  const restTotal = Math.max(0, ...rest.values()) < leastRest ? 0 : sum(rest.values())
  const shareOf = (terms: ReadonlySet<string>) => (total === 0 ? 0 : weigh(terms, weights) / total)
  const subjectOf = (terms: ReadonlySet<string>) =>
    subjectTotal === 0 ? shareOf(terms) : weigh(terms, subject) / subjectTotal
  const defines = asksForDefinition(question)
  // Words that many sections have do not tell which of them shows how to start.
  const byWords = heaviest < 1 ? fewWords : 1
  const whole = joined(questionTerms(question).keys())
  /** Who asks by the title of a page is answered by its beginning. */
  const isTitle = ({ title, heading }: SearchResult): boolean =>
    heading === '' && whole !== '' && joined(questionTerms(title).keys()) === whole
  // Who asks how something is taken away is not answered by what it is.
  const removes = asksToRemove.test(question)
  const isComplete = (result: SearchResult): boolean => !removes || asksToRemove.test(textOf(result))
  const pages = [...new Set(results.map(({ path }) => path))]
  return results
    .map((result, rank): Section => {
      const heading = new Set(termsOf(`${result.title} ${result.heading}`))
      const own = held[rank] ?? new Set<string>()
      const quote = chooseQuote(
        readBlocks(result.content).filter((block) => !isContents(block, headingsOf(result, results))),
        question,
        heading,
        shareOf,
        result.path === asked.leading,
      )
      const blocks = quote?.blocks ?? []
      const said = blocks.filter(({ kind }) => asked.pasted || kind !== 'code')
      const quoted = new Set([...heading, ...blocks.flatMap((block) => [...termsIn(plainOf(block))])])
      const prose = new Set([...heading, ...said.flatMap((block) => [...termsIn(plainOf(block))])])
      // Code holds words by chance, and so does the rest of a long section.
      const inQuote = (share: (terms: ReadonlySet<string>) => number) =>
        (share(prose) + share(quoted) + 2 * share(own)) / 4
      // What every result holds, such as the product's name, brings none of them nearer.
      const tells = (term: string) =>
        heading.has(term) &&
        (wanted.get(term) ?? 0) >= Math.min(1, heaviest) &&
        (weights.get(term) ?? 0) >= most / 2
      return {
        result,
        coverage: inQuote(shareOf),
        subject: inQuote(subjectOf),
        rest: inQuote((terms) => (restTotal === 0 ? 0 : weigh(terms, rest) / restTotal)),
        held: new Map(
          [...wanted.keys()]
            .filter((term) => isSubject(term) && own.has(term))
            .map((term) => [term, (weights.get(term) ?? 0) / (subjectTotal || 1)]),
        ),
        isComplete: isComplete(result),
        isNear: [...wanted.keys()].some(tells),
        // The order of the search is good: another section has to be clearly better, less so on the same page.
        score:
          1 / (1 + rank) +
          1 / (1 + pages.indexOf(result.path)) +
          byWords * (shareOf(own) + 0.5 * shareOf(heading) + (quote?.score ?? -1)) -
          (result.heading === '' && byWords === 1 && !defines && !isTitle(result) ? 0.2 : 0) +
          (isTitle(result) ? 0.6 : 0) -
          (isOtherAction(result.heading, question) ? 0.6 : 0),
        quote,
      }
    })
    .sort((a, b) => b.score - a.score)
}

/** The parts of names in camel case that a result has as a whole: another storage is not `localStorage`. */
function partsOfNames(question: string, held: readonly ReadonlySet<string>[]): Set<string> {
  const words = question.split(/[^\p{L}\p{N}]+/u)
  const isName = (word: string): boolean => termsOf(word).length > 1
  const plain = new Set(words.filter((word) => !isName(word)).flatMap(termsOf))
  const parts = words.filter(isName).flatMap((word) => {
    const [whole = '', ...humps] = termsOf(word)
    return held.some((terms) => terms.has(whole)) ? humps : []
  })
  return new Set(parts.filter((part) => !plain.has(part)))
}

function joined(terms: Iterable<string>): string {
  return [...terms].join('')
}

/** Whether a list names sections of its page, or links to others, and says nothing else. */
function isContents(block: Block, headings: ReadonlySet<string>): boolean {
  if (block.kind !== 'list' || block.items.length < 2) return false
  if (block.items.every(({ isLink }) => isLink)) return true
  const items = block.items.map(({ text }) => plainName(text))
  return (
    items.some((one) => headings.has(one)) && items.every((one) => one.length <= 60 && !/[.:;!?]/.test(one))
  )
}

function headingsOf({ path }: SearchResult, results: readonly SearchResult[]): Set<string> {
  const others = results.filter((one) => one.path === path && one.heading !== '')
  return new Set(others.map(({ heading }) => plainName(heading.split(' – ').at(-1) ?? '')))
}

function plainName(text: string): string {
  return text
    .replace(/[¶#*_`[\]]/g, '')
    .trim()
    .toLowerCase()
}

const otherActions = /\b(?:un\w*install|upgrad|updat|remov|delet|downgrad|restor|migrat|revert|reset)\w*/gi

/** Whether a heading is about an action that comes later, such as an update, which the question does not speak of. */
function isOtherAction(heading: string, question: string): boolean {
  const questionWords = new Set(termsOf(question))
  const last = heading.split(' – ').at(-1) ?? ''
  return [...last.matchAll(otherActions)].some(
    ([action]) => !termsOf(action).some((term) => questionWords.has(term)),
  )
}

/** The terms of a text; `sqlite3` is about SQLite, too. */
function termsIn(text: string): Set<string> {
  const terms = new Set(termsOf(text))
  for (const term of terms) {
    const name = /^(\p{L}{3,})\d+$/u.exec(term)?.[1]
    if (name !== undefined) for (const one of termsOf(name)) terms.add(one)
  }
  return terms
}

/** All that a result holds. */
export function textOf({ title, heading, content, about = '' }: SearchResult): string {
  return `${title} ${heading} ${content.slice(0, 20_000)} ${about.slice(0, 20_000)}`
}

function wantedTerms({ question, context, language, foreign, names, unknown }: Asked): Map<string, number> {
  const before = hasOwnSubject(question) ? ownBefore : usualBefore
  const wanted = new Map([...questionTerms(context)].map(([term, weight]) => [term, weight * before]))
  const said = question
    .replace(howMuch, ' ')
    .split(/\s+/)
    .filter((word) => !isFrequent(word.replace(/[^\p{L}]/gu, ''), language) || language === 'en')
    .join(' ')
  for (const [term, weight] of questionTerms(said)) {
    if (names.has(term)) wanted.set(term, 1.5)
    // In another language, most words are in no page, and say nothing about what is missing.
    else if (!foreign || !unknown.has(term)) wanted.set(term, weight)
  }
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

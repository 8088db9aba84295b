import { isUnspaced, questionTerms, termsOf } from '../../lib/question-terms.ts'
import { plainOf } from './choose-quote.ts'
import { findMissing, type Missing } from './find-missing.ts'
import { languageOf, nameOfLanguage, phrasesIn, type Phrases } from './phrases.ts'
import { rankSections, textOf, type Section } from './rank-sections.ts'
import type { Block } from './read-blocks.ts'
import { linkTo, safeText } from './safe-text.ts'
import type { SearchResult } from './search-results.ts'

/** What the assistant records of an answer of the built-in model; the names are those of its outcomes. */
export interface Answer {
  text: string
  outcome: 'answered' | 'partial' | 'unanswered'
  /** What the question speaks of and the documentation does not. */
  missing: string[]
}

export interface Question {
  text: string
  /** Words of the questions before, on which a follow-up leans. */
  context: string
  results: readonly SearchResult[]
  /** Words of the question that no page holds. */
  unknown: readonly string[]
}

/** The share of the question's terms, by weight, that a section must hold to be an answer. */
const leastCoverage = 0.5
/** The same for scripts without spaces, where pairs of characters match less often than words. */
const leastUnspacedCoverage = 0.4
/** A section with less is not even near. */
const leastNear = 0.3
const mostQuotes = 2
const mostNear = 3

/** The best quotes with their links, or a sentence that the documentation has no answer and the nearest pages. */
export function composeAnswer({ text, context, results, unknown }: Question): Answer {
  const language = languageOf(text) ?? 'en'
  const phrases = phrasesIn(language)
  const found = distinct(results)
  const texts = found.map(textOf)
  const pages = languageOf(texts.slice(0, 3).join('\n'))
  const foreign = pages !== undefined && pages !== language
  const missing = findMissing({
    question: text,
    language,
    foreign,
    unknown,
    held: texts.map((one) => new Set(termsOf(one))),
    texts: texts.map((one) => one.toLowerCase()),
  })
  const named = [...missing.unknown, ...missing.unmentioned]
  const other = new Set(unknown.filter((word) => !named.some((name) => name.includes(word))).flatMap(termsOf))
  const sections = rankSections({ question: text, context, language, paraphrases: other }, found)
  const least = isUnspaced(text) ? leastUnspacedCoverage : leastCoverage
  const chosen = choose(sections, least)
  const names = named.map((name) => name.replace(/[“”]/g, ''))
  const remarks = remarksOn(missing, phrases)
  if (chosen.length === 0) {
    const near = sections.filter(({ coverage, held }) => coverage >= leastNear && isTelling(held, text))
    const list = [...new Set(near.map(({ result }) => linkTo(result)))].slice(0, mostNear)
    const said = list.length > 0 ? remarks : remarksOn({ ...missing, unmentioned: [] }, phrases)
    const parts = [[phrases.unanswered, ...said].join(' ')]
    if (list.length > 0) parts.push(phrases.nearest, list.map((link) => `- ${link}`).join('\n'))
    return { text: parts.join('\n\n'), outcome: 'unanswered', missing: names }
  }
  if (foreign) remarks.push(fill(phrases.otherLanguage, nameOfLanguage(pages, language)))
  const quotes = chosen.map(
    ({ result, quote }) => `${(quote?.blocks ?? []).map(write).join('\n\n')}\n\n${linkTo(result)}`,
  )
  return {
    text: [[...remarks, phrases.found].join(' '), ...quotes].join('\n\n'),
    outcome: named.length > 0 ? 'partial' : 'answered',
    missing: names,
  }
}

/** The sections to quote: the best one, and another one that is as good or holds what the first does not. */
function choose(sections: readonly Section[], least: number): Section[] {
  const [best, ...others] = sections.filter(
    ({ coverage, quote }) => coverage >= least && quote !== undefined && quote.score > 0,
  )
  if (!best) return []
  const chosen = [best]
  for (const section of others) {
    if (chosen.length >= mostQuotes) break
    const adds = [...section.held].filter((term) => !best.held.has(term)).length
    const same = chosen.some((one) => linkTo(one.result) === linkTo(section.result) || isSame(one, section))
    if (!same && section.score >= best.score * (adds > 0 ? 0.65 : 0.85)) chosen.push(section)
  }
  return chosen
}

/** Whether two quotes have a sentence, a row or a line in common. */
function isSame(one: Section, other: Section): boolean {
  const said = new Set(piecesOf(one))
  return piecesOf(other).some((piece) => said.has(piece))
}

function piecesOf({ quote }: Section): string[] {
  const text = (quote?.blocks ?? []).map(plainOf).join('\n')
  return text.split(/[\n.!?。！？]/).flatMap((piece) => (piece.trim().length > 12 ? [piece.trim()] : []))
}

/** Whether one of the terms that were found says what the question is about. */
function isTelling(held: ReadonlySet<string>, question: string): boolean {
  return [...questionTerms(question)].some(([term, weight]) => weight === 1 && held.has(term))
}

function remarksOn({ unknown, unmentioned }: Missing, phrases: Phrases): string[] {
  const remarks: string[] = []
  if (unknown.length > 0) remarks.push(fill(phrases.unknown, listOf(unknown, phrases.or)))
  if (unmentioned.length > 0) remarks.push(fill(phrases.unmentioned, listOf(unmentioned, phrases.or)))
  return remarks
}

function fill(sentence: string, words: string): string {
  return sentence.split('…').join(words)
}

function listOf(words: readonly string[], or: string): string {
  const safe = words.map((word) => safeText(word.replaceAll('`', '')))
  const last = safe.pop() ?? ''
  return safe.length === 0 ? last : `${safe.join(', ')} ${or} ${last}`
}

function distinct(results: readonly SearchResult[]): SearchResult[] {
  const seen = new Set<string>()
  return results.filter((result) => {
    const key = `${result.url}\n${result.content}`
    if (seen.has(key) || result.content.trim() === '') return false
    seen.add(key)
    return true
  })
}

/** A block as Markdown of its own. */
function write(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return safeText(block.text)
    case 'list':
      return block.items
        .map(({ indent, marker, text }) => `${' '.repeat(indent)}${marker} ${safeText(text)}`)
        .join('\n')
    case 'table': {
      const rows = [block.header, block.header.map(() => '---'), ...block.rows]
      return rows.map((row) => `| ${row.map(writeCell).join(' | ')} |`).join('\n')
    }
    case 'code': {
      const longest = block.lines.reduce(
        (most, line) => Math.max(most, /^\s*(`+)/.exec(line)?.[1]?.length ?? 0),
        2,
      )
      const fence = '`'.repeat(longest + 1)
      return [`${fence}${block.language}`, ...block.lines, fence].join('\n')
    }
  }
}

function writeCell(cell: string): string {
  return safeText(cell).replaceAll('|', '\\|')
}

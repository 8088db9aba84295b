import { isUnspaced, termsOf } from '../../lib/prompts/question-terms.ts'
import { plainOf } from './choose-quote.ts'
import { findMissing, namedTerms, type Missing } from './find-missing.ts'
import { languageOf, nameOfLanguage, phrasesIn, type Language, type Phrases } from './phrases.ts'
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
/** The same of the terms that say what it is about. */
const leastSubject = 0.5
/** The same for scripts without spaces, where pairs of characters match less often than words. */
const leastUnspacedCoverage = 0.4
/** A section with less is not even a part of an answer. */
const leastNear = 0.3
/** A section with less is not worth a link. */
const leastClose = 0.2
const mostNear = 3

/** The best quotes with their links, or a sentence that the documentation has no answer and the nearest pages. */
export function composeAnswer({ text, context, results, unknown }: Question): Answer {
  const language = languageOf(text) ?? 'en'
  const phrases = phrasesIn(language)
  const every = distinct(results)
  const own = every.filter(({ content }) => languageOf(content) === language)
  const entries =
    own.length > 0 ? every.filter((one) => own.includes(one) || languageOf(one.content) === undefined) : every
  const foreign = own.length === 0 && (every.length > 0 || language !== 'en')
  const missingIn = (quoted: readonly string[], part: boolean) =>
    findMissing({ question: text, language, foreign, unknown, quoted, found: entries.map(textOf), part })

  const absentAnywhere = missingIn(entries.map(textOf), false)
  const names = new Set([...namesIn(absentAnywhere).flatMap(termsOf), ...namedTerms(text, language)])
  const paraphrases = new Set(unknown.flatMap(termsOf).filter((term) => !names.has(term)))
  const sections = rankSections({ question: text, context, language, foreign, names, paraphrases }, entries)
  const answers = sections.some((section) => isWhole(section, text))
  const chosen = choose(
    answers
      ? sections.filter(({ held }) => held.size > 0)
      : sections.filter(({ coverage, isNear }) => coverage >= leastNear && isNear),
  )
  const missing = missingIn(
    chosen.map(
      ({ result, quote }) =>
        `${result.title} ${result.heading} ${(quote?.blocks ?? []).map(plainOf).join(' ')}`,
    ),
    !answers,
  )
  // A part of an answer is one only if it can be said what the other part is.
  if (chosen.length === 0 || (!answers && namesIn(missing).length === 0)) {
    const closest = sections.filter(
      ({ coverage, held, isNear }) => coverage >= leastClose && (isNear || held.size > 1),
    )
    const links = [...new Set(closest.map(({ result }) => linkTo(result)))].slice(0, mostNear)
    const unmentioned =
      links.length === 0 ? [] : absentAnywhere.unmentioned.filter((name) => !name.startsWith('“'))
    const absent = { ...absentAnywhere, unmentioned }
    const list = links.length === 0 ? [] : [phrases.nearest, links.map((link) => `- ${link}`).join('\n')]
    const remarks = remarksOn(absent, phrases, language)
    const refusal = [phrases.unanswered, ...remarks].join(' ')
    return {
      text: [refusal, ...list].join('\n\n'),
      outcome: 'unanswered',
      missing: plainNames(absent),
    }
  }
  const remarks = remarksOn(missing, phrases, language)
  const pages = foreign ? languageOf(chosen.map(({ result }) => result.content).join('\n')) : undefined
  if (pages && pages !== language)
    remarks.push(phrases.otherLanguage.replace('…', nameOfLanguage(pages, language)))
  const quotes = chosen.map(
    ({ result, quote }) => `${(quote?.blocks ?? []).map(write).join('\n\n')}\n\n${linkTo(result)}`,
  )
  return {
    text: [[...remarks, phrases.found].join(' '), ...quotes].join('\n\n'),
    outcome: namesIn(missing).length > 0 ? 'partial' : 'answered',
    missing: plainNames(missing),
  }
}

/** Whether a section holds enough of a question to answer it: words of it that only stand in code are not. */
function isWhole({ coverage, subject, isNear, held, quote }: Section, question: string): boolean {
  if (isUnspaced(question)) return coverage >= leastUnspacedCoverage
  const prose = (quote?.blocks ?? []).filter(({ kind }) => kind !== 'code')
  const isTopic = isNear || prose.some((block) => termsOf(plainOf(block)).some((term) => held.has(term)))
  return isTopic && coverage >= leastCoverage && subject >= leastSubject
}

/** The sections to quote: the best one, and another one that is as good or holds what the first does not. */
function choose(sections: readonly Section[]): Section[] {
  const [best, ...others] = sections.filter(({ quote }) => quote !== undefined && quote.score > 0)
  if (!best) return []
  const second = others.find((section) => {
    const adds = [...section.held].some((term) => !best.held.has(term))
    const isOther = linkTo(section.result) !== linkTo(best.result) && !isSame(best, section)
    return isOther && section.score >= best.score * (adds ? 0.7 : 0.9)
  })
  return second ? [best, second] : [best]
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

function namesIn({ unknown, unmentioned }: Missing): string[] {
  return [...unknown, ...unmentioned]
}

function plainNames(missing: Missing): string[] {
  return namesIn(missing).map((name) => name.replace(/[“”]/g, ''))
}

function remarksOn({ unknown, unmentioned }: Missing, phrases: Phrases, language: Language): string[] {
  const format = new Intl.ListFormat(language, { type: 'disjunction' })
  const fill = (sentence: string, words: readonly string[]) =>
    words.length === 0
      ? []
      : [sentence.split('…').join(format.format(words.map((word) => safeText(word.replaceAll('`', '')))))]
  return [...fill(phrases.unknown, unknown), ...fill(phrases.unmentioned, unmentioned)]
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
  return safeText(cell.replaceAll('\\|', '|')).replaceAll('|', '\\|')
}

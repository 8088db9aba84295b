import { isUnspaced, termsOf } from '../../lib/question-terms.ts'
import { plainOf } from './choose-quote.ts'
import { findMissing, namedTerms, type Missing } from './find-missing.ts'
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
  const found =
    own.length > 0 ? every.filter((one) => own.includes(one) || languageOf(one.content) === undefined) : every
  const foreign = own.length === 0 && (every.length > 0 || language !== 'en')
  const missingIn = (looked: readonly SearchResult[], part: boolean) =>
    findMissing({
      question: text,
      language,
      foreign,
      unknown,
      part,
      texts: looked.map(textOf),
      found: found.map(textOf),
    })

  let missing = missingIn(found, false)
  const named = [...missing.unknown, ...missing.unmentioned]
  const other = new Set(unknown.filter((word) => !named.some((name) => name.includes(word))).flatMap(termsOf))
  const names = new Set([...named.flatMap(termsOf), ...namedTerms(text, language)])
  const sections = rankSections(
    { question: text, context, language, foreign, names, paraphrases: other },
    found,
  )
  const near = sections.filter(({ coverage, isNear }) => coverage >= leastNear && isNear)
  let chosen = choose(sections.filter((section) => isWhole(section, isUnspaced(text))))
  if (chosen.length > 0)
    missing = missingIn(
      chosen.map(({ result }) => result),
      false,
    )
  else if (near.length > 0) {
    // A part of an answer, if it can be said what the other part is.
    const part = choose(near)
    const rest = missingIn(
      part.map(({ result }) => result),
      true,
    )
    if (rest.unknown.length + rest.unmentioned.length > 0) [chosen, missing] = [part, rest]
  }
  const absent = [...missing.unknown, ...missing.unmentioned].map((name) => name.replace(/[“”]/g, ''))
  if (chosen.length === 0) {
    const closest = sections.filter(
      ({ coverage, held, isNear }) => coverage >= leastClose && (isNear || held.size > 1),
    )
    const links = [...new Set(closest.map(({ result }) => linkTo(result)))].slice(0, mostNear)
    const list = links.length === 0 ? [] : [phrases.nearest, links.map((link) => `- ${link}`).join('\n')]
    const remarks = remarksOn(list.length === 0 ? { ...missing, unmentioned: [] } : missing, phrases)
    const refusal = [phrases.unanswered, ...remarks].join(' ')
    return { text: [refusal, ...list].join('\n\n'), outcome: 'unanswered', missing: absent }
  }
  const remarks = remarksOn(missing, phrases)
  const pages = foreign ? languageOf(chosen.map(({ result }) => result.content).join('\n')) : undefined
  if (pages && pages !== language) remarks.push(fill(phrases.otherLanguage, nameOfLanguage(pages, language)))
  const quotes = chosen.map(
    ({ result, quote }) => `${(quote?.blocks ?? []).map(write).join('\n\n')}\n\n${linkTo(result)}`,
  )
  return {
    text: [[...remarks, phrases.found].join(' '), ...quotes].join('\n\n'),
    outcome: absent.length > 0 ? 'partial' : 'answered',
    missing: absent,
  }
}

/** Whether a section holds enough of a question to answer it. */
function isWhole({ coverage, subject }: Section, unspaced: boolean): boolean {
  return unspaced ? coverage >= leastUnspacedCoverage : coverage >= leastCoverage && subject >= leastSubject
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
  return safeText(cell.replaceAll('\\|', '|')).replaceAll('|', '\\|')
}

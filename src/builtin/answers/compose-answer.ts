import { isUnspaced, questionTerms, termsOf } from '../../lib/prompts/question-terms.ts'
import { plainOf } from './choose-quote.ts'
import { findMissing, namedTerms, type Missing } from './find-missing.ts'
import { joinOperations } from './operation-pieces.ts'
import { languageOf, nameOfLanguage, phrasesIn, type Language, type Phrases } from './phrases.ts'
import { rankSections, textOf, type Section } from './rank-sections.ts'
import type { Block } from './read-blocks.ts'
import { linkTo, safeText } from './safe-text.ts'
import type { SearchResult } from './search-results.ts'

/** What the assistant records of an answer of the built-in model; the names are those of its outcomes. */
export interface Answer {
  text: string
  outcome: 'answered' | 'partial' | 'weak' | 'unanswered'
  /** What the question speaks of and the documentation does not. */
  missing: string[]
}

export interface Question {
  text: string
  /** Words of the questions before, on which a follow-up leans. */
  context: string
  results: readonly SearchResult[]
  /** What a search found that is not likely about the question. */
  near: readonly SearchResult[]
  /** Words of the question that no page holds. */
  unknown: readonly string[]
  /** How rare words of the question are on the site: 0 for one on every page, 1 for one on none. */
  rarities?: ReadonlyMap<string, number>
}

/** The share of the question's terms, by weight, that a quote must hold to be an answer. */
const leastCoverage = 0.6
/** The same of the terms that say what it is about. */
const leastSubject = 0.65
/** With this share of them, a smaller share of all is enough. */
const leastClear = 0.95
const leastWithoutVerb = 0.5
/** The same for scripts without spaces, where pairs of characters match less often than words. */
const leastUnspacedCoverage = 0.4
/** A quote with less is not even near. */
const leastWeak = 0.4
/** The share of the subject, without what is missing, that a part of an answer must hold. */
const leastPart = 0.65
/** The share that a section must hold whose headings name nothing of the question, to answer in place of another. */
const leastOff = 0.75
/** The share of the question that a title must hold to be nearly the question. */
const leastTitled = 0.8
/** The share of the first section's score that another one must have to be quoted beside it. */
const leastBehind = 0.7
/** Characters of a quote that may only lead on. */
const longestPointer = 400
const mostNear = 3

/** The best quotes with their links, or a sentence that the documentation has no answer and the nearest pages. */
export function composeAnswer({ text, context, results, near, unknown, rarities }: Question): Answer {
  const language = languageOf(text) ?? 'en'
  const phrases = phrasesIn(language)
  const every = joinOperations(distinct([...results, ...near.filter((one) => isTitled(one, text))]))
  const own = every.filter(({ content }) => languageOf(content) === language)
  const entries =
    own.length > 0 ? every.filter((one) => own.includes(one) || languageOf(one.content) === undefined) : every
  const foreign = own.length === 0 && (every.length > 0 || language !== 'en')
  const candidates = entries.length > 0 ? entries : near
  const missingOf = (part: boolean) =>
    findMissing({ question: text, language, foreign, unknown, rarities, found: candidates.map(textOf), part })

  const gone = missingOf(false)
  const absent = new Set(namesIn(gone).flatMap(termsOf))
  const names = new Set([...absent, ...namedTerms(text, language)])
  const subject = { question: text, context, language, foreign, names, absent, rarities }
  const sections = rankSections({ ...subject, unknown: new Set(unknown.flatMap(termsOf)) }, entries)
  const isGone = absent.size > 0
  const quotable = sections.filter(({ quote }) => quote !== undefined && quote.score > 0)
  const part = quotable.filter(({ rest, isNear }) => isGone && gone.isAside && rest >= leastPart && isNear)
  const weak = quotable.filter((section) => !isGone && isWeak(section))
  const [chosen = [], outcome = 'unanswered'] =
    [
      [chooseWhole(quotable, text), isGone ? 'partial' : 'answered'] as const,
      [choose(part[0], quotable), 'partial'] as const,
      [weak.slice(0, 1), 'weak'] as const,
    ].find(([quoted]) => quoted.length > 0) ?? []
  if (outcome === 'unanswered') {
    const links = nearestOf(
      sections,
      distinct(near).filter((one) => sharesWord(one, text)),
    )
    const all = missingOf(true)
    // Without pages that come near, what these do not mention says nothing.
    const unmentioned = all.unmentioned.filter((name) => links.length > 0 && !name.startsWith('“'))
    const missing = { ...all, unmentioned }
    const list = links.length === 0 ? [] : [phrases.nearest, links.map((link) => `- ${link}`).join('\n')]
    const refusal = [phrases.unanswered, ...remarksOn(missing, phrases, language)].join(' ')
    return { text: [refusal, ...list].join('\n\n'), outcome, missing: plainNames(missing) }
  }
  const remarks = remarksOn(gone, phrases, language)
  const pages = foreign ? languageOf(chosen.map(({ result }) => result.content).join('\n')) : undefined
  if (pages && pages !== language)
    remarks.push(phrases.otherLanguage.replace('…', nameOfLanguage(pages, language)))
  const lead = outcome === 'weak' ? phrases.weak : phrases.found
  const quotes = chosen.map(
    ({ result, quote }) => `${(quote?.blocks ?? []).map(write).join('\n\n')}\n\n${linkTo(result)}`,
  )
  return {
    text: [[...remarks, lead].join(' '), ...quotes].join('\n\n'),
    outcome,
    missing: plainNames(gone),
  }
}

/** Whether the title or the heading nearly is the question. */
function isTitled({ title, heading }: SearchResult, question: string): boolean {
  const wanted = questionTerms(question)
  const titleTerms = new Set(termsOf(`${title} ${heading}`))
  const [held, total] = [...wanted].reduce(
    ([some, all], [term, weight]) => [some + (titleTerms.has(term) ? weight : 0), all + weight],
    [0, 0],
  )
  return total >= 1 && held / total >= leastTitled
}

function sharesWord(result: SearchResult, question: string): boolean {
  const terms = new Set(termsOf(textOf(result)))
  return [...questionTerms(question).keys()].some((term) => terms.has(term))
}

/** Links to the pages that come nearest, one for each. */
function nearestOf(sections: readonly Section[], near: readonly SearchResult[]): string[] {
  const isClose = ({ held, isNear }: Section) => isNear || held.size > 1
  const some = sections.filter(({ coverage }) => coverage > 0)
  const closest = [...some.filter(isClose), ...some.filter((section) => !isClose(section))]
  const pages = new Map<string, string>()
  for (const result of [...closest.map((section) => section.result), ...near])
    if (!pages.has(result.path)) pages.set(result.path, linkTo(result))
  return [...pages.values()].slice(0, mostNear)
}

/** Whether a section holds enough of a question to answer it: words of it that only stand in code are not. */
function isWhole(section: Section, question: string): boolean {
  const { coverage, subject } = section
  if (isUnspaced(question)) return coverage >= leastUnspacedCoverage
  // How something is done is often said without the verb.
  const least = subject >= leastClear ? leastWithoutVerb : leastCoverage
  return isTopical(section) && coverage >= least && subject >= leastSubject
}

function isWeak(section: Section): boolean {
  const { coverage, subject, isNear, held } = section
  return isTopical(section) && coverage >= leastWeak && subject >= leastWeak && (isNear || held.size > 1)
}

function isTopical({ isNear, held, quote }: Section): boolean {
  const prose = (quote?.blocks ?? []).filter(({ kind }) => kind !== 'code')
  return isNear || prose.some((block) => termsOf(plainOf(block)).some((term) => held.has(term)))
}

/**
 * The sections to quote where one of them answers. The order of the sections is good: the first one stays before one that
 * has more of the words.
 */
function chooseWhole(sections: readonly Section[], question: string): Section[] {
  const [first, ...others] = sections.filter(({ held }) => held.size > 0)
  if (!first) return []
  if (isWhole(first, question)) return choose(first, sections)
  const whole = others.find(
    (section) => (section.isNear || section.coverage >= leastOff) && isWhole(section, question),
  )
  if (!whole || whole.score < first.score * leastBehind) return []
  return isWeak(first) && !isSame(first, whole) ? [first, whole] : choose(whole, sections)
}

/** The best section with another one that is as good or holds what it does not. */
function choose(best: Section | undefined, others: readonly Section[]): Section[] {
  if (!best) return []
  const next = pointsOn(best) ? nextOf(best, others) : undefined
  if (next) return [best, next]
  const second = others.find((section) => {
    if (section === best || section.held.size === 0) return false
    const adds = [...section.held].some((term) => !best.held.has(term))
    const isOther = linkTo(section.result) !== linkTo(best.result) && !isSame(best, section)
    return isOther && section.score >= best.score * (adds ? leastBehind : 0.9)
  })
  return second ? [best, second] : [best]
}

/** Whether a short quote leads on to what stands behind it: "for Windows, see below". */
function pointsOn({ quote }: Section): boolean {
  const text = (quote?.blocks ?? []).map(plainOf).join('\n')
  return (
    text.length <= longestPointer &&
    /\b(?:below|following (?:section|steps|example)|next section)\b/i.test(text)
  )
}

function nextOf(best: Section, others: readonly Section[]): Section | undefined {
  const isHere = ({ result }: Section) => result.path === best.result.path && result.url !== best.result.url
  return others.find((section) => section !== best && isHere(section) && !isSame(best, section))
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

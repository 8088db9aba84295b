import { isUnspaced, questionTerms, termsOf } from '../../lib/prompts/question-terms.ts'
import { asksForSteps, isWay, plainOf } from './choose-quote.ts'
import { findMissing, namedTerms, type Missing } from './find-missing.ts'
import { joinOperations } from './operation-pieces.ts'
import { languageOf, nameOfLanguage, phrasesIn, type Language, type Phrases } from './phrases.ts'
import { rankSections, textOf, type Section } from './rank-sections.ts'
import { linkTo, safeText } from './safe-text.ts'
import type { SearchResult } from './search-results.ts'
import { writeBlock } from './write-block.ts'

/** An answer before it is written: what it quotes, and what it says about that. */
export interface Judged extends Omit<Answer, 'text'> {
  language: Language
  /** Sentences on what is missing, or on the language of the pages. */
  remarks: string[]
  quotes: Quoted[]
  /** Where nothing is quoted, links to the pages that come nearest. */
  nearest: string[]
}

export interface Quoted {
  link: string
  text: string
}

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
  /** Whether the first result is the page that is asked for, whatever its words. */
  leads?: boolean
  /** Whether a program wrote the text, whose names and numbers need not be in the documentation. */
  pasted?: boolean
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
/** The share of the subject that a second section has to add. */
const leastAdded = 0.25
/** Characters of a quote that may only lead on. */
const longestPointer = 400
/** With less, the beginning of a page does not say how something is started. */
const shortLead = 800
const mostNear = 3

/** The best quotes with their links, or a sentence that the documentation has no answer and the nearest pages. */
export function composeAnswer(question: Question): Answer {
  return writeAnswer(judgeAnswer(question))
}

export function writeAnswer({ language, outcome, missing, remarks, quotes, nearest }: Judged): Answer {
  const phrases = phrasesIn(language)
  if (outcome === 'unanswered') {
    const list = nearest.length === 0 ? [] : [phrases.nearest, nearest.map((link) => `- ${link}`).join('\n')]
    return { text: [[phrases.unanswered, ...remarks].join(' '), ...list].join('\n\n'), outcome, missing }
  }
  const lead = outcome === 'weak' ? phrases.weak : phrases.found
  const texts = quotes.map(({ link, text }) => `${text}\n\n${link}`)
  return { text: [[...remarks, lead].join(' '), ...texts].join('\n\n'), outcome, missing }
}

/** What of the results answers a question, and how well. */
export function judgeAnswer({
  text,
  context,
  results,
  near,
  unknown,
  rarities,
  leads,
  pasted,
}: Question): Judged {
  const language = languageOf(text) ?? 'en'
  const phrases = phrasesIn(language)
  const every = joinOperations(distinct([...results, ...near.filter((one) => isTitled(one, text))]))
  const own = every.filter(({ content }) => languageOf(content) === language)
  const entries =
    own.length > 0 ? every.filter((one) => own.includes(one) || languageOf(one.content) === undefined) : every
  const foreign = own.length === 0 && (every.length > 0 || language !== 'en')
  const candidates = entries.length > 0 ? entries : near
  const missingOf = (part: boolean): Missing =>
    pasted === true
      ? { unknown: [], unmentioned: [], isAside: true }
      : findMissing({
          question: text,
          language,
          foreign,
          unknown,
          rarities,
          found: candidates.map(textOf),
          part,
        })

  const gone = missingOf(false)
  const absent = new Set(namesIn(gone).flatMap(termsOf))
  const names = new Set([...absent, ...namedTerms(text, language)])
  const subject = {
    question: text,
    context,
    language,
    foreign,
    names,
    absent,
    rarities,
    leading: leads === true ? results[0]?.path : undefined,
    pasted: pasted === true,
  }
  const sections = rankSections({ ...subject, unknown: new Set(unknown.flatMap(termsOf)) }, entries)
  const isGone = absent.size > 0
  const leading = leads === true ? sections.find(({ result }) => result.url === results[0]?.url) : undefined
  const quotable = sections.filter(({ quote }) => quote !== undefined && quote.score > 0)
  const part = quotable.filter(({ rest, isNear }) => isGone && gone.isAside && rest >= leastPart && isNear)
  const weak = quotable.filter((section) => !isGone && isWeak(section))
  const led = chooseLeading(leading, quotable, text)
  const showsHow = !asksForSteps(text) || led.some((one) => offers(one) || isNamedSo(one, text))
  const whole = chooseWhole(quotable, text)
  const [chosen = [], outcome = 'unanswered'] =
    [
      [led, showsHow ? 'answered' : 'weak'] as const,
      [whole, isGone ? 'partial' : 'answered'] as const,
      [choose(part[0], quotable, text), 'partial'] as const,
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
    const remarks = remarksOn(missing, phrases, language)
    return { language, outcome, missing: plainNames(missing), remarks, quotes: [], nearest: links }
  }
  const remarks = remarksOn(gone, phrases, language)
  const pages = foreign ? languageOf(chosen.map(({ result }) => result.content).join('\n')) : undefined
  if (pages && pages !== language)
    remarks.push(phrases.otherLanguage.replace('…', nameOfLanguage(pages, language)))
  const quotes = chosen.map(({ result, quote }) => ({
    link: linkTo(result),
    text: (quote?.blocks ?? []).map(writeBlock).join('\n\n'),
  }))
  return { language, outcome, missing: plainNames(gone), remarks, quotes, nearest: [] }
}

/** Whether the title or the last heading says what the question says, and nothing else. */
function isNamedSo({ result: { title, heading } }: Section, question: string): boolean {
  const wanted = questionTerms(question)
  return [title, heading.split(' – ').at(-1) ?? ''].some((name) => {
    const terms = [...questionTerms(name)]
    return (
      terms.some(([term]) => wanted.has(term)) &&
      terms.every(([term, weight]) => weight < 1 || wanted.has(term))
    )
  })
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
  return isTopical(section) && section.isComplete && coverage >= least && subject >= leastSubject
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
  if (isWhole(first, question)) return choose(first, sections, question)
  const whole = others.find(
    (section) => (section.isNear || section.coverage >= leastOff) && isWhole(section, question),
  )
  if (!whole || whole.score < first.score * leastBehind) return []
  return isWeak(first) && !isSame(first, whole) ? [first, whole] : choose(whole, sections, question)
}

/** The best section with the one that it leads on to, or one that holds what it does not. */
function choose(best: Section | undefined, others: readonly Section[], question: string): Section[] {
  if (!best) return []
  const next = nextOf(best, others, question)
  if (next) return [best, next]
  const second = others.find((section) => {
    const isOther = linkTo(section.result) !== linkTo(best.result) && !isSame(best, section)
    return isOther && section.score >= best.score * leastBehind && addedBy(section, best) >= leastAdded
  })
  return second ? [best, second] : [best]
}

/** The share of the subject that a section holds and another one does not. */
function addedBy(section: Section, best: Section): number {
  return [...section.held].reduce((sum, [term, share]) => sum + (best.held.has(term) ? 0 : share), 0)
}

/** Whether a short quote leads on to what stands behind it: "for Windows, see below". */
function pointsOn({ quote }: Section): boolean {
  const text = (quote?.blocks ?? []).map(plainOf).join('\n')
  return (
    text.length <= longestPointer &&
    /\b(?:below|following (?:section|steps|example)|next section)\b/i.test(text)
  )
}

/**
 * What the best section leads on to: what it says stands below, or, of a page's beginning that does not show how
 * something is done, the section that does.
 */
function nextOf(best: Section, others: readonly Section[], question: string): Section | undefined {
  const showsNothing = best.result.heading === '' && asksForSteps(question) && !shows(best)
  if (!pointsOn(best) && !showsNothing) return undefined
  return othersOf(best, others).find((section) => !showsNothing || shows(section))
}

/** The page that is asked for, whatever its words: its beginning, and a section that shows how something is done. */
function chooseLeading(
  leading: Section | undefined,
  others: readonly Section[],
  question: string,
): Section[] {
  if (leading?.quote === undefined) return []
  if (!asksForSteps(question) || shows(leading)) return [leading]
  const further = othersOf(leading, others)
  const next = further.find(shows) ?? (lengthOf(leading) < shortLead ? further[0] : undefined)
  return next ? [leading, next] : [leading]
}

function lengthOf({ quote }: Section): number {
  return (quote?.blocks ?? []).map(plainOf).join('\n').length
}

/** The other sections of a section's page. */
function othersOf(best: Section, others: readonly Section[]): Section[] {
  const isHere = ({ result }: Section) => result.path === best.result.path && result.url !== best.result.url
  return others.filter((section) => section !== best && isHere(section) && !isSame(best, section))
}

/** Whether a quote shows how something is done, or between which ways to choose. */
function offers({ quote }: Section): boolean {
  return quote?.blocks.some((block) => isWay(block) || block.kind !== 'paragraph') === true
}

function shows({ quote }: Section): boolean {
  return quote?.blocks.some(isWay) === true
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

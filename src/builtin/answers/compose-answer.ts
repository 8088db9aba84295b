import { isUnspaced, questionTerms, termsOf } from '../../lib/prompts/question-terms.ts'
import { asksForSteps } from './choose-quote.ts'
import {
  choose,
  chooseLeading,
  chooseWhole,
  isNamedSo,
  isWeak,
  offers,
  shareOnPage,
} from './choose-sections.ts'
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

/**
 * The share of the question, by how rare its words are on the site, that one page must hold for an answer: what it lacks
 * is what the question is about. A question often has one rare word that the documentation says otherwise (“without downtime”).
 */
const leastHeld = 0.65
/** The same for a part of an answer. */
const leastOfPart = 0.3
/** The share of the subject, without what is missing, that a part of an answer must hold. */
const leastPart = 0.65
/** The share of the question that a title must hold to be nearly the question. */
const leastTitled = 0.8
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
  const led = chooseLeading(leading, quotable, text, { results, sections })
  const showsHow = !asksForSteps(text) || led.some((one) => offers(one) || isNamedSo(one, text))
  const whole = chooseWhole(quotable, text)
  const isHeld = (least: number): boolean =>
    pasted === true || foreign || isUnspaced(text) || shareOnPage(text, candidates, rarities) >= least
  const [chosen = [], outcome = 'unanswered'] =
    [
      [led, showsHow ? 'answered' : 'weak'] as const,
      [whole, isGone ? 'partial' : isHeld(leastHeld) ? 'answered' : 'weak'] as const,
      [isHeld(leastOfPart) ? choose(part[0], quotable, text) : [], 'partial'] as const,
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

import { isUnspaced, questionTerms, termsOf } from '../../lib/prompts/question-terms.ts'
import { asksForSteps, isWay, plainOf } from './choose-quote.ts'
import { textOf, type Section } from './rank-sections.ts'
import { linkTo } from './safe-text.ts'
import type { SearchResult } from './search-results.ts'

/** The share of the question's terms, by weight, that a quote must hold to be an answer. */
const leastCoverage = 0.6
/** The same of the terms that say what it is about. */
const leastSubject = 0.65
/** With this share of them, a smaller share of all is enough. */
const leastClear = 0.95
const leastWithoutVerb = 0.5
/** The same for scripts without spaces, where pairs of characters match less often than words. */
const leastUnspacedCoverage = 0.4
/** Words of a question that weigh less say how it is asked. */
const leastTold = 0.3
/** A quote with less is not even near. */
const leastWeak = 0.4
/** The share that a section must hold whose headings name nothing of the question, to answer in place of another. */
const leastOff = 0.75
/** The share of the first section's score that another one must have to be quoted beside it. */
const leastBehind = 0.7
/** The share of the subject that a second section has to add. */
const leastAdded = 0.25
/** Characters of a quote that may only lead on. */
const longestPointer = 400
/** With less, the beginning of a page does not say how something is started. */
const shortLead = 800
/** With less prose, the beginning of a page does not say what it is about. */
const shortProse = 120

/** Whether the title or the last heading says what the question says, and nothing else. */
export function isNamedSo({ result: { title, heading } }: Section, question: string): boolean {
  const wanted = questionTerms(question)
  return [title, heading.split(' – ').at(-1) ?? ''].some((name) => {
    const terms = [...questionTerms(name)]
    return (
      terms.some(([term]) => wanted.has(term)) &&
      terms.every(([term, weight]) => weight < 1 || wanted.has(term))
    )
  })
}

/** The share of a question's words, by how rare they are on the site, that one page holds in what was found of it. */
export function shareOnPage(
  question: string,
  found: readonly SearchResult[],
  rarities: ReadonlyMap<string, number> | undefined,
): number {
  const onSite = new Map(
    [...(rarities ?? [])].flatMap(([word, rarity]) => termsOf(word).map((term) => [term, rarity] as const)),
  )
  const wanted = [...questionTerms(question)].filter(([, weight]) => weight > leastTold)
  const weigh = (holds: (term: string) => boolean): number =>
    wanted.reduce((sum, [term]) => sum + (holds(term) ? (onSite.get(term) ?? 1) : 0), 0)
  const total = weigh(() => true)
  const pages = [...Map.groupBy(found, ({ path }) => path).values()]
  const shares = pages.map((results) => {
    const terms = new Set(results.flatMap((result) => termsOf(textOf(result))))
    return weigh((term) => terms.has(term)) / total
  })
  return total === 0 ? 1 : Math.max(0, ...shares)
}

/** Whether a section holds enough of a question to answer it: words of it that only stand in code are not. */
function isWhole(section: Section, question: string): boolean {
  const { coverage, subject } = section
  if (isUnspaced(question)) return coverage >= leastUnspacedCoverage
  // How something is done is often said without the verb.
  const least = subject >= leastClear ? leastWithoutVerb : leastCoverage
  return isTopical(section) && section.isComplete && coverage >= least && subject >= leastSubject
}

export function isWeak(section: Section): boolean {
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
export function chooseWhole(sections: readonly Section[], question: string): Section[] {
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
export function choose(best: Section | undefined, others: readonly Section[], question: string): Section[] {
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
export function chooseLeading(
  leading: Section | undefined,
  others: readonly Section[],
  question: string,
  all: { results: readonly SearchResult[]; sections: readonly Section[] },
): Section[] {
  if (leading?.quote === undefined) return []
  const further = othersOf(leading, others)
  if (!asksForSteps(question)) {
    const next = saysLittle(leading) ? further[0] : undefined
    return next ? [leading, next] : [leading]
  }
  if (shows(leading)) return [leading]
  const isNamed = isNamedSo(leading, question)
  const below = isNamed
    ? further.find(({ result }) => result.heading.startsWith(`${leading.result.heading} – `))
    : undefined
  const next = below ?? further.find(shows) ?? (lengthOf(leading) < shortLead ? further[0] : undefined)
  const led = next ? [leading, next] : [leading]
  if (isNamed || led.some(shows)) return led
  // Where the page that says how to start shows no way, the next page of the search may.
  const elsewhere = all.results.find(
    ({ path, url }) =>
      path !== leading.result.path && all.sections.some((one) => one.result.url === url && shows(one)),
  )
  const behind = all.sections.find(({ result }) => result.url === elsewhere?.url)
  return behind ? [leading, behind] : led
}

/** Whether the beginning of a page is a greeting and a list, and says nothing of what it is about. */
function saysLittle({ quote }: Section): boolean {
  const prose = (quote?.blocks ?? []).filter(({ kind }) => kind === 'paragraph')
  return prose.map(plainOf).join('\n').length < shortProse
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
export function offers({ quote }: Section): boolean {
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

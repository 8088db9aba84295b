import { meaningTable } from '../meaning/meaning-table.ts'
import type { SearchIndex } from './search-index.ts'
import type { Segment } from './segment.ts'
import { findPath, passageText, titleAt, pageStringsOf } from './segment-strings.ts'
import { stopWords, termsOf } from './words.ts'

/** Pages that are read, spread over the site, and characters of each. */
const mostPages = 150
const longest = 1200
/** A name stands on this share of the pages at least, and is written with a capital letter almost always. */
const leastPages = 0.25
const leastCapital = 0.8
/** The same for a word with which the site begins: pages made of an API description may name no product. */
const leastOfBeginning = 0.08
const firstPages = 3
/** What stands on so many pages is a name however it is written. */
const almostAll = 0.75
/** A name of two words: the second stands on almost as many pages as the first. */
const alike = 0.9
/** With fewer pages nothing can be said to stand on most of them. */
const fewestPages = 5

/** Words of two characters or more, with hyphens as in Pi-hole, and whether they stand inside of a sentence. */
const wordsOfText =
  /(?:(?<=([\p{Ll},;)]) )|(?<![\p{L}\p{N}.-]))(\p{L}[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+){0,3})(?![\p{L}\p{N}])/gu

const subject = /(?:^|[.!?]\s+|\n)(\p{Lu}[\p{L}\p{N}-]{1,40}) is an? /gmu
/** Such a word is written with a capital letter on this share of its places at least. */
const leastDefined = 0.4

interface Seen {
  pages: number
  /** How often it stands inside of a sentence, and with a capital letter there. */
  inside: number
  capital: number
}

const known = new WeakMap<SearchIndex, ReadonlySet<string>>()

/**
 * Terms of the name of what a site is about, which its pages name almost everywhere: written with a capital letter in
 * the middle of sentences, no word of the language, or on almost every page. Empty where the pages do not tell.
 */
export function siteNames(index: SearchIndex): ReadonlySet<string> {
  const before = known.get(index)
  if (before !== undefined) return before
  const names = findNames(index)
  known.set(index, names)
  return names
}

function findNames(index: SearchIndex): ReadonlySet<string> {
  const seen = new Map<string, Seen>()
  let pages = 0
  for (const text of textsOf(index)) {
    pages += 1
    const here = new Set<string>()
    for (const [, before, word = ''] of text.matchAll(wordsOfText)) {
      const small = word.toLowerCase()
      const one = seen.get(small) ?? { pages: 0, inside: 0, capital: 0 }
      if (!here.has(small)) one.pages += 1
      here.add(small)
      // A sentence begins with a capital letter, whatever the word.
      if (before !== undefined) {
        one.inside += 1
        // `API` is an abbreviation that every product has.
        if (/\p{Lu}/u.test(word) && /\p{Ll}/u.test(word)) one.capital += 1
      }
      seen.set(small, one)
    }
  }
  if (pages < fewestPages) return new Set()
  const { ids } = meaningTable()
  const isOfLanguage = (word: string): boolean => word.split('-').every((part) => ids.has(part))
  const candidates = [...seen].filter(
    ([word, { pages: on, inside, capital }]) =>
      on >= pages * leastOfBeginning &&
      !stopWords.has(word) &&
      !/^v\d/.test(word) &&
      (on >= pages * almostAll || capital > inside * leastCapital || (inside > 0 && !isOfLanguage(word))),
  )
  const beginning = beginningOf(index)
  const begun = wordsOf(beginning)
  const defined = definedIn(beginning)
  // What the beginning says what it is may be a word of the language, and a command in small letters.
  const isDefined = ([word, { pages: on, capital, inside }]: [string, Seen]): boolean =>
    defined.has(word) && on >= pages * leastPages && capital > inside * leastDefined
  const first = [...seen].filter(
    (one) => isDefined(one) || (candidates.some(([word]) => word === one[0]) && begun.has(one[0])),
  )
  const likely = first.length > 0 ? first : candidates.filter(([, { pages: on }]) => on >= pages * leastPages)
  const most = Math.max(0, ...likely.map(([, { pages: on }]) => on))
  return new Set(
    likely
      .filter(([, { pages: on }]) => on >= most * alike)
      .flatMap(([word]) => {
        const { exact, stems } = termsOf(word)
        return [...exact, ...stems]
      }),
  )
}

/** The words that a text says of what they are: "Caddy is a server". */
function definedIn(text: string): Set<string> {
  return new Set([...text.matchAll(subject)].map(([, word = '']) => word.toLowerCase()))
}

function wordsOf(text: string): Set<string> {
  return new Set([...text.matchAll(wordsOfText)].map(([, , word = '']) => word.toLowerCase()))
}

/** With what the first pages of the navigation begin, or, without one, the home pages. */
function beginningOf({ parts, firstPages: paths }: SearchIndex): string {
  if (paths.length === 0) {
    // The home page has the first address of all.
    return parts
      .flatMap(({ segment, deleted }) => {
        const home = segment.urlOrder.find((page) => deleted[page] !== 1)
        if (home === undefined || pageStringsOf(segment, home).url !== '/') return []
        return [textAt(segment, home)]
      })
      .join('\n')
  }
  return paths
    .slice(0, firstPages)
    .flatMap((path) =>
      parts.flatMap(({ segment, deleted }) => {
        const page = findPath(segment, path)
        return page < 0 || deleted[page] === 1 ? [] : [textAt(segment, page)]
      }),
    )
    .join('\n')
}

/** Titles and beginnings of pages, without code. */
function* textsOf({ parts, pages }: SearchIndex): Generator<string> {
  const step = Math.max(1, Math.floor(pages / mostPages))
  let at = 0
  for (const { segment, deleted } of parts)
    for (let page = 0; page < segment.pages; page++) {
      if (deleted[page] === 1 || at++ % step !== 0) continue
      yield textAt(segment, page)
    }
}

function textAt(segment: Segment, page: number): string {
  const text = passageText(segment, segment.pageSections[page] ?? 0).slice(0, longest)
  return `${titleAt(segment, page)}\n${text.replaceAll(/```[^]*?(?:```|$)|https?:\S+/g, ' ')}`
}

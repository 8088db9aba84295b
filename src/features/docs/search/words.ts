import { stemmer } from 'stemmer'
import { oneSpelling } from './spelling.ts'

/**
 * The longest word or identifier that is indexed whole. Of longer ones (hashes, data URLs) only the parts are
 * indexed.
 */
const longestWord = 64

/** Marks the stem of a word among the terms of an index; no word starts with it. */
const stemMark = '~'

/**
 * Calls `emit` for every word as it is written: a run of letters and digits, with the characters that join
 * identifiers inside (`optimizeDeps.include`, `std::vector`, `pre-bundling`), or a run of a script without spaces.
 * Takes linear time on any text.
 */
export function scanWords(text: string, emit: (word: string) => void): void {
  const end = text.length
  let at = 0
  while (at < end) {
    const kind = kindAt(text, at)
    if (kind === unspaced) {
      const start = at
      while (at < end && kindAt(text, at) === unspaced) at += widthAt(text, at)
      emit(text.slice(start, at))
    } else if (kind === letter) {
      const start = at
      at = wordEnd(text, at, end)
      emit(text.slice(start, at))
    } else at += 1
  }
}

/**
 * The terms under which a word is indexed and looked up. `exact` forms count fully; `stems` (of plain words only)
 * are marked and count less.
 */
export interface WordTerms {
  exact: string[]
  stems: string[]
}

export function termsOf(word: string): WordTerms {
  const known = remembered.get(word)
  if (known !== undefined) return known
  const terms = analyse(word)
  if (remembered.size >= mostRemembered) remembered.clear()
  if (word.length <= longestWord) remembered.set(word, terms)
  return terms
}

/** Whether a word is a run of a script that writes without spaces. */
export function isUnspaced(word: string): boolean {
  return kindAt(word, 0) === unspaced
}

/** A cache, because titles and headings are tokenised with every query, and most of their words are the same few. */
const remembered = new Map<string, WordTerms>()
const mostRemembered = 20_000

function analyse(word: string): WordTerms {
  const terms: WordTerms = { exact: [], stems: [] }
  if (isUnspaced(word)) {
    addPairs(word, terms.exact)
    return terms
  }
  const whole = fold(word)
  if (isPlain(word)) addPlain(whole, terms)
  else {
    // `front-matter` is `frontmatter`, and `e-mail` is `email`.
    const joined = /^\p{L}+(?:-\p{L}+)+$/u.test(whole) ? whole.replaceAll('-', '') : whole
    if (joined.length <= longestWord) terms.exact.push(joined)
    for (const joined of word.split(/[^\p{L}\p{N}\p{M}]+/u)) addJoined(joined, word, terms)
  }
  return terms
}

function addJoined(joined: string, word: string, terms: WordTerms): void {
  if (joined === '') return
  const humps = joined.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
  if (humps.length > 1) {
    if (joined !== word && joined.length <= longestWord) terms.exact.push(fold(joined))
    for (const hump of humps) addPlain(fold(hump), terms)
  } else addPlain(fold(joined), terms)
}

function addPlain(word: string, terms: WordTerms): void {
  if (word === '' || word.length > longestWord) return
  const spelled = oneSpelling(word)
  terms.exact.push(spelled)
  if (word.length > 2 && /^[a-z]+$/.test(word)) terms.stems.push(stemMark + stemmer(spelled))
}

/** Scripts without spaces are indexed as overlapping pairs of characters; a lone character stands for itself. */
function addPairs(run: string, exact: string[]): void {
  const characters = Array.from(run.normalize('NFKC').toLowerCase())
  if (characters.length === 1) exact.push(run)
  for (let i = 1; i < characters.length; i++) exact.push(`${characters[i - 1]}${characters[i]}`)
}

/**
 * Lower case, with compatibility forms and accents unified and possessive apostrophes removed (`Vite's` is `vite`).
 */
function fold(word: string): string {
  let folded = word.toLowerCase()
  if (/[^\x20-\x7e]/.test(folded)) {
    folded = folded.normalize('NFKC').replace(/[\u2018\u2019]/g, "'")
    folded = folded
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC')
  }
  if (folded.includes("'")) folded = folded.replace(/'s$/, '').replaceAll("'", '')
  return folded
}

/** Whether a word has no joining characters and no camelCase inside. */
function isPlain(word: string): boolean {
  return /^(?:\p{Lu}?[\p{Ll}\p{N}\p{M}\p{Lo}'\u2018\u2019]*|[\p{Lu}\p{N}'\u2018\u2019]+)$/u.test(word)
}

function wordEnd(text: string, start: number, end: number): number {
  let at = start
  while (at < end) {
    if (kindAt(text, at) === letter) at += widthAt(text, at)
    else {
      const joiners = isJoiner(text.charCodeAt(at)) ? (text.startsWith('::', at) ? 2 : 1) : 0
      if (joiners === 0 || at + joiners >= end || kindAt(text, at + joiners) !== letter) break
      at += joiners
    }
  }
  // C++, C# and F# are words too.
  if (text.startsWith('++', at)) return at + 2
  if (text[at] === '#' && at - start === 1) return at + 1
  return at
}

function isJoiner(code: number): boolean {
  // ' - . / : @ _ and the typographic apostrophe
  return (
    code === 45 ||
    code === 46 ||
    code === 95 ||
    code === 47 ||
    code === 39 ||
    code === 58 ||
    code === 64 ||
    code === 0x2019
  )
}

const unknown = 0
const other = 1
const letter = 2
const unspaced = 3
const kinds = new Uint8Array(0x10000)

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  const kind = kinds[code] ?? other
  if (kind !== unknown) return kind
  if (code >= 0xd800 && code <= 0xdfff) return classify(text.codePointAt(at) ?? 0)
  const newKind = classify(code)
  kinds[code] = newKind
  return newKind
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}

function classify(code: number): number {
  if (code >= 0xd800 && code <= 0xdfff) return other
  const character = String.fromCodePoint(code)
  if (
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u.test(
      character,
    ) &&
    /[\p{L}\p{N}\p{M}]/u.test(character)
  ) {
    return unspaced
  }
  return /[\p{L}\p{N}\p{M}]/u.test(character) ? letter : other
}

/**
 * English words that say little about what a question means. They are indexed like any other word and only count
 * less in a query, so that "what is this" still finds a page of that name.
 */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by
  can cannot could did do does doing done down during each either else ever every few for from further get gets getting
  got had has have having he her here hers him his how however i if in into is it its itself just let like
  many may me might mine more most much must my no nor not now of off on once only onto or other our ours out over own per
  please same shall she should since so some such than that the their theirs them then there these they this those
  through to too under until up upon us use used uses using very via want was way we well were what when where whether
  which while who whom whose why will with within without would you your yours
  cant dont doesnt didnt isnt arent wont wouldnt shouldnt couldnt im ive id ill youre theyre thats whats lets`.split(
    /\s+/,
  ),
)

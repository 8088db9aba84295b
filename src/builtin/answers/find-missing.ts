import { questionTerms, termsOf } from '../../lib/question-terms.ts'
import { isFrequent, type Language } from './phrases.ts'

/** What the question speaks of and the results do not, in its own words. */
export interface Missing {
  /** Words that the whole documentation does not hold. */
  unknown: string[]
  /** Names, versions and numbers that no result holds. */
  unmentioned: string[]
}

interface Asked {
  question: string
  language: Language
  /** Whether the results are in another language: then the plain words of the question say nothing about them. */
  foreign: boolean
  /** Words of the question that the index does not hold. */
  unknown: readonly string[]
  /** Whether the sections hold only a part of the question, so that the rest has to be named. */
  part: boolean
  /** The texts of the sections that are shown. */
  texts: readonly string[]
  /** The texts of everything that was found. */
  found: readonly string[]
}

const most = 4
const mostTokens = 100

export function findMissing(asked: Asked): Missing {
  const { question, language, foreign } = asked
  const texts = asked.texts.map((text) => text.toLowerCase())
  const held = asked.texts.map((text) => new Set(termsOf(text)))
  const found = asked.found.map((text) => new Set(termsOf(text)))
  /** What the site is about need not be said in each of its sections. */
  const isCommon = (text: string) =>
    found.length > 3 && found.filter((terms) => isHeld(text, terms)).length >= found.length / 2
  const missing: Missing = { unknown: [], unmentioned: [] }
  const unknown = new Set(asked.unknown.flatMap((word) => [word.toLowerCase(), ...partsOf(word)]))
  const tokens = tokensOf(question)
  const add = (list: string[], text: string) => {
    if (!list.includes(text) && missing.unknown.length + missing.unmentioned.length < most) list.push(text)
  }
  tokens.forEach((token, at) => {
    const { text } = token
    const before = tokens[at - 1]
    if (isNumber(text)) {
      const named = numberPhrase(tokens, at)
      if (named === undefined || texts.some((one) => holdsNumber(one, named.word, text))) return
      add(isUnknown(text, unknown) ? missing.unknown : missing.unmentioned, named.phrase)
      return
    }
    if (questionTerms(text).size === 0 || isFrequent(text, language)) return
    const name = isName(token, language)
    const product =
      before &&
      !before.ends &&
      !before.begins &&
      name &&
      isName(before, language) &&
      !isUnknown(before.text, unknown)
    const shown = !name ? `“${text}”` : product ? `${before.text} ${text}` : text
    // Other words of other languages are inflected in ways that are not known here.
    if (!name && (foreign || !isThing(token, before, tokens[at + 1], language))) return
    // A version is named together with its product.
    if (numberPhrase(tokens, at + 1) !== undefined) return
    if (isUnknown(text, unknown)) add(missing.unknown, shown)
    else if (name ? !token.begins && !isCommon(text) : language === 'en' && isObject(tokens, at, asked.part))
      if (!(name || asked.part ? held : found).some((terms) => isHeld(text, terms)))
        add(missing.unmentioned, shown)
  })
  if (!foreign)
    for (const run of unheldRuns(question, asked.part ? held : found))
      if (asked.part || Array.from(run).length > 2) add(missing.unmentioned, `“${run}”`)
  // "MariaDB" need not be named again beside "MariaDB Galera".
  missing.unmentioned = missing.unmentioned.filter(
    (name) => !missing.unknown.some((longer) => longer.includes(name)),
  )
  return missing
}

/** The terms of the names, versions and numbers in a question. */
export function namedTerms(question: string, language: Language): Set<string> {
  const tokens = tokensOf(question).filter(
    (token) => isNumber(token.text) || (!token.begins && isName(token, language)),
  )
  return new Set(tokens.flatMap(({ text }) => termsOf(text)))
}

/** The words of a query that pages can hold: those that the index knows, without numbers. */
export function knownWords(query: string, unknown: readonly string[]): string[] {
  const absent = new Set(unknown.map((word) => word.toLowerCase()))
  return tokensOf(query).flatMap(({ text }) =>
    isNumber(text) || absent.has(text.toLowerCase()) ? [] : [text],
  )
}

interface Token {
  text: string
  /** Whether it is the first word of a sentence. */
  begins: boolean
  /** Whether it is marked as code, or quoted. */
  marked: boolean
  /** Whether a comma or the like stands behind it. */
  ends: boolean
}

/** The words of a question, with the marks inside of names: `Node.js`, `--port`, `C++`. */
function tokensOf(question: string): Token[] {
  const tokens: Token[] = []
  let begins = true
  for (const [piece] of question
    .slice(0, 2000)
    .matchAll(/[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，。？！、]+/gu)) {
    const characters = Array.from(piece)
    const from = characters.findIndex((character) => /[\p{L}\p{N}@-]/u.test(character))
    const to = characters.findLastIndex((character) => /[\p{L}\p{N}+#]/u.test(character))
    const text =
      from < 0
        ? ''
        : characters
            .slice(from, to + 1)
            .join('')
            .replace(/['’]s$/, '')
    const [last = ''] = piece.slice(-1)
    if (/[\p{L}\p{N}]/u.test(text) && text.length <= 60)
      tokens.push({ text, begins, marked: /^["'“`]/.test(piece), ends: /[,;:.?!]/.test(last) })
    begins = /[.?!:]/.test(last)
    if (tokens.length >= mostTokens) break
  }
  return tokens
}

function partsOf(word: string): string[] {
  return word.toLowerCase().split(/[^\p{L}\p{N}]+/u)
}

function isUnknown(text: string, unknown: ReadonlySet<string>): boolean {
  return (
    unknown.has(text.toLowerCase()) ||
    (/[\p{L}\p{N}]/u.test(text) &&
      partsOf(text)
        .filter((part) => part !== '')
        .every((part) => unknown.has(part)))
  )
}

function isNumber(text: string): boolean {
  return /^v?\d[\d.,]*[%+x]?$/i.test(text)
}

/** A number together with the word that says what it counts: "Windows 95", "version 3.2"; undefined for a mere value. */
function numberPhrase(tokens: readonly Token[], at: number): { word: string; phrase: string } | undefined {
  const text = tokens[at]?.text ?? ''
  if (!isNumber(text)) return undefined
  const before = tokens[at - 1]
  if (
    before &&
    !before.ends &&
    !isNumber(before.text) &&
    [...questionTerms(before.text).values()].some((weight) => weight > 0)
  )
    return { word: before.text, phrase: `${before.text} ${text}` }
  if (/\d\.\d/.test(text)) return { word: '', phrase: text }
  return undefined
}

/** Whether a text has a number right behind a word, as in "Node.js >= 18" for "Node 18". */
function holdsNumber(text: string, word: string, number: string): boolean {
  const [wanted = ''] = partsOf(word)
  const digits = number.match(/\d+/g) ?? []
  const words = text.slice(0, 20_000).split(/[^\p{L}\p{N}]+/u)
  return words.some((_, at) => {
    const same = digits.every((digit, place) => words[at + place]?.replace(/^v(?=\d)/, '') === digit)
    return same && (wanted === '' || words.slice(Math.max(0, at - 4), at).includes(wanted))
  })
}

/** Whether a word names a product, a format, an option: what nothing else can stand for. */
function isName({ text, begins, marked }: Token, language: Language): boolean {
  if (marked || /[\p{Ll}\p{N}]\p{Lu}|^\p{Lu}{2}|\p{L}\p{N}|\p{N}\p{L}|[_/@#+]|\p{L}\.\p{L}|^--/u.test(text))
    return true
  if (language === 'zh' || language === 'ja' || language === 'ko') return /^[A-Za-z]/.test(text)
  return language !== 'de' && !begins && /^\p{Lu}/u.test(text)
}

const beforeVerb =
  /^(?:to|i|we|you|they|can|cannot|can't|do|does|did|should|could|would|will|must|not|don't|please|let)$/i
const article = /^(?:a|an|the|my|our|this|that|these|its|all)$/i

/** Whether a word is likely a noun: verbs and adverbs of a question have too many others that say the same. */
function isThing(
  token: Token,
  before: Token | undefined,
  next: Token | undefined,
  language: Language,
): boolean {
  const { text } = token
  if (language !== 'en') return language === 'de' && !token.begins && /^\p{Lu}/u.test(text)
  if (
    [...questionTerms(text).values()].every((weight) => weight < 1) ||
    text.endsWith('ly') ||
    text.length < 3
  )
    return false
  if (before && beforeVerb.test(before.text)) return false
  return !(token.begins && next !== undefined && article.test(next.text))
}

const beforeObject =
  /^(?:with|without|on|via|using|for|in|inside|from|to|into|by|and|or|behind|through|under|over|support|supports|have|has)$/i
const generic =
  /^(?:front|top|end|particular|general|details?|cases?|ways?|place|time|idea|guide|steps?|addition|order|future|practices?|people|users?|everything|others?|both|parts?|kinds?|types?|sorts?|stuff|certain|different|separate|custom)$/i

/** Whether a noun is an object of its own, as "Redis" in "a cache with redis"; in a part of an answer also its attributes. */
function isObject(tokens: readonly Token[], at: number, wide: boolean): boolean {
  const text = tokens[at]?.text ?? ''
  if (tokens[at]?.begins || generic.test(text) || /(?:ing|ed)$/i.test(text) || text.includes("'"))
    return false
  let from = at - 1
  if (
    wide &&
    tokens[from] &&
    !article.test(tokens[from]?.text ?? '') &&
    !beforeObject.test(tokens[from]?.text ?? '')
  )
    from -= 1
  if (article.test(tokens[from]?.text ?? '')) from -= 1
  if (!beforeObject.test(tokens[from]?.text ?? '')) return false
  const next = tokens[at + 1]
  return wide || next === undefined || tokens[at]?.ends === true || beforeObject.test(next.text)
}

function isHeld(text: string, terms: ReadonlySet<string>): boolean {
  return partsOf(text)
    .filter((part) => part !== '')
    .every((part) => {
      const [whole = '', ...humps] = termsOf(part)
      return terms.has(whole) || (humps.length > 0 && humps.every((hump) => terms.has(hump)))
    })
}

/** Chinese words that say how a question is asked, or that have too many others for the same. */
const fillers =
  /多少|多久|几个|如何|怎么办|怎么|怎样|什么|为什么|能不能|有没有|是否|需要|想要|可以|请问|关于|介绍|区别|方法|办法|步骤|推荐|最好|之间|进行|还是|以及|或者|支持|使用|设置|修改|实现/g

/** Stretches of Chinese characters of which no pair stands in any result. */
function unheldRuns(question: string, held: readonly ReadonlySet<string>[]): string[] {
  const asked = questionTerms(question)
  const runs: string[] = []
  for (const [run] of question
    .slice(0, 2000)
    .replace(fillers, ' ')
    .matchAll(/\p{Script=Han}{2,}/gu)) {
    const characters = Array.from(run)
    const wanted = new Set<number>()
    const known = new Set<number>()
    for (let at = 1; at < characters.length; at++) {
      const pair = `${characters[at - 1]}${characters[at]}`
      const isHeld = held.some((terms) => terms.has(pair))
      if (asked.has(pair)) for (const place of [at - 1, at]) (isHeld ? known : wanted).add(place)
    }
    let open = ''
    for (const [at, character] of [...characters.entries(), [characters.length, ''] as const]) {
      if (wanted.has(at) && !known.has(at)) open += character
      else {
        if (Array.from(open).length > 1) runs.push(open)
        open = ''
      }
    }
  }
  return runs
}

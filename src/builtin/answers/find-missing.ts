import { questionTerms, termsOf } from '../../lib/prompts/question-terms.ts'
import { isFrequent, type Language } from './phrases.ts'

/** What the question speaks of and the answer does not, in the question's words. */
export interface Missing {
  /** Words that the whole documentation does not hold. */
  unknown: string[]
  /** Words that nothing of what was found holds. */
  unmentioned: string[]
  /** Whether all of them are only the circumstances of what is asked for: with Redis, on Windows 95, behind nginx. */
  isAside: boolean
}

interface Asked {
  question: string
  language: Language
  /** Whether the pages are in another language: then the plain words of the question say nothing about them. */
  foreign: boolean
  /** Words of the question that the index does not hold. */
  unknown: readonly string[]
  /** The texts of everything that was found, with titles and headings. */
  found: readonly string[]
  /** By word of the question, in small letters, how rare it is on the site: 0 for what is on every page. */
  rarities?: ReadonlyMap<string, number> | undefined
  /** Whether only a part of the question was found, so that the rest has to be named. */
  part: boolean
}

const most = 4
/** What is on so many pages is in the documentation, whatever was found. */
const usual = 0.2
const mostTokens = 100

/**
 * Words without a match: names, numbers with what they count, and plain words where they stand as nouns, because verbs
 * have too many others that say the same.
 */
export function findMissing(asked: Asked): Missing {
  const { question, language, foreign } = asked
  const texts = asked.found.map((text) => new Set(termsOf(text)))
  const isFound = (text: string) =>
    /\p{L}[^\p{L}\p{N}]\p{N}/u.test(text)
      ? asked.found.some((one) => holdsInOnePiece(one, text))
      : (asked.rarities?.get(text.toLowerCase()) ?? 1) < usual || texts.some((terms) => holds(terms, text))
  const unknown = new Set(asked.unknown.flatMap((word) => [word.toLowerCase(), ...partsOf(word)]))
  const missing: Missing = { unknown: [], unmentioned: [], isAside: true }
  const add = (list: string[], text: string): boolean => {
    const isNew = !list.includes(text) && missing.unknown.length + missing.unmentioned.length < most
    if (isNew) list.push(text)
    return isNew
  }
  const tokens = tokensOf(question)
  tokens.forEach((token, at) => {
    const { text } = token
    const before = tokens[at - 1]
    const isAside = language !== 'en' || isCircumstance(tokens.slice(0, at))
    const note = (list: string[], label: string): void => {
      if (add(list, label) && !isAside) missing.isAside = false
    }
    if (isNumber(text)) {
      const word = before && !before.ends && isTelling(before.text) ? before.text : ''
      if (word === '' && !/\d\.\d/.test(text)) return
      if (!asked.found.some((one) => holdsNumber(one.toLowerCase(), word, text)))
        add(missing.unmentioned, `${word} ${text}`.trim())
      return
    }
    const next = tokens[at + 1]
    // A version is named together with its product.
    if (next && isNumber(next.text) && !token.ends) return
    if (!isTelling(text) || isFrequent(text, language)) return
    const isName = names(token, language)
    if (!isName && (foreign || !isNoun(token, before, language))) return
    const label = isName ? text : `“${text}”`
    if (partsOf(text).every((part) => unknown.has(part))) note(missing.unknown, label)
    else if ((isName || asked.part || !isAttribute(token, next)) && !isFound(text))
      note(missing.unmentioned, label)
  })
  if (!foreign) for (const run of runsWithout(question, texts)) add(missing.unmentioned, `“${run}”`)
  return missing
}

/** The terms of the names and numbers in a question. */
export function namedTerms(question: string, language: Language): Set<string> {
  const named = tokensOf(question).filter(
    (token) => isNumber(token.text) || (!token.begins && names(token, language)),
  )
  return new Set(named.flatMap(({ text }) => termsOf(text)))
}

/** The words of a query that pages can hold: those that the index knows, without numbers; without names if it knows all. */
export function knownWords(query: string, unknown: readonly string[]): string[] {
  const absent = new Set(unknown.map((word) => word.toLowerCase()))
  const isAbsent = (token: Token) =>
    isNumber(token.text) ||
    (absent.size > 0 ? absent.has(token.text.toLowerCase()) : !token.begins && names(token, 'en'))
  return tokensOf(query).flatMap((token) => (isAbsent(token) ? [] : [token.text]))
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
  let begins = true
  const pieces = question
    .slice(0, 2000)
    // Data that somebody pasted has its marks between words.
    .replaceAll(/[{}]|"\s*[:,]\s*"?|\[\s*"/g, ' ')
    .matchAll(/[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}，。？！、]+/gu)
  const tokens = [...pieces].slice(0, mostTokens).map(([piece]): Token => {
    const characters = Array.from(piece)
    const from = characters.findIndex((character) => /[\p{L}\p{N}@-]/u.test(character))
    const to = characters.findLastIndex((character) => /[\p{L}\p{N}+#]/u.test(character))
    const text = from < 0 ? '' : characters.slice(from, to + 1).join('')
    const token = {
      text: text.replace(/['’]s$/, ''),
      begins,
      marked: /^["'“`]/.test(piece),
      ends: /[,;:.?!]$/.test(piece),
    }
    begins = /[.?!:]$/.test(piece)
    return token
  })
  return tokens.filter(({ text }) => /[\p{L}\p{N}]/u.test(text) && text.length <= 60)
}

function partsOf(word: string): string[] {
  return word
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
}

function isTelling(word: string): boolean {
  return [...questionTerms(word).values()].some((weight) => weight === 1)
}

function isNumber(text: string): boolean {
  return /^v?\d[\d.,]*[%+x]?$/i.test(text)
}

/** Whether a text has a number right behind a word, as in "Node.js >= 18" for "Node 18". */
function holdsNumber(text: string, word: string, number: string): boolean {
  const [wanted = ''] = partsOf(word)
  const digits = number.match(/\d+/g) ?? []
  const words = text.split(/[^\p{L}\p{N}]+/u)
  return words.some(
    (_, at) =>
      digits.every((digit, place) => words[at + place]?.replace(/^v(?=\d)/, '') === digit) &&
      (wanted === '' || words.slice(Math.max(0, at - 4), at).includes(wanted)),
  )
}

/** Whether a word names a product, a format, an option: what nothing else can stand for. */
function names({ text, begins, marked }: Token, language: Language): boolean {
  if (marked || /[\p{Ll}\p{N}]\p{Lu}|^\p{Lu}{2}|\p{L}\p{N}|\p{N}\p{L}|[_/@#+]|\p{L}\.\p{L}|^--/u.test(text))
    return true
  if (language === 'zh' || language === 'ja' || language === 'ko') return /^[A-Za-z]/.test(text)
  return language !== 'de' && !begins && /^\p{Lu}/u.test(text)
}

const leadsAside =
  /^(?:with|without|on|onto|in|into|to|from|for|by|via|over|under|behind|at|through|using|inside|as|of|against|and|or|like)$/i
/** What may also stand before several words that name one thing: in Docker Swarm, and Excalidraw boards. */
const leadsNames = /^(?:with|without|in|into|for|via|behind|using|inside|and|or)$/i
const article = /^(?:an?|the|my|our|your|its|their|this|that)$/i

/** Whether what follows these words only says where, how or with what something is done. */
function isCircumstance(before: readonly Token[]): boolean {
  const [last, ...others] = before.toReversed()
  if (!last) return false
  if (leadsAside.test(last.text)) return true
  if (article.test(last.text)) return leadsAside.test(others[0]?.text ?? '')
  if (last.ends || !isTelling(last.text)) return false
  const lead = others[0]
  return lead !== undefined && leadsNames.test(lead.text)
}

const beforeOther =
  /^(?:how|to|i|we|you|they|can|cannot|can't|do|does|did|should|could|would|will|must|not|don't|please|let)$/i
const generic =
  /^(?:front|top|end|particular|general|details?|cases?|place|time|idea|guide|steps?|addition|order|future|practices?|people|users?|everything|others?|both|parts?|kinds?|types?|sorts?|stuff|certain|different|separate|custom|difference)$/i

/** Whether a plain word is likely a noun. */
function isNoun({ text, begins }: Token, before: Token | undefined, language: Language): boolean {
  if (language !== 'en') return language === 'de' && !begins && /^\p{Lu}/u.test(text)
  if (/(?:ly|ing|ed)$|'/.test(text) || text.length < 3 || begins || generic.test(text)) return false
  return before !== undefined && !beforeOther.test(before.text)
}

/** Whether a word only describes the next one. */
function isAttribute(token: Token, next: Token | undefined): boolean {
  return next !== undefined && !token.ends && isTelling(next.text)
}

/** Whether a text has the parts of a name one after the other: HTTP/2 and Python 3 do not speak of HTTP/3. */
function holdsInOnePiece(text: string, name: string): boolean {
  const parts = partsOf(name)
  const words = partsOf(text.slice(0, 20_000))
  const joined = parts.join('')
  return words.some((word, at) => word === joined || parts.every((part, place) => words[at + place] === part))
}

function holds(terms: ReadonlySet<string>, text: string): boolean {
  return partsOf(text).every((part) => {
    const [whole = '', ...humps] = termsOf(part)
    return terms.has(whole) || (humps.length > 0 && humps.every((hump) => terms.has(hump)))
  })
}

/** Chinese words that say how a question is asked, or that have too many others for the same. */
const fillers =
  /多少|多久|几个|如何|怎么办|怎么|怎样|什么|为什么|能不能|有没有|是否|需要|想要|可以|请问|关于|介绍|区别|方法|办法|步骤|推荐|最好|之间|进行|还是|以及|或者|支持|使用|设置|修改|实现/g

/** Stretches of three and more Chinese characters of which no pair stands in any text. */
function runsWithout(question: string, texts: readonly ReadonlySet<string>[]): string[] {
  const ownTerms = questionTerms(question)
  const runs: string[] = []
  for (const [run] of question
    .slice(0, 2000)
    .replace(fillers, ' ')
    .matchAll(/\p{Script=Han}{2,}/gu)) {
    let open = ''
    for (const pair of [...termsOf(run), '']) {
      if (ownTerms.has(pair) && !texts.some((terms) => terms.has(pair)))
        open = open === '' ? pair : `${open}${pair.slice(1)}`
      else {
        if (open.length > 2) runs.push(open)
        open = ''
      }
    }
  }
  return runs
}

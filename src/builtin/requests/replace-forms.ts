import { readScope, type Asked } from './asked.ts'
import { isQuotation, rawValueOf, valueOf, type Slots, type Word } from './forms.ts'
import type { Masked } from './mask.ts'
import type { Request } from './request.ts'

/** Nouns that may stand before a text. */
export const textNames =
  'word|words|text|term|terms|phrase|string|name|sentence|product|company|brand|value|tool|feature|library|project'
/** Nouns that say that a text is code, and those that say that it is an address. */
export const codeNames =
  'command|endpoint|route|flag|option|parameter|argument|setting|function|method|class|component|variable|property|field|header|package|module|path|file_name|key'
export const addressNames = 'url|urls|domain|host|hostname|address'
export function readReplace(slots: Slots, { words, masked, flags }: Asked): Request | undefined {
  const exact = isQuotation(slots.from)
  const from = valueOf(slots.from, masked)
  const next = valueOf(slots.to, masked)
  const verb = words[0]?.key ?? ''
  if (from === '' || (!exact && isVague(slots, from, next, verb, words))) return undefined
  const scope = readScope(slots.where, masked)
  const options = { exact, ignoreCase: flags.ignoreCase, scope }
  const near = slots.what?.at(-1)?.key
  if (near === undefined) {
    const noun = words[words.indexOf(slots.from?.[0] ?? nowhere) - 1]?.key ?? ''
    const means = (nouns: string) => nouns.split('|').includes(noun)
    const isCode = flags.code || means(codeNames) || isBackticked(slots.from, masked)
    const code = flags.prose ? false : isCode ? true : undefined
    const isPlain = !exact && before(slots, words) === verb
    const isRename = verb === 'rename' && (isPlain || exact) && !means(codeNames) && !means(addressNames)
    return {
      kind: 'replace',
      from,
      to: next,
      ...options,
      code,
      links: flags.links || means(addressNames),
      near,
      inNames: flags.code,
      // "Rename X to Y" may mean a page.
      maybePage: isRename && scope.kind === 'everywhere' && !means(textNames),
    }
  }
  // The word before a number decides which numbers are meant; without quotes, other words are ambiguous.
  const [old, wanted] = [numberOf(from), numberOf(next)]
  if (!exact && (!old || !wanted || (old.unit !== '' && old.unit !== wanted.unit))) return undefined
  const find = old && wanted ? `${old.number}${old.unit === '' ? wanted.unit : old.unit}` : from
  const code = !flags.prose
  return {
    kind: 'replace',
    from: find,
    to: next,
    ...options,
    code,
    links: true,
    near,
    inNames: false,
    maybePage: false,
  }
}

/** `30 seconds` is a number and its unit. */
function numberOf(text: string): { number: string; unit: string } | undefined {
  const match = /^(v?\d[\d.,]*)( ?[a-z%]{0,20})$/i.exec(text)
  return match ? { number: match[1] ?? '', unit: match[2] ?? '' } : undefined
}

const nowhere: Word = { text: '', key: '' }

function before(slots: Slots, words: readonly Word[]): string {
  return words[words.indexOf(slots.from?.[0] ?? nowhere) - 1]?.key ?? ''
}

const noVersion =
  /^(?:port|timeout|limit|year|number|size|count|price|date|time|it|them|everything|docs|documentation|pages?|links?|text|version)$/

/** "Update Node.js to 24" and "the minimum Node version from 18 to 20". */
export function readVersion(
  { product, from, version, to: target, where }: Slots,
  { masked }: Asked,
): Request | undefined {
  const isMinimum = product?.some(({ key }) => /^(?:minimum|minimal|min|required|lowest)$/.test(key)) ?? false
  const name = (product ?? []).filter(
    ({ key }) =>
      !/^(?:minimum|minimal|min|required|lowest|latest|current|supported|default|recommended|the|our|all)$/.test(
        key,
      ),
  )
  const old = (from ?? version) && valueOf(from ?? version, masked)
  const next = valueOf(target, masked)
  const isNumber = (text: string) => /^v?\d+(?:\.[\dx]+)*(?:-[\w.]+)?$/i.test(text)
  if (name.length === 0 || name.length > 3 || name.some(({ key }) => noVersion.test(key))) return undefined
  if (!isNumber(next) || (old !== undefined && !isNumber(old))) return undefined
  const bare = (text: string) => text.replace(/^v/i, '')
  return {
    kind: 'version',
    product: valueOf(name, masked),
    from: old === undefined ? undefined : bare(old),
    to: bare(next),
    minimum: isMinimum,
    scope: readScope(where, masked),
  }
}

/** A text between backticks is code. */
function isBackticked(words: readonly Word[] | undefined, masked: Masked): boolean {
  return isQuotation(words) && rawValueOf(words, masked).startsWith('`')
}

/** What pages consist of: without quotes it is a description and no text. */
const vague =
  /^(?:it|them|this|that|these|those|everything|something|things?|all|the)$|\b(?:pages?|docs|documentation|sections?|tone|style|examples?|screenshots?|diagrams?|tutorials?|guides?|navigation|sidebar|layout|wording|language|tabs?|spaces?|indentation|lists?|bullets?|tables?|headings?|titles?|descriptions?|images?|pictures?|videos?|icons?|emojis?|quotes?|dash(?:es)?|commas?|blocks?|snippets?|comments?|notes?|admonitions?|callouts?|paragraphs?|sentences?|links?|footnotes?|acronyms?|abbreviations?|text)$/i

/** Without quotes the words may describe work instead of a text on a page. */
function isVague(slots: Slots, from: string, next: string, verb: string, words: readonly Word[]): boolean {
  if (vague.test(from) || vague.test(next)) return true
  // "Globex for consistency" and "Acme in the guides" say more than a text.
  if ([from, next].some((text) => /\b(?:for|in|on|from|across|throughout|within|with)\s+\S/i.test(text)))
    return true
  if (/^(?:an?|some|another|something|better|newer)\b/i.test(next)) return true
  if (slots.what) return false
  const previous = before(slots, words)
  const isName = /\p{Lu}|\d|[^\p{L}\p{N}\s-]/u.test(from)
  // "the intro" is a description, "the word intro" and "the Acme" are texts.
  if (previous === 'the' && !isName) return true
  const isNumber = (text: string) => /^v?\d/.test(text)
  // A number alone does not say what it counts.
  if (isNumber(from)) return true
  if (/^(?:replace|substitute|swap|find)$/.test(verb)) return false
  if (isNumber(next)) return true
  const isExplicit = previous !== verb && !/^(?:the|all|every|each|any)$/.test(previous)
  return !isExplicit && (verb === 'update' || !isName)
}

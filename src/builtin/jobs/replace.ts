import { rankGlossaries, readGlossary, type TermRule } from '../../lib/text/glossary.ts'
import { findPlace } from '../pages/find-page.ts'
import { escapeWord, findText, type Rule } from '../pages/find-text.ts'
import { findRelease, releasePatterns, type ReleaseRule } from '../pages/find-release.ts'
import { findVersions } from '../pages/find-version.ts'
import type { PageText, ReadPage } from '../../site/page-text.ts'
import { zoneOf, type Zone } from '../../site/markdown/zones.ts'
import type { Plan } from '../replay.ts'
import type { Request, Scope } from '../requests/request.ts'
import { listFiles, readFile } from '../tools.ts'
import misspellings from './misspellings.json' with { type: 'json' }
import { code, nothing, quote, type Work } from './outcome.ts'
import { searchesOf, substitute, type Search } from './substitute.ts'
import { counted } from '../../lib/text/counted.ts'

/** Common English misspellings in lower case that are no words elsewhere. */
const certain = new Map(Object.entries(misspellings))

type Of<Kind extends Request['kind']> = Extract<Request, { kind: Kind }>

/**
 * Replaces text in prose; in code on request, when the text itself is code, or when a quoted text stands only there;
 * in link targets on request or when the text is an address, because changing them silently breaks links.
 */
export function* replaceText(request: Of<'replace'>, read: ReadPage): Work {
  const { from, to, ignoreCase, near, exact, scope } = request
  const name = `Replace ${quote(from)} with ${quote(to)}`
  const isAddress = from.includes('://') || (host.test(from) && !fileName.test(from))
  const isPath = from.includes('/') && !/\s/.test(from)
  const isName = /^[\p{L}\p{N}\p{M} .,'’&-]+$/u.test(from) && !isIdentifier(from)
  const isCode = isAddress || isPath || (exact && !isName)
  const isWhole = near !== undefined || isAddress
  const alone = isWhole ? undefined : request.inNames ? 'outside of code' : 'everywhere'
  const base: Omit<Rule, 'zones'> = { find: from, replace: to, ignoreCase, typo: false, near, alone }
  const rule = (zones: Zone[]): Rule => ({ ...base, zones: new Set(zones) })
  const link: Zone[] = request.links || isAddress ? ['link'] : []
  const prose = rule((request.code ?? isCode) ? ['prose', 'code', ...link] : ['prose', ...link])
  const words = /^[\p{L}\p{N}_ -]+$/u.test(from) ? ', as whole words' : ''
  const searched = ignoreCase ? 'ignoring case' : 'with this exact spelling'
  const onLines = near === undefined ? '' : ` where the text says that it is the ${near}`
  const sentences = (more: string): Sentences => ({
    name,
    did: (where) => `Replaced ${code(from)} with ${code(to)} ${where}${onLines}, as asked${more}`,
    missing: (where) => `${code(from)} was not found ${where}${onLines} (searched ${searched}${words}).`,
  })
  const search = searchFor([prose], { code: 'including code', link: 'also in links' })
  const inCode = searchFor([rule(['code'])], search.hints)
  // A quoted text that stands only in code is meant there.
  const second = exact && request.code === undefined && !isCode ? inCode : undefined
  return yield* change(
    search,
    scope,
    read,
    sentences(''),
    second && {
      search: second,
      sentences: sentences(' (in code, because it stands nowhere in prose)'),
    },
  )
}

const host = /^(?=.*[a-z])[a-z0-9-]+(?:\.[a-z0-9-]+)+$/
const fileName = /\.(?:[cm]?[jt]sx?|mdx?|py|json|ya?ml|toml|sh|go|rs|rb|txt)$/
/** `docs.json` and `snake_case`; `Node.js` and `e.g.` are names. */
const isIdentifier = (text: string) => /^[a-z][\w.-]*$/.test(text) && /[._]\w\w/.test(text)

/** Changes which version of a product the documentation names. */
export function updateVersion(request: Of<'version'>, read: ReadPage): Work {
  const { product, from, to, scope } = request
  const of = from === undefined ? '' : ` from ${from}`
  const search =
    from !== undefined && isRelease(from) ? releaseSearch({ ...request, from }) : versionSearch(request)
  const find: Search['find'] = (page, path) => {
    const versions = search.find(page, path)
    if (typeof versions === 'string' || versions.changes.length + versions.left.size === 0) return versions
    return scope.kind !== 'page' && pastPage.test(path)
      ? 'it is about earlier versions; name it to change it'
      : versions
  }
  return change({ ...search, find }, scope, read, {
    name: `Update ${product}${of} to ${to}`,
    did: (where) => `Updated the version of ${code(product)}${of} to ${code(to)} ${where}, as asked`,
    missing: (where) =>
      from === undefined
        ? `No place ${where} names a version of ${code(product)} directly after its name. Give the old version to find it in tags, addresses, and ranges too: ${code(`Update ${product} from 1.2.3 to ${to}`)}.`
        : `No place ${where} has ${code(from)} as a version of ${code(product)}.`,
  })
}

/** `1.4.2`: exact enough to be found by itself. */
function isRelease(version: string): boolean {
  return /^\d+\.\d+\.\d/.test(version)
}

function releaseSearch(rule: Pick<ReleaseRule, 'product' | 'from' | 'to'>): Search {
  return {
    searches: releasePatterns(rule).map((pattern) => ({ pattern, regex: true, ignoreCase: true })),
    find: (page) => findRelease(page, { ...rule, isEnglish: isEnglish(page) }),
  }
}

function versionSearch(request: Of<'version'>): Search {
  const { product, from } = request
  const name = escapeWord(product.replace(/\.js$/i, '').split(/\s/)[0] ?? product)
  const pattern = `${name}.{0,24}${from === undefined ? '[0-9]' : escapeWord(from)}`
  return {
    searches: [{ pattern, regex: true, ignoreCase: true }],
    find: (page) => {
      const versions = findVersions(page, request)
      if (versions.changes.length + versions.left.size === 0) return versions
      return isEnglish(page)
        ? versions
        : 'it does not look like English, so ranges of versions are not recognised'
    },
  }
}

/** Pages that tell what earlier versions were like. */
const pastPage =
  /(?:^|[/_.-])(?:changelog|changes|history|release[-_]?notes|releases?|news|blog|versioned_docs\w*|version-[\dx.]+|v\d[\dx.]*|migrat\w*|upgrad\w*|archived?)(?:[/_.-]|$)/i

/** Changes the targets of links, but not their texts. */
export function relink({ from, to, code: inCode, scope }: Of<'relink'>, read: ReadPage): Work {
  const zones = new Set<Zone>(inCode ? ['link', 'code'] : ['link'])
  const rule = { find: from, replace: to, ignoreCase: false, typo: false, zones }
  return change(searchFor([rule], { code: 'including code' }), scope, read, {
    name: `Point links to ${to} instead of ${from}`,
    did: () => `Links to ${code(from)} now point to ${code(to)}`,
    missing: (where) => `No link to ${code(from)} was found ${where}.`,
  })
}

function searchFor(rules: readonly Rule[], hints: Search['hints'] = {}): Search {
  const same = rules.every((one) => one.find === one.replace)
  return { searches: searchesOf(rules), find: (page) => findText(page, rules), hints, same }
}

/** Corrects all unambiguous misspellings of a list in prose. */
export function fixTypos({ scope }: Of<'typos'>, read: ReadPage): Work {
  const rules = [...certain].map(([find, replace]) => inProse(find, replace, true))
  const example = code('Replace "recieve" with "receive"')
  const search = searchFor(rules)
  const find = (page: PageText) =>
    isEnglish(page) ? findText(page, rules) : 'it does not look like English, and the known misspellings are'
  return change({ ...search, find }, scope, read, {
    name: 'Fix common typos',
    did: () => 'Corrected common English misspellings',
    missing: (where) =>
      `None of the ${rules.length} common English misspellings that are known here was found ${where}. To fix another one, name it: ${example}.`,
  })
}

/** Applies one spelling per term, in prose only: code, links and addresses stay unchanged. */
export function* normaliseTerms({ rules: given, file, scope }: Of<'terms'>, read: ReadPage): Work {
  const glossary = given.length > 0 ? { rules: given, path: undefined } : yield* findGlossary(file)
  if (typeof glossary === 'string') return nothing('Normalise terms', glossary)
  const { rules, path } = glossary
  const [only, ...others] = rules
  const terms = rules.slice(0, 5).map((rule) => quote(rule.term))
  const listed = terms.join(', ') + (rules.length > 5 ? ` and ${rules.length - 5} more` : '')
  const source = path === undefined ? '' : ` of ${code(path)}`
  const isOne = only && others.length === 0 && path === undefined
  return yield* change(searchFor(rules.flatMap(rulesOf)), scope, read, {
    name: isOne ? `Use ${quote(only.term)} consistently` : 'Normalise terms',
    did: () => `Normalised the terms${source} in prose (${listed})`,
    missing: (where) => `No other spelling of ${listed} was found in prose ${where}.`,
  })
}

interface Sentences {
  name: string
  did: (where: string) => string
  missing: (where: string) => string
}

/** @param second what to do if nothing can be changed, and how to say it */
function* change(
  search: Search,
  scope: Scope,
  read: ReadPage,
  sentences: Sentences,
  second?: { search: Search; sentences: Sentences },
): Work {
  const place = yield* findPlace(scope)
  if (!place.ok) return nothing(sentences.name, place.why)
  const title = place.description === 'everywhere' ? sentences.name : `${sentences.name} ${place.description}`
  if (search.same === true) return nothing(title, 'The two texts are the same.')
  const { changed, left, replacements, places, failures, headings } = yield* substitute(search, place, read)
  if (changed.length > 0) {
    const what = `${sentences.did(place.description)}: ${counted(replacements, 'place')} in ${counted(changed.length, 'file')}.`
    return { title, what, changed, left, headings }
  }
  if (second && places.has('code')) return yield* change(second.search, scope, read, second.sentences)
  const where = place.description === 'everywhere' ? 'anywhere in the documentation' : place.description
  if (places.size > 0)
    return nothing(title, 'It stands only where it was not to be changed, so nothing was.', left)
  return nothing(title, failures > 0 ? 'Nothing was changed.' : sentences.missing(where), left)
}

/** Whether the words of a page are English, going by the most common ones. */
function isEnglish(page: PageText): boolean {
  const words = [...page.text.matchAll(/\p{L}+/gu)].filter(
    ({ index }) => zoneOf(page, index, index + 1) === 'prose',
  )
  const common = words.filter(([word]) => /^(?:the|and|of|to|is|for|with|you|this|that|it|be)$/i.test(word))
  // A few words may hold no common one.
  if (words.length < 20) return /^[\t\n -~]*$/.test(page.text)
  return common.length >= words.length / 20
}

function inProse(find: string, replace: string, typo: boolean): Rule {
  return { find, replace, ignoreCase: typo, typo, zones: new Set(['prose'] as const) }
}

function rulesOf(rule: TermRule): Rule[] {
  const variants = new Set<string>()
  for (const variant of rule.variants) {
    variants.add(variant)
    // A sentence may begin with the variant, but the capitalized term itself is correct there.
    const capital = variant.charAt(0).toUpperCase() + variant.slice(1)
    if (capital.toLowerCase() !== rule.term.toLowerCase()) variants.add(capital)
  }
  variants.delete(rule.term)
  return [...variants].map((find) => inProse(find, rule.term, false))
}

function* findGlossary(named: string | undefined): Plan<{ path: string; rules: TermRule[] } | string> {
  const name = named?.replace(/^(?:\.?\/)+/, '')
  const glob =
    name === undefined ? '**/glossary.{yml,yaml,json,md,mdx}' : `**/${name.slice(name.lastIndexOf('/') + 1)}`
  const files = yield* listFiles({ glob })
  const all = files.ok ? files.value : []
  const fitting = all.filter((path) => name === undefined || `/${path}`.endsWith(`/${name}`))
  const ranked = rankGlossaries(fitting)
  for (const path of ranked.slice(0, 5)) {
    const text = yield* readFile(path)
    const rules = text.ok ? readGlossary(text.value, path) : []
    if (rules.length > 0) return { path, rules: rules.slice(0, 300) }
  }
  const form =
    'a file `glossary.yml` with lines like `GitHub: [Github, git hub]`, or `Use "GitHub" instead of "Github"`'
  if (ranked.length > 0)
    return `${ranked.map(code).join(', ')} names no other spellings of a term. Expected: ${form}.`
  return `${name === undefined ? 'There is no glossary file' : `There is no file ${code(name)}`}. Expected: ${form}.`
}

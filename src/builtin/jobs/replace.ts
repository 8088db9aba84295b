import { rankGlossaries, readGlossary, type TermRule } from '../../lib/glossary.ts'
import { findPlace } from '../pages/find-page.ts'
import type { Rule } from '../pages/find-text.ts'
import type { ReadPage, Zone } from '../pages/page.ts'
import type { Plan } from '../replay.ts'
import type { Request, Scope } from '../requests/request.ts'
import { listFiles, readFile } from '../tools.ts'
import misspellings from './misspellings.json' with { type: 'json' }
import { code, count, nothing, quote, type Work } from './outcome.ts'
import { substitute } from './substitute.ts'

/** Common English misspellings in lower case: unambiguous ones, and those that are correct words elsewhere. */
const certain = new Map(Object.entries(misspellings.certain))
const ambiguous = new Map(Object.entries(misspellings.ambiguous))

type Of<Kind extends Request['kind']> = Extract<Request, { kind: Kind }>

/**
 * Replaces text in prose; in code only on request, or when the text itself is code and not a name; in link targets
 * on request or when the text is an address, because changing them silently breaks links.
 */
export function replaceText(request: Of<'replace'>, read: ReadPage): Work {
  const { from, to, ignoreCase, near } = request
  const isPath = from.includes('/') && !/\s/.test(from)
  const isAddress = isPath || (host.test(from) && !fileName.test(from))
  const isName = /^[\p{L}\p{N}\p{M} .,'’&-]+$/u.test(from)
  const zones = new Set<Zone>(['prose'])
  if (request.code ?? (isAddress || (request.exact && !isName))) zones.add('code')
  if (request.links || isAddress) zones.add('link')
  const words = /^[\p{L}\p{N}_ -]+$/u.test(from) ? ', as whole words' : ''
  const searched = ignoreCase ? 'ignoring case' : 'with this exact spelling'
  const onLines = near === undefined ? '' : ` on lines that say ${quote(near)}`
  return change([{ find: from, replace: to, ignoreCase, typo: false, zones, near }], request.scope, read, {
    name: `Replace ${quote(from)} with ${quote(to)}`,
    did: (where) => `Replaced ${code(from)} with ${code(to)} ${where}${onLines}, as asked`,
    missing: (where) => `${code(from)} was not found ${where}${onLines} (searched ${searched}${words}).`,
  })
}

const host = /^(?=.*[a-z])[a-z0-9-]+(?:\.[a-z0-9-]+)+$/
const fileName = /\.(?:[cm]?[jt]sx?|mdx?|py|json|ya?ml|toml|sh|go|rs|rb|txt)$/

/** Changes the targets of links, but not their texts. */
export function relink({ from, to, scope }: Of<'relink'>, read: ReadPage): Work {
  const rule = { find: from, replace: to, ignoreCase: false, typo: false, zones: new Set(['link'] as const) }
  return change([rule], scope, read, {
    name: `Point links to ${quote(to)} instead of ${quote(from)}`,
    did: () => `Links to ${code(from)} now point to ${code(to)}`,
    missing: (where) => `No link to ${code(from)} was found ${where}.`,
  })
}

/** Corrects one misspelled word, including its endings (`recieved`) and capitals. */
export function* fixTypo({ wrong, right: given, scope }: Of<'typo'>, read: ReadPage): Work {
  const right = given ?? certain.get(wrong.toLowerCase()) ?? ambiguous.get(wrong.toLowerCase())
  const name = `Fix the typo ${quote(wrong)}`
  if (right === undefined) {
    const example = code(`"${wrong}" should be "…"`)
    return nothing(name, `The correct spelling of ${quote(wrong)} is not known; give it: ${example}.`)
  }
  return yield* change([inProse(wrong, right, true)], scope, read, {
    name,
    did: () => `Corrected ${code(wrong)} to ${code(right)}`,
    missing: (where) => `${code(wrong)} was not found in the text of the pages (${where}).`,
  })
}

/** Corrects all unambiguous misspellings of a list in prose. */
export function fixTypos({ scope }: Of<'typos'>, read: ReadPage): Work {
  const rules = [...certain].map(([find, replace]) => inProse(find, replace, true))
  const example = code('"recieve" should be "receive"')
  return change(rules, scope, read, {
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
  return yield* change(rules.flatMap(rulesOf), scope, read, {
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

function* change(rules: readonly Rule[], scope: Scope, read: ReadPage, sentences: Sentences): Work {
  const place = yield* findPlace(scope)
  if (!place.ok) return nothing(sentences.name, place.why)
  const title = place.description === 'everywhere' ? sentences.name : `${sentences.name} ${place.description}`
  if (rules.every((rule) => rule.find === rule.replace)) return nothing(title, 'The two texts are the same.')
  const { changed, left, replacements } = yield* substitute(rules, place, read)
  if (changed.length > 0) {
    const what = `${sentences.did(place.description)}: ${count(replacements, 'place')} in ${count(changed.length, 'file')}.`
    return { title, what, changed, left }
  }
  const where = place.description === 'everywhere' ? 'anywhere in the documentation' : place.description
  return nothing(title, left.length > 0 ? 'Nothing was changed.' : sentences.missing(where), left)
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

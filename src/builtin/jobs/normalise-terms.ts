import { rankGlossaries, readGlossary, type TermRule } from '../../lib/glossary.ts'
import { resolveScope } from '../pages/resolve-scope.ts'
import type { Rule } from '../pages/find-text.ts'
import type { Plan } from '../replay.ts'
import type { Request } from '../requests/request.ts'
import { listFiles, readFile } from '../tools.ts'
import { code, nothing, quote, type Work } from './outcome.ts'
import { report } from './replace-text.ts'
import { substitute } from './substitute.ts'

const prose = new Set(['prose'] as const)

/** One spelling per term, in prose only: code, links and addresses stay as they are. */
export function* normaliseTerms(request: Extract<Request, { kind: 'terms' }>): Work {
  const place = yield* resolveScope(request.scope)
  const [only] = request.rules
  const name = only && request.rules.length === 1 ? `Use ${quote(only.term)} consistently` : 'Normalise terms'
  if (!place.ok) return nothing(name, place.why)
  let rules = request.rules
  let source = ''
  if (rules.length === 0) {
    const glossary = yield* findGlossary(request.file)
    if (typeof glossary === 'string') return nothing(name, glossary)
    rules = glossary.rules
    source = ` of ${code(glossary.path)}`
  }
  const title = place.said === 'everywhere' ? name : `${name} ${place.said}`
  const done = yield* substitute(rules.flatMap(rulesOf), place)
  const terms = rules
    .slice(0, 5)
    .map((rule) => quote(rule.term))
    .join(', ')
  const listed = rules.length > 5 ? `${terms} and ${rules.length - 5} more` : terms
  return report(title, done, {
    did: `Normalised the terms${source} in prose (${listed})`,
    missing: `No other spelling of ${listed} was found in prose ${place.said}.`,
  })
}

function rulesOf(rule: TermRule): Rule[] {
  const variants = new Set<string>()
  for (const variant of rule.variants) {
    variants.add(variant)
    // A sentence may begin with it; a term that is written small keeps its way only in the middle.
    const capital = variant.charAt(0).toUpperCase() + variant.slice(1)
    if (capital.toLowerCase() !== rule.term.toLowerCase()) variants.add(capital)
  }
  variants.delete(rule.term)
  return [...variants].map((find) => ({
    find,
    replace: rule.term,
    ignoreCase: false,
    typo: false,
    zones: prose,
  }))
}

type Glossary = { path: string; rules: TermRule[] } | string

function* findGlossary(named: string | undefined): Plan<Glossary> {
  const name = named?.replace(/^(?:\.?\/)+/, '')
  const glob =
    name === undefined ? '**/glossary.{yml,yaml,json,md,mdx}' : `**/${name.slice(name.lastIndexOf('/') + 1)}`
  const files = yield* listFiles({ glob })
  const all = files.ok ? files.value : []
  const fitting = all.filter((path) => name === undefined || path === name || path.endsWith(`/${name}`))
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

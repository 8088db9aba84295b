import { firstMatch } from './head.ts'
import type { Masked } from './mask.ts'
import { quotation } from './mask.ts'
import type { TermRule } from '../../lib/glossary.ts'
import type { Request } from './request.ts'
import { readScope, scopeEnd } from './scope.ts'

const item = `(?:${quotation}|[^\\uE000\\uE001,;:\\n]{1,80}?)`
/** Cut at commas and "and" by `readList`: a grammar of its own would have exponentially many readings. */
const list = `([^;:\\n]{1,300}?)`
const before = `(?:always\\s+|consistently\\s+)?`

const preferred = compile([
  `${before}(?:use|write|say|spell|prefer)\\s+(?:the (?:term|spelling|word)\\s+)?(${item})\\s+(?:instead of|rather than|in place of|over|and not|, not|not)\\s+${list}`,
  `${before}(?:use|write|say|spell|prefer)\\s+(?:the (?:term|spelling|word)\\s+)?(${item})\\s*,\\s*(?:and\\s+)?(?:not|never|instead of|rather than)\\s+${list}`,
])
const unify = compile([
  `(?:normali[sz]e|standardi[sz]e|unify)\\s+${list}\\s+(?:to|as|into|->|→|=>)\\s+(${item})`,
  `(?:normali[sz]e|standardi[sz]e|unify)\\s+(?:on|the spelling (?:on|of|to))\\s+(${item})\\s*\\(?(?:instead of|not|from|rather than)\\s+${list}\\)?`,
])
const fromFile = compile([
  `(?:normali[sz]e|standardi[sz]e|unify|apply|use|follow|enforce|check|fix)\\s+(?:all\\s+|the\\s+|our\\s+|project\\s+)*(?:terms?|terminology|glossary|glossary terms|terms of the glossary|spelling of terms|wording)(?:\\s+(?:(?:from|using|with|by|against|according to|as in|in|of|per)\\s+)?(?:the\\s+|our\\s+)?(?:glossary(?!\\.)(?:\\s+file)?(?:\\s+in)?|(${quotation}|\\S+\\.(?:ya?ml|json|md|mdx))))?`,
])
const listed =
  /^(?:normali[sz]e|standardi[sz]e|unify|use|apply|fix)\s+(?:(?:all|the|these|following|our|this)\s+)*(?:terms?|terminology|glossary|spellings?|names?|words?)((?:\s+(?:in|across|throughout|under|everywhere)\b[^:\n]{0,200})?)\s*:\s*([\s\S]+)$/i

/** One spelling for a term, from the request itself or from a glossary in the repository. */
export function parseTerms(piece: string, masked: Masked): Request | undefined {
  const text = piece.trim()
  if (text.length > 20_000) return undefined
  const head = text.replace(/(?<!\s)[^\S\n]*\n\s*/g, ' ')
  const many = listed.exec(text)
  if (many?.[2] !== undefined) {
    const rules = many[2].split(/\n|;/).flatMap((line) => readRule(line, masked))
    if (rules.length > 0) return { kind: 'terms', rules, file: undefined, scope: readScope(many[1], masked) }
  }
  if (head.length > 600) return undefined
  const one = firstMatch(preferred, head)
  if (one) return ruleRequest(one[1], one[2], one[3], masked)
  const unified = firstMatch(unify.slice(0, 1), head)
  if (unified) return ruleRequest(unified[2], unified[1], unified[3], masked)
  const on = firstMatch(unify.slice(1), head)
  if (on) return ruleRequest(on[1], on[2], on[3], masked)
  const file = firstMatch(fromFile, head)
  if (!file) return undefined
  const named = file[1] === undefined ? undefined : masked.valueOf(file[1])
  return { kind: 'terms', rules: [], file: named, scope: readScope(file[2], masked) }
}

function ruleRequest(
  term: string | undefined,
  variants: string | undefined,
  scope: string | undefined,
  masked: Masked,
): Request | undefined {
  const rule = { term: masked.valueOf(term ?? ''), variants: readList(variants ?? '', masked) }
  if (rule.term === '' || rule.variants.length === 0) return undefined
  return { kind: 'terms', rules: [rule], file: undefined, scope: readScope(scope, masked) }
}

/** `GitHub: Github, git hub`, `GitHub (not Github, git hub)`, `Github, git hub → GitHub`. */
function readRule(line: string, masked: Masked): TermRule[] {
  const said = line
    .replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, '')
    .replace(/[.]\s*$/, '')
    .trim()
  const arrow = /^(.{1,500}?)\s*(?:->|→|=>)\s*(.{1,200})$/.exec(said)
  const colon =
    /^([^:(]{1,200}?)\s*(?::|\((?:not|instead of|never)|,?\s+(?:not|instead of|rather than))\s*(.{1,500}?)\)?$/i.exec(
      said,
    )
  const [term, variants] = arrow ? [arrow[2], arrow[1]] : [colon?.[1], colon?.[2]]
  if (term === undefined || variants === undefined) return []
  const rule = { term: masked.valueOf(term), variants: readList(variants.replace(/^not\s+/i, ''), masked) }
  return rule.term !== '' && rule.variants.length > 0 ? [rule] : []
}

function readList(said: string, masked: Masked): string[] {
  const pieces = said.split(/(?:(?<!\s)\s+)?,\s*(?:and\s+|or\s+)?|(?<!\s)\s+(?:and|or)\s+/i)
  const values = pieces.map((piece) => masked.valueOf(piece)).filter((value) => value !== '')
  return values.some((value) => value.length > 80) ? [] : [...new Set(values)].slice(0, 50)
}

function compile(forms: readonly string[]): RegExp[] {
  return forms.map((form) => new RegExp(`^${form}${scopeEnd}$`, 'i'))
}

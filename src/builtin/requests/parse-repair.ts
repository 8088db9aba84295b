import type { Masked } from './mask.ts'
import { quotation } from './mask.ts'
import { firstMatch, headOf, isQuotation, leadScopeLast } from './head.ts'
import type { Request } from './request.ts'
import { readScope, scopeEnd } from './scope.ts'

const word = `(${quotation}|[\\p{L}\\p{N}'’-]{2,60}(?: [\\p{L}\\p{N}'’-]{2,60})?)`
const all = `(?:(?:all|any|every|each|the|of|our|these)\\s+)*`
const mend = `(?:fix(?: up)?|correct|repair|update|resolve|find and fix|check and fix|mend|clean up)`
const broken = `(?:(?:broken|dead|wrong|bad|invalid|failing|stale|internal|relative|dangling|unresolved)[\\s,]+(?:and\\s+)?)`

const typoForms = compile([
  `${mend}\\s+${all}(?:typos?|misspellings?|spelling(?: mistakes?| errors?)?|misspelled words?|misspelt words?)(?:\\s*:)?\\s+(?:of\\s+)?(?:the word\\s+)?${word}(?:\\s+(?:to|with|into|as|->|→|=>)\\s+${word}|[,;]?\\s*\\(?(?:it |this |which )?(?:should be|should read|must be|is|means)\\s+${word}\\)?)?`,
  `(?:${mend}\\s+)?(?:the (?:word|typo)\\s+)?${word}\\s+(?:should be|should read|must be|is a typo (?:for|of)|is misspelled,? it should be|ought to be|needs to be)\\s+(?:spelled |spelt |written )?(?:as )?${word}`,
  `(?:spell|correct)\\s+${word}\\s+(?:as|to)\\s+${word}`,
])
const lone = compile([
  `${mend}\\s+${all}(?:misspelled |misspelt )(?:word\\s+)?${word}`,
  `there(?:'s| is) a typo[:,]?\\s+${word}`,
])
const everyTypo = compile([
  `${mend}\\s+${all}(?:common\\s+)?(?:typos?|misspellings?|spelling(?: mistakes?| errors?)?|misspelled words?|misspelt words?)`,
  `(?:spell[- ]?check|proofread)\\s+${all}(?:docs|documentation|pages?|site)?`,
])
const linkForms = compile([
  `${mend}\\s+${all}${broken}+${all}(links?|anchors?|images?|heading links?|anchor links?|links? to headings|image links?|links? and images|references|cross-references|hyperlinks?)`,
  `${mend}\\s+${all}(links?|anchors?|images?|hyperlinks?)(?: that (?:are|is) (?:broken|dead)| which (?:are|is) broken| that do(?:es)?(?: not|n['’]t) (?:work|resolve))?`,
  `make (?:sure )?${all}(links?|anchors?|images?)\\s+(?:work|resolve)(?: again)?`,
])
const missingForms = compile([
  `(?:add|write|fill in|generate|create|insert|complete|provide|set)\\s+${all}(?:any\\s+)?(?:missing|absent|empty)\\s+(?:page |meta |front ?matter |seo )*(descriptions?|titles?)`,
  `(?:add|write|generate|create|set|give)\\s+(?:a |the |page |meta )*(descriptions?|titles?)\\s+(?:to|for|on|in)\\s+(?:all |every |each |the |any )*(?:pages?|files?|docs|ones)(?: in (?<folder>\\S+))?(?:,? (?:that|which|where|without|with no|lacking|missing|when)\\b.{0,60}?)`,
  `${mend}\\s+${all}missing\\s+(?:page |meta |front ?matter )*(descriptions?|titles?)`,
])

/** Typos, broken links, and descriptions or titles that are missing. */
export function parseRepair(piece: string, masked: Masked): Request | undefined {
  const said = headOf(piece)
  if (said === undefined) return undefined
  const head = leadScopeLast(said)
  const links = firstMatch(linkForms, head)
  if (links) return { kind: 'links', only: kindOf(links[1] ?? ''), scope: readScope(links[2], masked) }
  const missing = firstMatch(missingForms, head)
  if (missing) {
    const field = /^desc/i.test(missing[1] ?? '') ? 'description' : 'title'
    const folder = missing.groups?.['folder']
    const where = folder === undefined ? missing.at(-1) : `in ${folder}`
    return { kind: 'add missing', field, scope: readScope(where, masked) }
  }
  const every = firstMatch(everyTypo, head)
  if (every && !/\bof\b|\s(?:to|into|->|→|=>|should|must)\s/i.test(head)) {
    return { kind: 'typos', scope: readScope(every[1], masked) }
  }
  const typo = firstMatch(typoForms, head)
  if (typo) {
    const groups = typo.slice(1, -1).filter((group) => group !== undefined)
    // "The page should be shorter" is not about a word.
    if (groups.some((group) => !isQuotation(group) && /\s/.test(group.trim()))) return undefined
    const [wrong, right] = groups.map((group) => masked.valueOf(group))
    if (wrong === undefined || wrong === '') return undefined
    return { kind: 'typo', wrong, right, scope: readScope(typo.at(-1), masked) }
  }
  const single = firstMatch(lone, head)
  if (!single) return undefined
  return {
    kind: 'typo',
    wrong: masked.valueOf(single[1] ?? ''),
    right: undefined,
    scope: readScope(single[2], masked),
  }
}

function compile(forms: readonly string[]): RegExp[] {
  return forms.map((form) => new RegExp(`^${form}${scopeEnd}$`, 'iu'))
}

function kindOf(said: string): 'link' | 'anchor' | 'image' | undefined {
  if (/and images|^links?$|hyperlink|reference/i.test(said)) return undefined
  if (/anchor|heading/i.test(said)) return 'anchor'
  return /image/i.test(said) ? 'image' : undefined
}

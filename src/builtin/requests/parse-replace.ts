import type { Masked } from './mask.ts'
import { quotation } from './mask.ts'
import { firstMatch, headOf, isQuotation, leadScopeLast } from './head.ts'
import type { Request } from './request.ts'
import { readScope, scopeEnd } from './scope.ts'

const term = `(${quotation}|[^\\uE000\\uE001\\n]{1,120}?)`
const counted = `(?:(?:all|every|each|any|the|both)\\s+)*(?:(?:occurrences?|instances?|mentions?|uses?|appearances?|references?) (?:of|to)\\s+)?`
const noun = `(?:the\\s+)?(?:(?:old |new |exact )?(?:words?|texts?|terms?|phrases?|strings?|names?|sentences?|product names?|products?|brand|company|spelling|value|version|url|tool|feature|variable|command)\\s+)?`
const links = `(?:(?:all|every|the|any|each|old)\\s+)*(?:links?|urls?|hrefs?|references)`

const replaced = [
  `(?:find (?:and|&) )?(?:replace|substitute|swap(?: out)?|exchange)\\s+${counted}${noun}${term}\\s+(?:with|by|for|to)\\s+${noun}${term}`,
  `(?:change|rename|update|convert|turn|switch|rebrand)\\s+${counted}${noun}${term}\\s+(?:to|into|->|→|=>)\\s+${noun}${term}`,
  `find\\s+${counted}${noun}${term}\\s+and\\s+(?:replace|change|swap)\\s+(?:it|them|those|each|all)\\s+(?:with|by|to|into)\\s+${noun}${term}`,
  `(?:say|write|put)\\s+${term}\\s+(?:instead of|rather than|in place of)\\s+${term}`,
]
const relinked = [
  `(?:change|update|replace|fix|point|redirect|repoint|make)\\s+${links}\\s+(?:that (?:point|go|lead) )?(?:from |to |of )?${term}\\s+(?:point )?(?:to|with|by|into)\\s+${term}`,
]
const replaceForms = compile(replaced)
const relinkForms = compile(relinked)

const ignoringCase =
  /[,\s(]+(?:ignoring (?:the )?case|case[- ]insensitive(?:ly)?|regardless of (?:the )?case|whatever the case|in any case|any case)\b\)?/i
const proseOnly =
  /[,\s(]+(?:(?:but )?(?:in|only in) (?:the )?prose(?: only)?|prose only|(?:but )?(?:not|except) (?:in |inside )?code(?: blocks?| samples?| examples?)?|outside (?:of )?code(?: blocks?)?)\b\)?/i
const codeToo =
  /[,\s(]+(?:(?:and |also )*(?:in|inside|including|even in|with) (?:the )?code(?: blocks?| samples?| examples?)?(?: too| as well| included)?|code (?:blocks )?included)\b\)?/i
const linksToo =
  /[,\s(]+(?:(?:and |also )*(?:in|inside|including|even in) (?:the )?(?:links?|urls?)(?: too| as well| included)?|(?:links?|urls?) included)\b\)?/i
const wholeWords = /[,\s(]+(?:as )?(?:whole|entire|full) words?(?: only)?\b\)?/i

/** Change where links point. */
export function parseRelink(piece: string, masked: Masked): Request | undefined {
  const head = headOf(piece)
  const found = head === undefined ? undefined : firstMatch(relinkForms, leadScopeLast(head))
  if (!found) return undefined
  const [, from = '', to = '', where] = found
  const scope = readScope(where, masked)
  return { kind: 'relink', from: masked.valueOf(from), to: masked.valueOf(to), scope }
}

/** Replace a text or rename a product. */
export function parseReplace(piece: string, masked: Masked): Request | undefined {
  let head = headOf(piece)
  if (head === undefined) return undefined
  const has = (flag: RegExp) => {
    const found = head !== undefined && flag.test(head)
    head = head?.replace(flag, '')
    return found
  }
  const ignoreCase = has(ignoringCase)
  has(wholeWords)
  const inProse = has(proseOnly)
  const inCode = has(codeToo)
  const inLinks = has(linksToo)
  head = leadScopeLast(head)
  const found = firstMatch(replaceForms, head)
  if (!found) return undefined
  const said = /^(?:say|write|put)\b/i.test(head)
  const [from = '', to = ''] = said ? [found[2], found[1]] : [found[1], found[2]]
  const exact = isQuotation(from)
  const text = masked.valueOf(from)
  if (text === '' || (!exact && isVague(text))) return undefined
  return {
    kind: 'replace',
    from: text,
    to: masked.valueOf(to),
    exact,
    ignoreCase,
    code: inProse ? false : inCode ? true : undefined,
    links: inLinks,
    scope: readScope(found[3], masked),
  }
}

/** Without quotes these are a description of work, not a text that stands in a page. */
function isVague(text: string): boolean {
  return /^(?:it|them|this|that|these|those|everything|something|things?|all|the)$|\b(?:page|pages|docs|documentation|section|tone|style|example|examples|screenshots?|diagrams?|tutorial|guide|navigation|sidebar|layout|wording|language)$/i.test(
    text,
  )
}

function compile(forms: readonly string[]): RegExp[] {
  return forms.map((form) => new RegExp(`^${form}${scopeEnd}$`, 'i'))
}

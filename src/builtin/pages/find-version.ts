import type { PageText } from '../../site/page-text.ts'
import { zoneOf } from '../../site/markdown/zones.ts'
import { escapeWord, lineCounter, type Change, type Found, type Left } from './find-text.ts'

/** The versions of a product to change. */
export interface VersionRule {
  product: string
  /** Undefined for whatever version stands there. */
  from: string | undefined
  to: string
  /** `18 or later` and `>= 18` are changed too. */
  minimum: boolean
}

/** What makes a version one of the past, or of a range, of which nobody knows whether it is meant. */
const history =
  /\b(?:since|before|until|till|from|in|as of|than|after|between|prior to|starting with|for|up to|through|and|or|not|old|older|early|earlier|previous|upgrade to|migrate to|migrating to|upgrading to)(?: the)?[\s*_`"'([]*$/i
const range =
  /^(?:\+|\.x|[\s*_`"')\]]{0,4}(?:(?:or|and) (?:later|newer|higher|above|up|greater|earlier|older|below|lower)|[-–—/]\s?v?\d|(?:to|through|and|or) v?\d|, v?\d|,? (?:introduced|added|removed|deprecated|dropped|changed)\b))/i
const lowest = /^(?:\+|[\s*_`"')\]]{0,4}(?:or|and) (?:later|newer|higher|above|up|greater)\b)/i

const counted =
  /^ (?!(?:is|are|was|has|or|and|to|on|in|for|as|with|must|should|installed|runtime|release|environment|image)\b)\w/

/** "If you use X 1.4" tells what holds for this version. */
const condition = /\b(?:if|when|unless|whether|while)\b/i

/** Finds the places that say which version of a product is used: `X 1.4`, `X v1.4`, `x@1.4`, `x==1.4`, `"x": "^1.4"`. */
export function findVersions(page: PageText, rule: VersionRule): Found {
  const { text } = page
  const changes: Change[] = []
  const left: Found['left'] = new Map()
  const lineOf = lineCounter(text)
  const all = [...text.matchAll(patternOf(rule.product))]
  const nextLine = (at: number) => text.indexOf('\n', at) + 1 || text.length
  for (const match of all) {
    const [whole, sign = '', version = ''] = match
    const end = match.index + whole.length
    const start = end - version.length
    if (version === rule.to || (rule.from !== undefined && version !== rule.from)) continue
    // A line with several versions compares them.
    const isCompared = all.some(
      (other) => other[2] !== version && nextLine(other.index) === nextLine(match.index),
    )
    const why = isCompared ? 'history' : reasonToLeave(page, match.index, { end, sign, version }, rule)
    if (why === undefined) changes.push({ start, end, replace: rule.to })
    else left.set(why, [...(left.get(why) ?? []), lineOf(match.index)])
  }
  return { changes, left }
}

function reasonToLeave(
  page: PageText,
  at: number,
  { end, sign, version }: { end: number; sign: string; version: string },
  { to, from, minimum }: VersionRule,
): Left | undefined {
  const { text } = page
  const zone = zoneOf(page, at, end)
  if (zone === 'link' || zone === 'markup') return zone
  // "Python 3.6.9" in code is mostly the output of a program.
  if (zone === 'code' && !/[@=:]/.test(sign)) return 'code'
  const [before, after] = [text.slice(Math.max(0, at - 60), at), text.slice(end, end + 40)]
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  // A heading says what its section is about, and a row of a table compares.
  if (zone === 'prose' && /^[ \t>]{0,9}(?:#{1,6}[ \t]|\|)/.test(line)) return 'history'
  const isLowest = minimum && (lowest.test(after) || sign.includes('>='))
  const own = before.slice(before.lastIndexOf('\n') + 1)
  if (history.test(own) || condition.test(own.split(/[.!?;:]/).at(-1) ?? '')) return 'history'
  if (!isLowest && (range.test(after) || /[<>]/.test(sign))) return 'history'
  // "Node.js 18 is required" names a version, "pnpm 5 times faster" and "Node.js V4 model" do not.
  if (sign.includes('V') || (!version.includes('.') && counted.test(after))) return 'elsewhere'
  if (from !== undefined) return undefined
  if (`${to}.`.startsWith(`${version}.`) || isNewer(version, to)) return 'newer'
  return to.includes('.') && !version.includes('.') ? 'history' : undefined
}

/** The product, what stands between it and its version, and the version. */
function patternOf(product: string): RegExp {
  const name = product.replace(/\.js$/i, '').split(/\s+/).map(escapeWord).join('\\s')
  const sign =
    '@[~^]?v?|[ \\t]?[=~<>!]=[ \\t]?|["\']?[ \\t]?[:=][ \\t]?["\']?[~^]?v?|[*_`]{0,3} (?:version |v)?[*_`]{0,3}v?'
  const version = '\\d+(?:\\.\\d+){0,3}'
  const pattern = `(?<![\\p{L}\\p{N}_./-])${name}(?:\\.?js)?(${sign})(${version})(?![\\p{L}\\p{N}_%]|[.,]\\d|-(?!alpine|slim)[\\p{L}\\d])`
  return new RegExp(pattern, 'giu')
}

function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) =>
    version.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0),
  )
  for (let at = 0; at < 4; at++) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}

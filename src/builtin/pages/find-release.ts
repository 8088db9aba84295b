import type { PageText } from '../../site/page-text.ts'
import { zoneOf } from '../../site/markdown/zones.ts'
import { escapeWord, lineCounter, type Change, type Found, type Left } from './find-text.ts'

/** A release of a product that takes the place of another one. */
export interface ReleaseRule {
  product: string
  from: string
  to: string
  /** Whether what prose says of the number can be understood. */
  isEnglish: boolean
}

/**
 * Finds an exact version wherever it is that of the product: behind its name, in a tag, an address or a range, and as
 * the only value of a line below one that names the product, such as `rev:` below a repository.
 */
export function findRelease(page: PageText, rule: ReleaseRule): Found {
  const { text } = page
  const changes: Change[] = []
  const left: Found['left'] = new Map()
  const lineOf = lineCounter(text)
  const leave = (why: Left, at: number) => left.set(why, [...(left.get(why) ?? []), lineOf(at)])
  const name = nameOf(rule.product)
  for (const match of text.matchAll(patternOf(rule, name))) {
    const { index: start, groups } = match
    // The name with a part of the version, as in the tag `1.4` of release 1.4.2.
    if (groups?.['version'] === undefined) {
      leave('newer', start)
      continue
    }
    const end = start + rule.from.length
    const why = reasonToLeave(page, { start, end }, rule, name)
    if (why === undefined) changes.push({ start, end, replace: rule.to }, ...upperBound(text, end, rule))
    else leave(why, start)
  }
  return { changes, left }
}

/** For a search of files. */
export function releasePatterns({ product, from }: Pick<ReleaseRule, 'product' | 'from'>): string[] {
  const part = lessExact(from)
  return [escapeWord(from), ...(part === undefined ? [] : [`${nameOf(product)}.{0,24}${escapeWord(part)}`])]
}

function nameOf(product: string): string {
  return product.replace(/\.js$/i, '').split(/\s+/).map(escapeWord).join('[\\s-]?')
}

/** `1.4` of `1.4.2`. */
function lessExact(version: string): string | undefined {
  return /^(\d+\.\d+)\.\d/.exec(version)?.[1]
}

function patternOf({ from }: ReleaseRule, name: string): RegExp {
  // Suffixes of tags name another variant of the release; those of versions another release.
  const end = '(?![\\p{L}\\p{N}_%]|\\.\\d|-(?:\\d|(?:rc|alpha|beta|dev|pre|next|canary|nightly)(?!\\p{L})))'
  const part = lessExact(from)
  const whole = `(?<!\\p{N}|\\p{N}\\.|[\\p{L}_](?<!(?<![\\p{L}\\p{N}_])v))(?<version>${escapeWord(from)})${end}`
  const inexact =
    part === undefined
      ? ''
      : `|(?<![\\p{L}\\p{N}])(?:${name})[\\w-]{0,20}[:@/= ]{1,2}v?${escapeWord(part)}(?!\\.?[\\p{L}\\p{N}])`
  const releases = `${whole}${inexact}`
  return new RegExp(releases, 'giu')
}

/** What makes a version one of the past, or a condition. */
const history =
  /\b(?:since|before|until|till|from|in|as of|than|after|between|prior to|starting with|up to|through|and|or|not|old|older|early|earlier|previous|(?:upgrad|migrat)(?:e|ing) (?:to|from))(?: the)?[\s*_`"'([]*$/i
const condition = /\b(?:if|when|unless|whether|while)\b/i
const range =
  /^(?:\+|[\s*_`"')\]]{0,4}(?:(?:or|and) (?:later|newer|higher|above|up|greater|earlier|older|below|lower)|[-–—] ?v?\d|(?:to|through|and|or) v?\d|,? (?:introduced|added|removed|deprecated|dropped|changed)\b))/i
/** Addresses of what a version was, which stay true of it. */
const pinned = /\/(?:compare|blob|tree|commits?|releases\/tag)\//i

function reasonToLeave(
  page: PageText,
  { start, end }: { start: number; end: number },
  { isEnglish }: ReleaseRule,
  name: string,
): Left | undefined {
  const { text } = page
  const zone = zoneOf(page, start, end)
  if (zone === 'markup') return zone
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  if (pinned.test(line.split(/\s/).at(-1) ?? '')) return 'history'
  const named = lastName(line, name)
  if (named === undefined ? !isBelowName(text, start, name) : !isOf(line.slice(named.end), zone === 'prose'))
    return 'elsewhere'
  if (/(?:[<!]=?|>)[ \t]?["']?v?$/.test(line)) return 'history'
  if (zone !== 'prose') return undefined
  if (!isEnglish || /^[ \t>]{0,9}(?:#{1,6}[ \t]|\|)/.test(line)) return 'history'
  const before = line.slice(0, named?.start ?? line.length)
  if (history.test(before) || condition.test(before.split(/[.!?;:]/).at(-1) ?? '')) return 'history'
  return range.test(text.slice(end, end + 40)) ? 'history' : undefined
}

/** The last place before the version that names the product, also as a part of a longer name, as in `acme_build`. */
function lastName(line: string, name: string): { start: number; end: number } | undefined {
  const near = line.slice(-200)
  const offset = line.length - near.length
  const names = `(?<![\\p{L}\\p{N}])(?:${name})(?![\\p{L}\\p{N}])`
  const last = [...near.matchAll(new RegExp(names, 'giu'))].at(-1)
  return last && { start: offset + last.index, end: offset + last.index + last[0].length }
}

/** Whether what stands between the name and the version keeps them together. */
function isOf(gap: string, isProse: boolean): boolean {
  if (gap.length > 80 || /\d\.\d|[,;]|[.!?]\s/.test(gap)) return false
  return isProse ? !/\s/.test(gap.trim()) || /^\W{0,6}(?:version|release|tag)\W{0,6}$/i.test(gap) : true
}

const mostLinesAbove = 10

/** Whether the version is the value of its line, and a line above, in the same entry of a list, names the product. */
function isBelowName(text: string, at: number, name: string): boolean {
  const lines = text.slice(Math.max(0, at - 2000), at).split('\n')
  if (!/^[ \t]{0,40}["']?[\w.-]{1,40}["']?[ \t]?[:=][ \t]?["']?v?$/.test(lines.at(-1) ?? '')) return false
  for (const line of lines.slice(0, -1).reverse().slice(0, mostLinesAbove)) {
    if (line.trim() === '' || /^[ \t]*(?:```|~~~)/.test(line)) return false
    if (lastName(`${line} `, name) !== undefined) return true
    if (/^[ \t]*- /.test(line)) return false
  }
  return false
}

/** `,<1.5` behind `>=1.4.2` excludes the next release that breaks something. It moves when the new version is not below it. */
function upperBound(text: string, end: number, { from, to }: ReleaseRule): Change[] {
  const bound = /^["']?,[ \t]?["']?<[ \t]?(\d+(?:\.\d+){0,3})/.exec(text.slice(end, end + 40))
  const [whole = '', version = ''] = bound ?? []
  const parts = version.split('.').length
  if (version === '' || version !== nextBreaking(from, parts)) return []
  const start = end + whole.length - version.length
  return [{ start, end: start + version.length, replace: nextBreaking(to, parts) }]
}

/** The next version that may break something: 1.0 after 0.9 would, so that 0.13 is next to 0.12. */
function nextBreaking(version: string, parts: number): string {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const next = major === 0 ? [0, minor + 1] : [major + 1]
  return [...next, 0, 0, 0].slice(0, parts).join('.')
}

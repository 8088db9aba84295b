import { type ChangedName, keyOf, token } from './changed-names.ts'
import type { ChangedNameColumn } from '../../../../store/columns.ts'

/** A page as its file is. */
interface PageText {
  path: string
  text: string
}

interface Place {
  path: string
  line: number
  text: string
  weight: number
}

const longestLine = 2000
const longestShown = 200
const mostNames = 40
const mostPlaces = 6
const mostWords = 4
/** A name that more pages than this share of them hold says nothing of any. */
const commonShare = 0.15
const commonPages = 15
/** So do words that more pages than this share of them have in their prose, and no more of them as a name. */
const proseShare = 0.04
const prosePages = 2

/**
 * Where pages name what a change has changed, in any spelling: the names that say most first. Of names that stand nowhere only new
 * ones are given.
 */
export function lookUpNames(names: readonly ChangedName[], pages: readonly PageText[]): ChangedNameColumn[] {
  const wanted = {
    keys: new Set(names.map(({ key }) => key)),
    words: new Map(names.flatMap(({ key, name }) => (key.includes(' ') ? [] : [[name, key]]))),
  }
  const placesByName = new Map<string, Map<string, Place>>()
  const inProse = new Map<string, Set<string>>()
  for (const page of pages) {
    for (const [key, place] of placesIn(page, wanted)) {
      if (place.weight <= prose) inProse.set(key, (inProse.get(key) ?? new Set()).add(page.path))
      // A word alone is a name only where it is written as one.
      if (place.weight <= prose && !key.includes(' ')) continue
      const places = placesByName.get(key) ?? new Map<string, Place>()
      const known = places.get(place.path)
      if (known === undefined || known.weight < place.weight) places.set(place.path, place)
      placesByName.set(key, places)
    }
  }
  const most = Math.max(commonPages, pages.length * commonShare)
  const mostProse = Math.max(prosePages, pages.length * proseShare)
  const isCommon = (key: string): boolean => {
    const [words, code] = [inProse.get(key)?.size ?? 0, asName(placesByName.get(key)).length]
    return words > mostProse && words >= code
  }
  return names
    .filter(({ key }) => !isCommon(key))
    .map((one) => ({ ...one, places: [...(placesByName.get(one.key)?.values() ?? [])] }))
    .filter(({ places, change }) => places.length <= most && (places.length > 0 || change === 'new'))
    .map((one) => ({ ...one, score: scoreOf(one) }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, mostNames)
    .map(({ name, change, places }) => ({
      name,
      change,
      places: places
        .toSorted((one, other) => other.weight - one.weight)
        .slice(0, mostPlaces)
        .map(({ path, line, text }) => ({ path, line, text })),
      morePages: Math.max(0, places.length - mostPlaces),
    }))
}

function asName(places: ReadonlyMap<string, Place> | undefined): Place[] {
  return [...(places?.values() ?? [])].filter(({ weight }) => weight > prose)
}

function scoreOf({ change, places }: Pick<ChangedName, 'change'> & { places: readonly Place[] }): number {
  if (places.length === 0) return 0
  const best = Math.max(...places.map(({ weight }) => weight))
  return (weights[change] * best) / Math.sqrt(places.length)
}

const prose = 0.4
const weights = { removed: 1.5, new: 1.2, changed: 1 } as const

/** Names of several words by their keys, and those of one by their very spelling: prose is full of these words. */
interface Wanted {
  keys: ReadonlySet<string>
  words: ReadonlyMap<string, string>
}

function* placesIn({ path, text }: PageText, wanted: Wanted): Generator<[string, Place]> {
  let isCode = false
  for (const [index, whole] of text.split('\n').entries()) {
    const line = whole.slice(0, longestLine)
    if (/^\s{0,20}(?:```|~~~)/.test(line)) isCode = !isCode
    const isHeading = !isCode && /^\s{0,3}(?:#{1,6}|={1,6})\s/.test(line)
    for (const { key, isSpan } of keysIn(line, wanted)) {
      const isAlone = !key.includes(' ') && !isCode && !isSpan
      const weight = isAlone ? prose : isHeading ? 2 : isSpan ? 1.2 : isCode ? 1 : prose
      yield [key, { path, line: index + 1, text: line.trim().slice(0, longestShown), weight }]
    }
  }
}

function keysIn(line: string, wanted: Wanted): { key: string; isSpan: boolean }[] {
  const tokens = Array.from(line.matchAll(token), ({ 0: name, index }) => ({ name, key: keyOf(name), index }))
  return tokens.flatMap(({ name, index }, at) => {
    const isSpan = isInSpan(line, index)
    const word = wanted.words.get(name)
    const keys = word === undefined ? [] : [{ key: word, isSpan }]
    // The same word as prose writes it.
    if (word === undefined && !isSpan && wanted.keys.has(tokens[at]?.key ?? ''))
      keys.push({ key: tokens[at]?.key ?? '', isSpan })
    let joined = ''
    for (const { key } of tokens.slice(at, at + mostWords)) {
      joined = joined === '' ? key : `${joined} ${key}`
      if (joined.includes(' ') && wanted.keys.has(joined)) keys.push({ key: joined, isSpan })
    }
    return keys
  })
}

/** Between an odd number of backticks before and at least one behind. */
function isInSpan(line: string, at: number): boolean {
  return line.slice(0, at).split('`').length % 2 === 0 && line.includes('`', at)
}

/** Whether a page says that a program makes it. */
export function isGenerated({ text }: PageText): boolean {
  return /\b(?:auto-?)?generated (?:by|from|file|automatically|docs|documentation)\b|\bdo not edit\b|@generated\b/i.test(
    text.slice(0, 1500),
  )
}

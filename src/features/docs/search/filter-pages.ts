import type { SearchIndex } from './search-index.ts'
import { labelAt } from './segment-strings.ts'
import type { Segment } from './segment.ts'

/** Narrows a search, ignoring case. It does not restrict access. */
export interface SearchFilter {
  /** `pt` includes `pt-BR`. */
  language?: string | undefined
  /** With or without a leading `v`. */
  version?: string | undefined
  /** Pages with any of these labels. */
  groups?: string[] | undefined
}

/**
 * For each part, which pages match the filter; `undefined` when all do. A page without a language (or version)
 * belongs to the site's default: it matches only when no page has the language (or version) that is asked for. So
 * `fr` finds only French pages where there are some, `en` finds the unlabelled originals beside `fr/`, and on a
 * site without languages every language finds everything. On a site where all pages have a label, a filter may find
 * nothing. Groups are opt-in: a page without groups matches no group.
 */
export function filterPages(index: SearchIndex, filter: SearchFilter): Uint8Array[] | undefined {
  const { language, version } = filter
  const groups = (filter.groups ?? []).map((group) => group.toLowerCase())
  const tests: ((segment: Segment, page: number) => boolean)[] = []
  if (language !== undefined && language !== '') {
    const wanted = normalLanguage(language)
    tests.push(labelTest(index, 0, (label) => `${normalLanguage(label)}-`.startsWith(`${wanted}-`)))
  }
  if (version !== undefined && version !== '') {
    const wanted = normalVersion(version)
    tests.push(labelTest(index, 1, (label) => normalVersion(label) === wanted))
  }
  if (groups.length > 0) tests.push(groupTest(index, groups))
  if (tests.length === 0) return undefined
  return index.parts.map(({ segment }) =>
    Uint8Array.from({ length: segment.pages }, (_, page) =>
      tests.every((test) => test(segment, page)) ? 1 : 0,
    ),
  )
}

function labelTest(index: SearchIndex, column: number, matches: (label: string) => boolean) {
  const wanted = labelSets(index, matches)
  const isCarried = index.parts.some(({ segment, deleted }) => {
    for (let page = 0; page < segment.pages; page++) {
      if (deleted[page] !== 1 && wanted.get(segment)?.has(segment.pageLabels[page * 2 + column] ?? 0))
        return true
    }
    return false
  })
  return (segment: Segment, page: number): boolean => {
    const label = segment.pageLabels[page * 2 + column] ?? 0
    return isCarried ? wanted.get(segment)?.has(label) === true : label === 0
  }
}

function groupTest(index: SearchIndex, groups: string[]) {
  const wanted = labelSets(index, (label) => groups.includes(label.toLowerCase()))
  return (segment: Segment, page: number): boolean =>
    segment.groups
      .subarray(segment.groupStarts[page], segment.groupStarts[page + 1])
      .some((group) => wanted.get(segment)?.has(group))
}

/** The numbers of the matching labels in each segment: comparing numbers for each page is fast. */
function labelSets(index: SearchIndex, matches: (label: string) => boolean): Map<Segment, Set<number>> {
  return new Map(
    index.parts.map(({ segment }) => {
      const found = new Set<number>()
      for (let label = 1; label < segment.labelStrings.length - 1; label++) {
        if (matches(labelAt(segment, label))) found.add(label)
      }
      return [segment, found]
    }),
  )
}

function normalLanguage(language: string): string {
  return language.toLowerCase().replaceAll('_', '-')
}

function normalVersion(version: string): string {
  return version.toLowerCase().replace(/^v(?=\d)/, '')
}

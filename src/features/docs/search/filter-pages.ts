import { isOfKind, labelOf } from './page-labels.ts'
import type { SearchIndex } from './search-index.ts'
import { labelAt } from './segment-strings.ts'
import type { Segment } from './segment.ts'

/** Narrows a search, ignoring case. It does not restrict access. */
export interface SearchFilter {
  /** `pt` includes `pt-BR`. */
  language?: string | undefined
  /** With or without a leading `v`. */
  version?: string | undefined
  /** A tag or category of the page. */
  tag?: string | undefined
  /** The reader's: adds the pages that name one of them to those that name none. Undefined: all pages. */
  groups?: readonly string[] | undefined
}

/**
 * For each part, which pages match the filter; `undefined` when all do. A page without a language (or version)
 * belongs to the site's default: it matches only when no page has the language (or version) that is asked for. So
 * `fr` finds only French pages where there are some, `en` finds the unlabelled originals beside `fr/`, and on a
 * site without languages every language finds everything. On a site where all pages have a label, a filter may find
 * nothing. A tag finds only pages that have it.
 */
export function filterPages(index: SearchIndex, filter: SearchFilter): Uint8Array[] | undefined {
  const { language, version, tag, groups } = filter
  const tests: ((segment: Segment, page: number) => boolean)[] = []
  if (language !== undefined && language !== '') {
    const wanted = normalLanguage(language)
    tests.push(labelTest(index, 0, (label) => `${normalLanguage(label)}-`.startsWith(`${wanted}-`)))
  }
  if (version !== undefined && version !== '') {
    const wanted = normalVersion(version)
    tests.push(labelTest(index, 1, (label) => normalVersion(label) === wanted))
  }
  if (tag !== undefined && tag !== '') tests.push(tagTest(index, tag))
  if (groups !== undefined) tests.push(groupTest(index, groups))
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

function tagTest(index: SearchIndex, tag: string) {
  const wanted = labelSets(index, (label) => label === labelOf('tag', tag))
  return (segment: Segment, page: number): boolean => hasSome(segment, page, wanted.get(segment))
}

/** The rule of seesPage, for all pages at once. */
function groupTest(index: SearchIndex, groups: readonly string[]) {
  const readers = new Set(groups.map((group) => labelOf('group', group)))
  const known = labelSets(index, (label) => isOfKind(label, 'group'))
  const wanted = labelSets(index, (label) => readers.has(label))
  return (segment: Segment, page: number): boolean =>
    !hasSome(segment, page, known.get(segment)) || hasSome(segment, page, wanted.get(segment))
}

function hasSome(segment: Segment, page: number, labels: ReadonlySet<number> | undefined): boolean {
  return segment.groups
    .subarray(segment.groupStarts[page], segment.groupStarts[page + 1])
    .some((label) => labels?.has(label))
}

/** The numbers of the matching labels in each segment: comparing numbers for each page is fast. */
function labelSets(index: SearchIndex, matches: (label: string) => boolean): Map<Segment, Set<number>> {
  return new Map(
    index.parts.map(({ segment }) => {
      const labels = new Set<number>()
      for (let label = 1; label < segment.labelStrings.length - 1; label++) {
        if (matches(labelAt(segment, label))) labels.add(label)
      }
      return [segment, labels]
    }),
  )
}

function normalLanguage(language: string): string {
  return language.toLowerCase().replaceAll('_', '-')
}

function normalVersion(version: string): string {
  return version.toLowerCase().replace(/^v(?=\d)/, '')
}

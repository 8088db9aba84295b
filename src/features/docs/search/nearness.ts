import { compareVersions } from '../../../site/pages/compare-versions.ts'
import { pathsOnSite, readPageName } from '../../../site/pages/page-name.ts'
import { segmentOf, type SearchIndex } from './search-index.ts'
import { findPath, findUrl, labelAt, pageStringsOf } from './segment-strings.ts'

const samePage = 1.2
const sameFolder = 1.05
const otherLabel = 0.85

export interface Place {
  part: number
  page: number
}

/** Where the reader is, and how other pages stand to it. */
interface Reader {
  /** A factor for a page's score: highest for the reader's own page, a little for its folder, less for other labels. */
  nearness(place: Place): number
  /** Whether a page is the reader's own, or has the same language and version. */
  isAlike(place: Place): boolean
}

/**
 * @param currentPath names the page as people write it (see readPageName); it need not be in the index
 * @param sites addresses below which the pages are
 */
export function readerAt(index: SearchIndex, currentPath: string, sites: readonly string[]): Reader {
  const here = locate(index, currentPath, sites)
  const folder =
    here === undefined
      ? folderOf(normalUrl(pathsOnSite(currentPath, sites).at(-1) ?? ''))
      : folderOf(urlOf(index, here))
  const labels = here === undefined ? undefined : labelsOf(index, here)
  const isHere = ({ part, page }: Place): boolean => here?.part === part && here.page === page
  return {
    nearness(place) {
      if (isHere(place)) return samePage
      const differs = labelsOf(index, place).some(
        (label, i) => label !== '' && labels?.[i] !== undefined && labels[i] !== '' && labels[i] !== label,
      )
      const near = folder !== '' && folderOf(urlOf(index, place)) === folder ? sameFolder : 1
      return differs ? near * otherLabel : near
    },
    isAlike: (place) => isHere(place) || labelsOf(index, place).every((label, i) => labels?.[i] === label),
  }
}

const newest = new WeakMap<SearchIndex, { version: string | undefined }>()

/**
 * A reader of whom nothing is known: pages of versions that are not the newest one released count less. Undefined where
 * the site has one version.
 */
export function usualReader(index: SearchIndex): Reader | undefined {
  const known = newest.get(index) ?? { version: newestVersion(index) }
  newest.set(index, known)
  const { version } = known
  if (version === undefined) return undefined
  const isNewest = (place: Place): boolean => labelsOf(index, place)[1] === version
  return { nearness: (place) => (isNewest(place) ? 1 : otherLabel), isAlike: isNewest }
}

function newestVersion(index: SearchIndex): string | undefined {
  const versions = new Set<string>()
  for (const { segment, deleted } of index.parts) {
    const labels = new Set<number>()
    for (let page = 0; page < segment.pages; page++)
      if (deleted[page] !== 1) labels.add(segment.pageLabels[page * 2 + 1] ?? 0)
    for (const label of labels) versions.add(labelAt(segment, label))
  }
  return versions.size < 2 ? undefined : [...versions].sort(compareVersions).at(-1)
}

/** Finds the page that a name means (see readPageName). */
export function locate(index: SearchIndex, name: string, sites: readonly string[]): Place | undefined {
  for (const one of readPageName(name, sites))
    for (const [part, { segment, deleted }] of index.parts.entries()) {
      const page = 'url' in one ? findUrl(segment, one.url) : findPath(segment, one.path)
      if (page >= 0 && deleted[page] !== 1) return { part, page }
    }
  return undefined
}

function normalUrl(path: string): string {
  const url = path.replace(/[?#].*$/s, '').replace(/\.(?:mdx?|html)$/, '')
  return `/${url
    .split('/')
    .filter((step) => step !== '')
    .join('/')}`
}

function folderOf(url: string): string {
  return url.slice(0, Math.max(0, url.lastIndexOf('/')))
}

function urlOf(index: SearchIndex, { part, page }: Place): string {
  return normalUrl(pageStringsOf(segmentOf(index, part), page).url)
}

/** Language and version. */
function labelsOf(index: SearchIndex, { part, page }: Place): string[] {
  const segment = segmentOf(index, part)
  return [0, 1].map((column) => labelAt(segment, segment.pageLabels[page * 2 + column] ?? 0))
}

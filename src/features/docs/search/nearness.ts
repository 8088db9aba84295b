import { segmentOf, type SearchIndex } from './search-index.ts'
import { findPath, findUrl, labelAt, pageStringsOf } from './segment-strings.ts'

const samePage = 1.2
const sameFolder = 1.05
const otherLabel = 0.85

/**
 * Returns a function with a factor for each page by how near it is to the page that the reader is on. That page
 * gets the most, its folder a little; pages in another language or version are ranked lower.
 */
export function nearnessTo(index: SearchIndex, currentPath: string): (part: number, page: number) => number {
  const here = locate(index, currentPath)
  const folder = folderOf(here === undefined ? normalUrl(currentPath) : urlOf(index, here))
  const labels = here === undefined ? ['', ''] : labelsOf(index, here)
  return (part, page) => {
    if (here !== undefined && here.part === part && here.page === page) return samePage
    const there = { part, page }
    const differs = labelsOf(index, there).some(
      (label, i) => label !== '' && labels[i] !== '' && labels[i] !== label,
    )
    const near = folder !== '' && folderOf(urlOf(index, there)) === folder ? sameFolder : 1
    return differs ? near * otherLabel : near
  }
}

interface Place {
  part: number
  page: number
}

/** Finds the page of a file path or site path, in the forms that people write them. */
function locate(index: SearchIndex, path: string): Place | undefined {
  const url = normalUrl(path)
  const file = path.replace(/^\/+/, '')
  for (const [part, { segment, deleted }] of index.parts.entries()) {
    const found = [findPath(segment, file), ...[url, `${url}/`].map((form) => findUrl(segment, form))]
    const page = found.find((number) => number >= 0 && deleted[number] !== 1)
    if (page !== undefined) return { part, page }
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

import { type FolderRules, folderWords, orderIn } from '../../navigation/arrange-folders.ts'
import { withoutExtension } from '../../links/page-path.ts'
import type { FrontMatterData } from '../../pages/page.ts'
import { fileName, folderOf } from '../../text/paths.ts'
import { textAt } from '../settings.ts'

/** Fields that may hold the date of a page, the first of them first. */
export const dateFields = ['date', 'publishDate', 'pubdate', 'published', 'lastmod', 'modified']

interface Pages {
  paths: ReadonlySet<string>
  dataOf: (path: string) => FrontMatterData
  /** The `_index.md` of each folder that has one. */
  sections: ReadonlyMap<string, string>
  isPage: (path: string) => boolean
  /** Whether a folder is one of the first level. */
  isTop: (folder: string) => boolean
}

/** Hugo's own order: by weight, then the newest first, then by title. */
export function hugoOrder({ paths, dataOf, sections, isPage, isTop }: Pages): FolderRules {
  const bundle = (folder: string) => (paths.has(`${folder}index.md`) ? `${folder}index.md` : undefined)
  const ownOf = (path: string) => (path.endsWith('/') ? (sections.get(path) ?? bundle(path)) : path)
  const dataFor = (path: string): FrontMatterData => {
    const own = ownOf(path)
    return own === undefined ? {} : dataOf(own)
  }
  let newest: ReadonlyMap<string, number> | undefined
  const timeOf = (path: string): number => {
    const own = ownTime(dataFor(path))
    if (own !== undefined || !path.endsWith('/')) return own ?? -Infinity
    newest ??= newestIn([...paths].filter(isPage), dataOf)
    return newest.get(path) ?? -Infinity
  }
  const titleOf = (path: string, name: string) =>
    shownTitle(dataFor(path)) ?? folderWords(withoutExtension(name))
  // Hugo takes 0 for no weight.
  const weightOf = (path: string) => orderIn(dataFor(path)['weight']) || undefined
  return {
    orderOf: weightOf,
    folderAt: (path, name) => ({ label: titleOf(path, name), order: weightOf(path) }),
    isOwn: (path) => sections.get(folderOf(path)) === path || fileName(path) === 'index.md',
    // Below the first level, only a page makes a folder a section.
    isOpen: (folder) => !isTop(folder) && ownOf(folder) === undefined,
    compare: (left, right) => {
      const [one, other] = [timeOf(left.path), timeOf(right.path)]
      if (one !== other) return one > other ? -1 : 1
      return titles.compare(titleOf(left.path, left.name), titleOf(right.path, right.name))
    },
  }
}

const titles = new Intl.Collator('en')

function shownTitle(data: FrontMatterData): string | undefined {
  return textAt(data, 'linkTitle') ?? textAt(data, 'linktitle') ?? textAt(data, 'title')
}

function ownTime(data: FrontMatterData): number | undefined {
  for (const field of dateFields) {
    const time = timeIn(data[field])
    if (time !== undefined) return time
  }
  return undefined
}

/** Milliseconds; undefined for what is no date. */
export function timeIn(value: unknown): number | undefined {
  const time =
    value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/** The date of a folder that has none is that of its newest page. */
function newestIn(
  pages: readonly string[],
  dataOf: (path: string) => FrontMatterData,
): ReadonlyMap<string, number> {
  const newest = new Map<string, number>()
  for (const path of pages) {
    const time = ownTime(dataOf(path))
    if (time === undefined) continue
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder.slice(0, -1)))
      newest.set(folder, Math.max(time, newest.get(folder) ?? -Infinity))
  }
  return newest
}

import { byCharacters, type FolderEntry } from '../../navigation/arrange-folders.ts'
import { textAt, settingAt } from '../settings.ts'
import { folderOf } from '../../text/paths.ts'
import type { FolderFile } from './navigation.ts'

/** The order of what no file of awesome-nav names, by the nearest file that says how it sorts. */
export function awesomeOrder(
  files: readonly Pick<FolderFile, 'folder' | 'sort'>[],
): (left: FolderEntry, right: FolderEntry) => number {
  const nearest = [...files].sort((left, right) => right.folder.length - left.folder.length)
  const stated = (path: string, key: string) =>
    nearest.find(({ folder, sort }) => path.startsWith(folder) && settingAt(sort, key) !== undefined)?.sort
  return (left, right) => {
    const folder = folderOf(left.path.replace(/\/$/, ''))
    const rule = (key: string) => textAt(stated(folder, key), key)
    const sections = rule('sections') ?? 'last'
    const isIndex = ({ name }: FolderEntry) => (/^(?:index|README)\.md$/.test(name) ? 0 : 1)
    const rank = ({ path }: FolderEntry) =>
      sections === 'mixed' ? 0 : path.endsWith('/') === (sections === 'first') ? 0 : 1
    const foldsCase = settingAt(stated(folder, 'ignore_case'), 'ignore_case') === true
    const fold = (one: FolderEntry) => (foldsCase ? { ...one, name: one.name.toLowerCase() } : one)
    const [one, other] = [fold(left), fold(right)]
    const natural = rule('type') === 'alphabetical' ? 0 : numbersFirst(one.name, other.name)
    const order = natural || byCharacters(one, other)
    return (
      isIndex(left) - isIndex(right) ||
      rank(left) - rank(right) ||
      (rule('direction') === 'desc' ? -order : order)
    )
  }
}

/** Compares names piece by piece, numbers by their value. */
function numbersFirst(left: string, right: string): number {
  const [some, others] = [left, right].map((text) => text.match(/\d+|\D+/g) ?? [])
  for (const [at, piece] of (some ?? []).entries()) {
    const other = others?.[at]
    if (other === undefined) return 1
    const [number, against] = [piece, other].map((one) => (/^\d/.test(one) ? Number(one) : undefined))
    if (number !== undefined && against !== undefined && number !== against) return number - against
    if (number === undefined || against === undefined)
      if (piece !== other) return piece < other ? -1 : 1
  }
  return (some?.length ?? 0) - (others?.length ?? 0)
}

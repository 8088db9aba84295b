import { byCharacters, type FolderEntry, folderWords } from '../../navigation/arrange-folders.ts'
import type { NavigationPlace } from '../../navigation/navigation-tree.ts'
import { createPattern } from '../../text/glob.ts'
import { fileName, folderOf } from '../../text/paths.ts'
import { type FolderFile, isRest } from './navigation.ts'

interface Folder {
  /** With a slash at its end. */
  path: string
  groups: readonly string[]
}

const maxDepth = 30

/**
 * The navigation that the files of folders make: what they name, in their order, pages of inner folders too; patterns and
 * `...` stand for the rest.
 */
export function awesomePlaces(
  pages: readonly string[],
  {
    root,
    files,
    compare,
  }: {
    root: string
    files: readonly FolderFile[]
    /** The order of what no file names. */
    compare: (left: FolderEntry, right: FolderEntry) => number
  },
): Map<string, NavigationPlace> {
  const children = childrenOf(pages, root)
  const fileOf = new Map(files.map((file) => [file.folder, file]))
  const places = new Map<string, NavigationPlace>()
  // What a file names stands there, whatever the file of its own folder says.
  const named = new Set(files.flatMap((file) => file.pages.map(({ path }) => bare(path))))

  const place = (path: string, label: string | undefined, groups: readonly string[]): void => {
    if (!places.has(path)) places.set(path, { label, groups })
  }
  const listChild = (
    child: string,
    label: string | undefined,
    groups: readonly string[],
    depth: number,
  ): void => {
    if (!child.endsWith('/')) return place(child, label, groups)
    const title = label ?? fileOf.get(child)?.title ?? folderWords(fileName(child.slice(0, -1)))
    list({ path: child, groups: [...groups, title] }, depth + 1)
  }
  const list = ({ path: folder, groups }: Folder, depth: number): void => {
    if (depth > maxDepth) return
    const own = children.get(folder) ?? []
    const rest = (test: (inside: string) => boolean) =>
      own
        .filter((child) => !named.has(bare(child)) && test(bare(child).slice(folder.length)))
        .sort((left, right) => compare(entryOf(left), entryOf(right)))
    const file = fileOf.get(folder)
    if (file === undefined || file.pages.length === 0) {
      for (const child of rest(() => true)) listChild(child, undefined, groups, depth)
      return
    }
    for (const { path, text, label, groups: inner } of file.pages) {
      const within = [...groups, ...inner]
      if (isRest(text)) {
        const glob = text.startsWith('...') ? globOf(text) : text
        const test = glob === undefined || /^(?:flat|regex=.*)$/.test(glob) ? () => true : createPattern(glob)
        for (const child of rest(test)) listChild(child, undefined, within, depth)
      } else if (children.has(`${bare(path)}/`)) listChild(`${bare(path)}/`, label, within, depth)
      else if (pages.includes(path)) place(path, label, within)
    }
    if (file.appendsRest) for (const child of rest(() => true)) listChild(child, undefined, groups, depth)
  }
  list({ path: root, groups: [] }, 0)
  return places
}

/** As MkDocs lists a folder: the index, the pages, the folders. */
export function usualOrder(left: FolderEntry, right: FolderEntry): number {
  const rank = ({ name, path }: FolderEntry) =>
    path.endsWith('/') ? 2 : /^(?:index|README)\.md$/.test(name) ? 0 : 1
  return rank(left) - rank(right) || byCharacters(left, right)
}

function entryOf(path: string): FolderEntry {
  return { path, name: fileName(bare(path)) }
}

function bare(path: string): string {
  return path.replace(/\/$/, '')
}

/** The pages and folders of each folder. */
function childrenOf(pages: readonly string[], root: string): ReadonlyMap<string, string[]> {
  const children = new Map<string, Set<string>>()
  for (const page of pages) {
    let child = page
    for (let folder = folderOf(page); folder.startsWith(root); folder = folderOf(bare(folder))) {
      const own = children.get(folder) ?? new Set()
      children.set(folder, own.add(child))
      if (folder === root) break
      child = folder
    }
  }
  return new Map(Array.from(children, ([folder, own]) => [folder, [...own]]))
}

/** What follows the last `|` of an entry for all others: `*.md` of `... | *.md`. */
function globOf(text: string): string | undefined {
  const at = text.lastIndexOf('|')
  const glob = at === -1 ? '' : text.slice(at + 1).trim()
  return glob === '' ? undefined : glob
}

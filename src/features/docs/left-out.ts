import type { BlobRead } from '../../integrations/git/trees/blob-reader.ts'
import type { TreeEntry } from '../../integrations/git/trees/list-tree.ts'
import type { Site } from '../../site/site.ts'
import { countedPlural } from '../../lib/text/counted.ts'
import { isLfsPointer } from '../../site/text/lfs-pointer.ts'

/** A file that would be a page and is not in the index, and why. */
export interface LeftOutFile {
  path: string
  oid: string
  message: string
}

/** Why a file is no text that a page can have. */
export function unreadableReason(blob: BlobRead): string {
  if (blob.state === 'missing') return 'Git does not have its content: fetch the whole repository'
  if (blob.state === 'too_large') return 'It is larger than 4 MB, so it is left out: make several pages of it'
  if (isLfsPointer(blob.content))
    return 'It is kept by Git LFS, and the repository only has a pointer to it, so it is left out: keep pages in git itself, with "git lfs migrate export"'
  return 'It is binary, so it is left out: save it as UTF-8 text'
}

/** Entries of a tree that are pages by their names, but are no files that can be read. */
export function leftOutEntries(
  site: Pick<Site, 'pageFor' | 'unread' | 'root'>,
  entries: readonly TreeEntry[],
  unnamed: readonly TreeEntry[],
  files: ReadonlyMap<string, unknown>,
): LeftOutFile[] {
  const isPage = (path: string): boolean => site.pageFor(path) !== undefined
  const others = entries.flatMap(({ path, oid, mode }): LeftOutFile[] => {
    if (mode === '120000' && !files.has(path) && isPage(path))
      return [
        {
          path,
          oid,
          message: 'It is a symbolic link that leads to no file of the repository: put a copy there',
        },
      ]
    if (mode === '160000' && isPage(`${path}/index.md`))
      return [{ path, oid, message: 'It is a submodule, whose pages are not read: add it as a project' }]
    return []
  })
  const named = unnamed
    .filter(({ path }) => isPage(path))
    .map(({ path, oid }) => ({
      path,
      oid,
      message: 'Its name is not UTF-8, so it is left out: rename it ("git mv")',
    }))
  // A folder has no content of its own that could be read later.
  const unread = site.unread.map(({ format, pages }) => ({
    path: site.root === '' ? './' : site.root,
    oid: '',
    message: `${countedPlural(pages, `pages in ${format}`)} of this site ${pages === 1 ? 'is' : 'are'} not read`,
  }))
  return [...unread, ...others, ...named]
}

import { resolvePath, folderOf } from '../../../site/text/paths.ts'
import type { BlobReader } from './blob-reader.ts'
import type { TreeEntry } from './list-tree.ts'

const mostLinks = 1000
const longestTarget = 1000
/** Links to links. */
export const mostSteps = 5
const atOnce = 100

/**
 * The ids of the files of a tree by path. A symbolic link is the file of the same tree that it leads to, as generators read it;
 * one that leads to a folder or out of the tree is left out, and so are submodules.
 */
export async function treeFiles(
  entries: readonly TreeEntry[],
  reader: Pick<BlobReader, 'readSome'>,
): Promise<Map<string, string>> {
  const links = entries.filter(({ mode }) => mode === '120000').slice(0, mostLinks)
  const targets = new Map<string, string>()
  for (let at = 0; at < links.length; at += atOnce) {
    const some = links.slice(at, at + atOnce)
    const blobs = await reader.readSome(some.map(({ oid }) => oid))
    for (const [index, { path }] of some.entries()) {
      const blob = blobs[index]
      const target = blob?.state === 'read' ? linkTarget(path, blob.content.toString('utf8')) : undefined
      if (target !== undefined) targets.set(path, target)
    }
  }
  const regular = new Map(
    entries.filter(({ mode }) => mode.startsWith('100')).map(({ path, oid }) => [path, oid]),
  )
  const followed = new Map<string, string>()
  for (const { path, mode } of entries) {
    const file = mode === '120000' ? followLink(path, targets) : path
    const oid = file === undefined ? undefined : regular.get(file)
    if (oid !== undefined) followed.set(path, oid)
  }
  return followed
}

/** The path that a link means, where it stays within the repository. */
export function linkTarget(path: string, content: string): string | undefined {
  if (content.startsWith('/') || content.length > longestTarget) return undefined
  return resolvePath(folderOf(path), content)
}

/** The path at the end of a chain of links. */
export function followLink(path: string, targets: ReadonlyMap<string, string>): string | undefined {
  let at: string | undefined = path
  for (let step = 0; step < mostSteps && at !== undefined && targets.has(at); step++) at = targets.get(at)
  return at
}

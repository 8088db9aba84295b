import { openBlobReader } from '../../integrations/git/trees/blob-reader.ts'
import { listTree } from '../../integrations/git/trees/list-tree.ts'
import type { Repository } from '../../integrations/git/git.ts'
import { readChangeMap, type ChangeMap } from '../../site/impact/change-map.ts'
import { changeMapPath } from '../../site/impact/change-map-path.ts'
import { isPageFile, leftOutAs } from '../../site/impact/file-kinds.ts'

/** What of a repository is documentation. */
export interface DocsNotion {
  /** A file that belongs to the documentation, be it a page or not. */
  isDocs(path: string): boolean
  /** A page that tells how things are now: no change log, translation or page of another version. */
  isMeasured(path: string): boolean
}

const longestMap = 60_000

/** @param root the folder of the pages, without slashes at its ends; empty for the whole repository */
export async function readDocsNotion(
  repository: Repository,
  { commit, root }: { commit: string; root: string },
): Promise<DocsNotion> {
  const map = readChangeMap(await readMap(repository, commit))
  return docsNotion(root, map)
}

export function docsNotion(root: string, map: Pick<ChangeMap, 'leavesOut' | 'keeps'>): DocsNotion {
  const isBelow = (path: string): boolean => root === '' || path.startsWith(`${root}/`)
  const own = (path: string): string => (root === '' ? path : path.slice(root.length + 1))
  return {
    isDocs: (path) => isBelow(path) && (root !== '' || isPageFile(path)),
    isMeasured: (path) =>
      isBelow(path) &&
      isPageFile(path) &&
      !map.leavesOut(path) &&
      (map.keeps(path) || leftOutAs(own(path)) === undefined),
  }
}

async function readMap(repository: Repository, commit: string): Promise<string | undefined> {
  const entry = (await listTree(repository, commit)).find(
    ({ path, mode }) => path === changeMapPath && mode.startsWith('100'),
  )
  if (entry === undefined) return undefined
  await using reader = await openBlobReader(repository, { maxBytes: longestMap })
  const blob = await reader.read(entry.oid)
  return blob.state === 'read' ? new TextDecoder().decode(blob.content) : undefined
}

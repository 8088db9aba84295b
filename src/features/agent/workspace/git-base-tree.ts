import { grepTree } from '../../../integrations/git/trees/grep-tree.ts'
import type { BlobReader } from '../../../integrations/git/trees/blob-reader.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import { listTree, type TreeEntry } from '../../../integrations/git/trees/list-tree.ts'
import { writeTree } from '../../../integrations/git/trees/write-tree.ts'
import { gitHistory } from './git-history.ts'
import type { BaseTree } from './base-tree.ts'

/**
 * The tree of a commit in a mirror. `reader` belongs to the turn and is closed with it. `files` are its files, if
 * they are listed already.
 */
export function gitBaseTree(
  repository: Repository,
  commit: string,
  reader: BlobReader,
  signal: AbortSignal,
  files?: TreeEntry[],
): BaseTree {
  let listed = files && Promise.resolve(files)
  const list = (): ReturnType<typeof listTree> => (listed ??= listTree(repository, commit, { signal }))
  let oids: Map<string, string> | undefined
  return {
    listFiles: list,
    history: gitHistory(repository, commit),
    async read(path) {
      oids ??= new Map((await list()).map((file) => [file.path, file.oid]))
      const oid = oids.get(path)
      const blob = oid === undefined ? undefined : await reader.read(oid)
      return blob?.state === 'read' ? blob.content : undefined
    },
    async readSome(paths) {
      oids ??= new Map((await list()).map((file) => [file.path, file.oid]))
      const ids = paths.map((path) => oids?.get(path))
      const known = ids.filter((oid) => oid !== undefined)
      const blobs = new Map((await reader.readSome([...new Set(known)])).map((blob) => [blob.oid, blob]))
      return ids.map((oid) => {
        const blob = blobs.get(oid ?? '')
        return blob?.state === 'read' ? blob.content : undefined
      })
    },
    async grep(changes, pattern, { regex, ignoreCase, paths, limit, limitPerFile }) {
      const tree = changes.length === 0 ? commit : await writeTree(repository, { base: commit, changes })
      return grepTree(repository, tree, pattern, {
        fixed: !regex,
        ignoreCase,
        paths,
        limit,
        limitPerFile,
        signal,
      })
    },
  }
}

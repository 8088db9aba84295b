import type { Repository } from '../../../integrations/git/git.ts'
import { listTree } from '../../../integrations/git/list-tree.ts'
import { readBlobs } from '../../../integrations/git/read-blobs.ts'
import type { FileDifference } from './file-difference.ts'

/** The files that differ between two commits or trees, with their contents and modes: what is really written, for `checkChanges`. */
export async function treeDifferences(
  repository: Repository,
  from: string,
  to: string,
  signal?: AbortSignal,
): Promise<FileDifference[]> {
  const [before, after] = await Promise.all(
    [from, to].map(
      async (tree) =>
        new Map((await listTree(repository, tree, { signal })).map((file) => [file.path, file])),
    ),
  )
  // Tree against tree: no guess at renames, nothing that a repository can configure.
  const files = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])]
    .map((path) => ({ path, old: before?.get(path), now: after?.get(path) }))
    .filter(({ old, now }) => old?.oid !== now?.oid || old?.mode !== now?.mode)
  const oids = new Set(
    files.flatMap(({ old, now }) =>
      [old, now].flatMap((file) => (file?.mode.startsWith('100') === true ? file.oid : [])),
    ),
  )
  const contents = new Map<string, Uint8Array>()
  for await (const blob of readBlobs(repository, oids, { signal }))
    if (blob.state === 'read') contents.set(blob.oid, blob.content)
  // A link's content is not a file's; one that is too large to be read is one that is too large to be written.
  const contentOf = (oid: string | undefined) =>
    oid === undefined ? undefined : (contents.get(oid) ?? new Uint8Array([0]))
  return files.map(({ path, old, now }) => ({
    path,
    before: contentOf(old?.oid),
    after: contentOf(now?.oid),
    mode: now?.mode,
    baseMode: old?.mode,
  }))
}

import { changedEntries } from '../../../integrations/git/trees/changed-entries.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import { readBlobs } from '../../../integrations/git/trees/blob-reader.ts'
import type { FileDifference } from './workspace.ts'

/**
 * The files that differ between two commits or trees, with contents and modes: what is really written, for
 * `checkChanges`.
 */
export async function treeDifferences(
  repository: Repository,
  from: string,
  to: string,
  signal?: AbortSignal,
): Promise<FileDifference[]> {
  const files = await changedEntries(repository, from, to, { signal })
  const oids = new Set(
    files.flatMap(({ old, now }) =>
      [old, now].flatMap((file) => (file?.mode.startsWith('100') === true ? file.oid : [])),
    ),
  )
  const contents = new Map<string, Uint8Array>()
  for await (const blob of readBlobs(repository, oids, { signal }))
    if (blob.state === 'read') contents.set(blob.oid, blob.content)
  // Links and files that are too large to be read have no contents here, and are replaced by a byte that no text
  // has.
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

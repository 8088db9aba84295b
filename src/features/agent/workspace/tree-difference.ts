import { changedFiles, type ChangedFile } from '../../../integrations/git/trees/changed-files.ts'
import type { Repository } from '../../../integrations/git/git.ts'
import { readBlobs } from '../../../integrations/git/trees/blob-reader.ts'
import type { ChangeColumn } from '../../../store/columns.ts'
import type { Change } from './base-tree.ts'

/** The changes that turn one tree into the other. Links and other entries that are not regular files are left out. */
export async function difference(
  repository: Repository,
  from: string,
  to: string,
  skipped: readonly string[],
): Promise<Change[]> {
  const files = (await changedFiles(repository, from, to)).flatMap(split)
  const wanted = files.filter(({ path }) => !skipped.includes(path) && !path.includes('\u{FFFD}'))
  const contents = new Map<string, Uint8Array>()
  for await (const blob of readBlobs(repository, new Set(wanted.flatMap(({ oid }) => oid ?? [])))) {
    if (blob.state === 'read') contents.set(blob.oid, blob.content)
  }
  return wanted.flatMap(({ path, oid }) => {
    const content = oid === undefined ? undefined : contents.get(oid)
    return oid !== undefined && content === undefined ? [] : { path, content }
  })
}

// Regular files only. A renamed file is a removed and an added one.
function split(file: ChangedFile): { path: string; oid: string | undefined }[] {
  const gone = file.oldPath === undefined ? [] : [{ path: file.oldPath, oid: undefined }]
  if (file.status === 'deleted') return [{ path: file.path, oid: undefined }]
  return file.mode?.startsWith('100') === true ? [...gone, { path: file.path, oid: file.oid }] : gone
}

/** The files that differ between two commits, in the form that a job shows: at most 5,000. */
export async function describeChanges(
  repository: Repository,
  from: string,
  to: string,
): Promise<ChangeColumn[]> {
  const files = await changedFiles(repository, from, to)
  return files.slice(0, 5000).map((file) => ({
    path: file.path,
    oldPath: file.oldPath ?? null,
    status: file.status === 'type_changed' ? 'modified' : file.status,
    additions: file.additions,
    deletions: file.deletions,
  }))
}

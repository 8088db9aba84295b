import { decodePath, escapePath, splitAtNul } from './decode-path.ts'
import type { Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { runGit } from '../process/run-git.ts'

/** `mode` as git writes it: 100644 and 100755 files, 120000 symbolic link, 160000 submodule. No sizes: git would look at every object. */
export type TreeEntry = { path: string; oid: string; mode: string }

/**
 * Every file of a commit or tree, in git's order. Links and submodules are entries like others and never followed.
 * Paths that are not UTF-8 are left out; `onUnnamed` gets them with their other bytes written as \xE9.
 */
export async function listTree(
  repository: Repository,
  commit: string,
  options: { signal?: AbortSignal | undefined; onUnnamed?: (entry: TreeEntry) => void } = {},
): Promise<TreeEntry[]> {
  const { stdout } = await runGit(repository.git, {
    args: ['ls-tree', '-r', '-z', '--full-tree', requireObjectId(commit)],
    folder: repository.folder,
    maxBytes: 256 * 1024 * 1024,
    signal: options.signal,
  })
  const entries: TreeEntry[] = []
  for (const record of splitAtNul(stdout)) {
    const tab = record.indexOf(9)
    const path = decodePath(record.subarray(tab + 1))
    const [mode, , oid] = record.toString('latin1', 0, tab).split(' ')
    if (mode === undefined || oid === undefined) continue
    if (path !== undefined) entries.push({ path, oid, mode })
    else options.onUnnamed?.({ path: escapePath(record.subarray(tab + 1)), oid, mode })
  }
  return entries
}

import { decodePath, splitAtNul } from './decode-path.ts'
import type { Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { runGit } from '../process/run-git.ts'

type Entry = { mode: string; oid: string }

/** `old` and `now` as in `TreeEntry`, undefined where there is no file. */
type ChangedEntry = { path: string; old: Entry | undefined; now: Entry | undefined }

/**
 * The entries that differ between two commits or trees, in git's order: no guess at renames, nothing that a repository
 * can configure. Paths that are not UTF-8 are left out.
 */
export async function changedEntries(
  repository: Repository,
  from: string,
  to: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<ChangedEntry[]> {
  const { stdout } = await runGit(repository.git, {
    args: [
      'diff-tree',
      '-r',
      '-z',
      '--raw',
      '--no-abbrev',
      '--no-renames',
      '--no-ext-diff',
      '--no-relative',
      '--ignore-submodules=none',
      requireObjectId(from),
      requireObjectId(to),
    ],
    folder: repository.folder,
    maxBytes: 256 * 1024 * 1024,
    signal: options.signal,
  })
  const fields = splitAtNul(stdout)
  const entries: ChangedEntry[] = []
  for (const field of fields) {
    const bytes = fields.next().value
    const path = bytes && decodePath(bytes)
    const [oldMode = '', mode = '', oldId = '', oid = ''] = field.toString('latin1', 1).split(' ')
    if (path === undefined) continue
    entries.push({ path, old: entryOf(oldMode, oldId), now: entryOf(mode, oid) })
  }
  return entries
}

function entryOf(mode: string, oid: string): Entry | undefined {
  return mode === '000000' ? undefined : { mode, oid }
}

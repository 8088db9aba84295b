import { decodePath, splitAtNul } from './decode-path.ts'
import type { Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { runGit } from '../process/run-git.ts'

/** What one step of a branch changed: a commit, or all that a merge brought. */
export interface BranchChange {
  id: string
  /** The commit of the branch before it. */
  parent: string
  date: Date
  /** `mode` is undefined for a file that was deleted. Renames are a deletion and an addition. */
  entries: { path: string; mode: string | undefined }[]
}

const maxBytes = 64 * 1024 * 1024
const deadline = 120_000

/**
 * The steps of a branch up to `to`, newest first, without the commits that its merges brought. The first commit of all has
 * nothing before it and is left out.
 */
export async function firstParentChanges(
  repository: Repository,
  input: {
    from?: string | undefined
    to: string
    /** A day such as `2026-01-31`. */
    since?: string | undefined
    most: number
    signal?: AbortSignal | undefined
  },
): Promise<BranchChange[]> {
  const { from, to, since, most, signal } = input
  const { stdout } = await runGit(repository.git, {
    args: [
      'log',
      '-z',
      '--raw',
      '--abbrev=16',
      '--first-parent',
      '--diff-merges=first-parent',
      '--no-renames',
      '--no-show-signature',
      '--no-ext-diff',
      '--no-relative',
      '--format=tformat:commit %H %ct %P',
      '-n',
      String(most),
      ...(since === undefined ? [] : [`--since=${since}T00:00:00Z`]),
      requireObjectId(to),
      ...(from === undefined ? [] : [`^${requireObjectId(from)}`]),
      '--',
    ],
    folder: repository.folder,
    maxBytes,
    overflow: 'truncate',
    deadline,
    signal,
  })
  const changes: (Omit<BranchChange, 'parent'> & { parent: string | undefined })[] = []
  const fields = splitAtNul(stdout)
  for (const field of fields) {
    const text = field.toString('latin1').trimStart()
    if (text.startsWith('commit ')) {
      const [, id = '', seconds = '', parent] = text.split(' ')
      changes.push({ id, parent: parent || undefined, date: new Date(Number(seconds) * 1000), entries: [] })
    } else if (text.startsWith(':')) {
      const bytes = fields.next().value
      const path = bytes && decodePath(bytes)
      if (path === undefined) continue
      const [, mode = ''] = text.split(' ')
      changes.at(-1)?.entries.push({ path, mode: mode === '000000' ? undefined : mode })
    }
  }
  return changes.flatMap(({ parent, ...change }) => (parent === undefined ? [] : [{ ...change, parent }]))
}

import type { Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { runGit } from '../process/run-git.ts'
import { decodePath, splitAtNul } from './decode-path.ts'

const maxBytes = 32 * 1024 * 1024
const deadline = 20_000

/**
 * The files of the newest commits up to one, newest first, by the names that they have there: a file that was moved unchanged is the
 * same one. Merges are left out, and so are commits beyond 32 MiB of names.
 */
export async function readHistory(
  repository: Repository,
  { to, most, signal }: { to: string; most: number; signal?: AbortSignal | undefined },
): Promise<string[][]> {
  const { stdout } = await runGit(repository.git, {
    args: [
      'log',
      '-z',
      '--raw',
      '--abbrev=16',
      '--no-renames',
      '--no-merges',
      '--no-show-signature',
      '--no-ext-diff',
      '--no-relative',
      '--format=tformat:commit',
      '-n',
      String(most),
      requireObjectId(to),
    ],
    folder: repository.folder,
    maxBytes,
    overflow: 'truncate',
    deadline,
    signal,
  })
  const names = new Map<string, string>()
  const commits: string[][] = []
  let removed = new Map<string, string>()
  let added = new Map<string, string>()
  // Older commits know a moved file by its name before.
  const close = (): void => {
    for (const [oid, path] of added) {
      const old = removed.get(oid)
      if (old !== undefined) names.set(old, names.get(path) ?? path)
    }
    removed = new Map()
    added = new Map()
  }
  const fields = splitAtNul(stdout)
  for (const field of fields) {
    const text = field.toString('latin1').trimStart()
    if (text === 'commit') {
      close()
      commits.push([])
    } else if (text.startsWith(':')) {
      const bytes = fields.next().value
      const path = bytes && decodePath(bytes)
      if (path === undefined) continue
      commits.at(-1)?.push(names.get(path) ?? path)
      const [, , old = '', oid = '', status] = text.split(' ')
      if (status === 'D') removed.set(old, path)
      if (status === 'A') added.set(oid, path)
    }
  }
  return commits
}

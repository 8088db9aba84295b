import type { Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { runGit } from '../process/run-git.ts'
import { splitAtNul } from './decode-path.ts'

const deadline = 20_000
const maxBytes = 8 * 1024 * 1024

/** The merge that brought a commit into another one's history: its id and its first parent. */
export async function mergeOf(
  repository: Repository,
  commit: string,
  into: string,
): Promise<{ id: string; parent: string } | undefined> {
  const { stdout } = await runGit(repository.git, {
    args: [
      'rev-list',
      '--merges',
      '--ancestry-path',
      '--parents',
      '--first-parent',
      requireObjectId(into),
      `^${requireObjectId(commit)}`,
    ],
    folder: repository.folder,
    maxBytes,
    overflow: 'truncate',
    deadline,
  })
  const merges = stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
  const [id, parent] = merges.at(-1)?.split(' ') ?? []
  return id === undefined || parent === undefined ? undefined : { id, parent }
}

const mostCommits = 400
const mostFiles = 60

/** How often each file changed in the same commit as one of these, up to a commit. Commits of very many files are left out. */
export async function changedTogether(
  repository: Repository,
  { to, paths, signal }: { to: string; paths: readonly string[]; signal?: AbortSignal | undefined },
): Promise<Map<string, number>> {
  const { stdout } = await runGit(repository.git, {
    args: [
      'log',
      '-z',
      '--name-only',
      '--no-renames',
      '--no-merges',
      '--full-diff',
      '--no-show-signature',
      '--format=tformat:commit %H',
      '-n',
      String(mostCommits),
      requireObjectId(to),
      '--',
      ...paths,
    ],
    folder: repository.folder,
    maxBytes,
    overflow: 'truncate',
    deadline,
    signal,
  })
  const wanted = new Set(paths)
  const counts = new Map<string, number>()
  const count = (files: ReadonlySet<string>): void => {
    if (files.size > mostFiles) return
    for (const file of files) if (!wanted.has(file)) counts.set(file, (counts.get(file) ?? 0) + 1)
  }
  let files = new Set<string>()
  for (const field of splitAtNul(stdout)) {
    const text = field.toString('utf8').replace(/^\n/, '')
    if (/^commit [0-9a-f]{40,64}$/.test(text)) {
      count(files)
      files = new Set()
    } else if (text !== '') files.add(text)
  }
  count(files)
  return counts
}

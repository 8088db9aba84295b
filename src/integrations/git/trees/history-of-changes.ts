import type { Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { runGit } from '../process/run-git.ts'

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

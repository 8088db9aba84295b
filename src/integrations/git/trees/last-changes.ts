import { splitAtNul } from './decode-path.ts'
import type { Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { runGit } from '../process/run-git.ts'

const mostCommits = 20_000
/** A commit that changes more files, as one that formats all of them does, says nothing of each. */
const mostFiles = 100

/** When files below a folder were changed last, by path, as far as the newest 20,000 commits say. */
export async function lastChanges(
  repository: Repository,
  { commit, folder, signal }: { commit: string; folder: string; signal?: AbortSignal | undefined },
): Promise<Map<string, Date>> {
  const { stdout } = await runGit(repository.git, {
    args: [
      'log',
      '-z',
      '--no-renames',
      '--no-merges',
      '--name-only',
      '--format=tformat:%x01%ct',
      '-n',
      String(mostCommits),
      requireObjectId(commit),
      '--',
      ...(folder === '' ? [] : [folder]),
    ],
    folder: repository.folder,
    maxBytes: 256 * 1024 * 1024,
    environment: { GIT_LITERAL_PATHSPECS: '1' },
    signal,
  })
  const changed = new Map<string, Date>()
  let at = new Date(0)
  let files: string[] = []
  const note = (): void => {
    if (files.length <= mostFiles) for (const path of files) if (!changed.has(path)) changed.set(path, at)
    files = []
  }
  for (const record of splitAtNul(stdout)) {
    const text = record.toString('utf8').replace(/^\n/, '')
    if (text.startsWith('\u0001')) {
      note()
      at = new Date(Number(text.slice(1)) * 1000)
    } else if (text !== '') files.push(text)
  }
  note()
  return changed
}

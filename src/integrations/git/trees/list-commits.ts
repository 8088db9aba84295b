import type { Person } from './commit-tree.ts'
import { splitAtNul } from './decode-path.ts'
import type { Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { runGit } from '../process/run-git.ts'

export type Commit = { id: string; parents: string[]; author: Person; date: Date; message: string }

/**
 * The commits that are in `to` and not in `from`, newest first, at most `limit` (100 when not given).
 * @param input `without`: nor in these, as far as they are here; `firstParent`: only those that the branch itself had
 */
export async function listCommits(
  repository: Repository,
  input: {
    from?: string | undefined
    to: string
    limit?: number | undefined
    without?: readonly string[]
    firstParent?: true
  },
): Promise<Commit[]> {
  const { from, without = [], firstParent } = input
  const excluded = from === undefined ? without : [from, ...without]
  const range = [
    ...(firstParent ? ['--first-parent'] : []),
    ...(without.length > 0 ? ['--ignore-missing'] : []),
    requireObjectId(input.to),
    ...excluded.map((commit) => `^${requireObjectId(commit)}`),
  ]
  const format = '--format=tformat:%H%n%P%n%an%n%ae%n%at%n%B'
  const { stdout } = await runGit(repository.git, {
    args: [
      'log',
      '-z',
      '--no-show-signature',
      '--no-mailmap',
      '--encoding=UTF-8',
      format,
      '-n',
      String(input.limit ?? 100),
      ...range,
      '--',
    ],
    folder: repository.folder,
  })
  return [...splitAtNul(stdout)].map((record) => {
    const [id = '', parents = '', name = '', email = '', seconds = '', ...message] = record
      .toString('utf8')
      .split('\n')
    return {
      id,
      parents: parents === '' ? [] : parents.split(' '),
      author: { name, email },
      date: new Date(Number(seconds) * 1000),
      message: message.join('\n').trimEnd(),
    }
  })
}

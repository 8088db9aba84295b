import { plainGit } from './temporary-git.ts'

/**
 * For tests: commits a change of one file on top of `from`, or as the first one, as a branch. By one process of git, where
 * plumbing needs five.
 */
export function importCommit(
  folder: string,
  { branch, path, content, from }: { branch: string; path: string; content: string; from?: string },
): void {
  const message = `Change ${path}\n`
  const lines = [
    `commit refs/heads/${branch}`,
    // As `plainGit` has it.
    'committer Someone <someone@example.com> 1767323045 +0000',
    `data ${Buffer.byteLength(message)}\n${message}`,
    ...(from === undefined ? [] : [`from ${from}^0`]),
    `M 100644 inline ${JSON.stringify(path)}`,
    `data ${Buffer.byteLength(content)}\n${content}\n`,
  ]
  plainGit(folder, ['fast-import', '--quiet', '--force'], lines.join('\n'))
}

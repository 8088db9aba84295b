import { findBranchInTheWay, foldersOf } from '../branch-prefix.ts'
import type { Git, Repository } from '../git.ts'
import { pushTarget, type Remote } from '../remote.ts'
import { runGit } from '../process/run-git.ts'
import { listBranches } from './check-remote.ts'

/** The branch of a mirror that is in the way of others that begin with `prefix`. */
export async function findBlocking({ git, folder }: Repository, prefix: string): Promise<string | undefined> {
  // As a pattern, a name does not stand for all branches below it.
  const patterns = foldersOf(prefix).map((name) => `refs/heads/${name.replace(/.$/u, '[$&]')}`)
  if (patterns.length === 0) return undefined
  const { stdout } = await runGit(git, {
    args: ['for-each-ref', '--ignore-case', '--format=%(refname:lstrip=2)', ...patterns],
    folder,
  })
  return findBranchInTheWay(prefix, stdout.toString().split('\n'))
}

/**
 * The branch that is in the way of others that begin with `prefix` in the repository that branches are pushed to, or
 * else in the one that is read. Nothing is fetched.
 * @throws AppError as `checkRemote`
 */
export async function findBlockingAt(git: Git, remote: Remote, prefix: string): Promise<string | undefined> {
  const target = pushTarget(remote)
  const blocking = findBranchInTheWay(prefix, await listBranches(git, target))
  if (blocking !== undefined || target === remote) return blocking
  return findBranchInTheWay(prefix, await listBranches(git, remote))
}

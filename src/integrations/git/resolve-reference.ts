import type { Repository } from './git.ts'
import { isObjectId } from './object-id.ts'
import { requireBranchName, requireReference } from './reference-name.ts'
import { runGit } from './process/run-git.ts'
import { keepNewest } from '../../lib/keep-newest.ts'

/**
 * The commit that a full object id or a full reference name (`refs/heads/main`) stands for, tags peeled; undefined
 * when there is none. With `tree`, the id of its tree.
 */
export async function resolveReference(
  repository: Repository,
  name: string,
  kind: 'commit' | 'tree' = 'commit',
): Promise<string | undefined> {
  const checked = isObjectId(name) ? name : requireReference(name)
  const key = isObjectId(name) && kind === 'tree' ? `${repository.folder} ${name}` : undefined
  const known = key === undefined ? undefined : trees.get(key)
  if (known !== undefined) return known
  const { stdout, code } = await runGit(repository.git, {
    args: ['rev-parse', '--verify', '--quiet', '--end-of-options', `${checked}^{${kind}}`],
    folder: repository.folder,
    // git exits with 128 for the id of something else, such as a file.
    answers: [1, 128],
  })
  const id = stdout.toString().trim()
  if (code !== 0 || !isObjectId(id)) return undefined
  if (key !== undefined) keepNewest(trees, mostTrees, key, id)
  return id
}

// A commit's tree never changes, and many jobs start from the same commit.
const trees = new Map<string, string>()
const mostTrees = 1000

/** The commits that branches stand at, in the given order and in one go; undefined for a branch that does not exist. */
export async function resolveBranches(
  repository: Repository,
  branches: readonly string[],
): Promise<(string | undefined)[]> {
  const names = branches.map((branch) => `refs/heads/${requireBranchName(branch)}`)
  const { stdout } = await runGit(repository.git, {
    args: ['for-each-ref', '--format=%(objectname) %(refname)', ...names],
    folder: repository.folder,
  })
  // git also lists references below a name.
  const oids = new Map(
    stdout
      .toString()
      .split('\n')
      .map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))] as const),
  )
  return names.map((name) => oids.get(name))
}

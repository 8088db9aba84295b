import type { Repository } from './git.ts'
import { isObjectId } from './object-id.ts'
import { requireReference } from './reference-name.ts'
import { runGit } from './run-git.ts'

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
    // 128 is how an id of something else (a file, say) is answered.
    answers: [1, 128],
  })
  const id = stdout.toString().trim()
  if (code !== 0 || !isObjectId(id)) return undefined
  if (key !== undefined) {
    const [oldest] = trees.keys()
    if (trees.size >= mostTrees && oldest !== undefined) trees.delete(oldest)
    trees.set(key, id)
  }
  return id
}

// A commit has the same tree for ever, and many jobs start from the same one.
const trees = new Map<string, string>()
const mostTrees = 1000

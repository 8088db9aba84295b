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
  const { stdout, code } = await runGit(repository.git, {
    args: ['rev-parse', '--verify', '--quiet', '--end-of-options', `${checked}^{${kind}}`],
    folder: repository.folder,
    // 128 is how an id of something else (a file, say) is answered.
    answers: [1, 128],
  })
  const id = stdout.toString().trim()
  return code === 0 && isObjectId(id) ? id : undefined
}

import { randomUUID } from 'node:crypto'
import { AppError } from '../../../lib/errors.ts'
import type { Repository } from '../git.ts'
import { requireObjectId } from '../object-id.ts'
import { type FileChange, planChanges } from './plan-changes.ts'
import { resolveReference } from '../resolve-reference.ts'
import { runGit } from '../process/run-git.ts'
import { viewTree } from './view-tree.ts'

/**
 * Writes the tree that a base (a commit or tree; none means empty) becomes by the changes, and returns its id.
 * Everything that is not named stays byte for byte. Nothing refers to the result yet.
 * @throws AppError `invalid` for paths that are unsafe, named twice, below a link or file, or name a folder, and for a
 *   base that holds what git refuses.
 */
export async function writeTree(
  repository: Repository,
  input: { base: string | undefined; changes: readonly FileChange[] },
): Promise<string> {
  const base = input.base === undefined ? undefined : requireObjectId(input.base)
  const changed = input.changes.map((change) => change.path)
  const [view, tree] = await Promise.all([
    viewTree(repository, base, changed),
    base === undefined ? undefined : resolveReference(repository, base, 'tree'),
  ])
  if (base !== undefined && tree === undefined)
    throw new AppError('not_found', `The repository has no commit or tree ${base}`)
  const plan = planChanges(input.changes, view)
  const { stdout } = await runGit(repository.git, {
    args: ['fast-import', '--quiet', '--done'],
    folder: repository.folder,
    // Names that differ in case only are two files in git, whatever disk the mirror is on.
    config: [['core.ignoreCase', 'false']],
    input: () => commands(tree, plan),
  })
  const [, written = ''] = /^040000 tree ([0-9a-f]+)\t/.exec(stdout.toString()) ?? []
  return requireObjectId(written)
}

// One process writes files and folders. It only writes trees as parts of commits, so a commit is made on a branch
// that is discarded before any reference exists.
function* commands(tree: string | undefined, plan: readonly FileChange[]): Generator<string | Uint8Array> {
  const branch = `refs/docwright/writing/${randomUUID()}`
  yield `commit ${branch}\ncommitter Docwright <docwright> 0 +0000\ndata 0\n`
  if (tree !== undefined) yield `M 040000 ${tree} ""\n`
  for (const { path, content, mode = '100644' } of plan) {
    const quoted = `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`
    if (content === undefined) yield `D ${quoted}\n`
    else {
      yield `M ${mode} inline ${quoted}\ndata ${content.length}\n`
      yield content
      yield '\n'
    }
  }
  yield `ls ""\nreset ${branch}\n\ndone\n`
}

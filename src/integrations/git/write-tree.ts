import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../lib/errors.ts'
import type { Repository } from './git.ts'
import { requireObjectId } from './object-id.ts'
import { type FileChange, planChanges } from './plan-changes.ts'
import { GitError, runGit } from './run-git.ts'
import { viewTree } from './view-tree.ts'

/**
 * Writes the tree that a base (a commit or tree; none means empty) becomes by the changes, and returns its id.
 * Everything that is not named stays byte for byte. Nothing refers to the result yet.
 * @throws AppError `invalid` for paths that are unsafe, named twice, below a link or file, or name a folder.
 */
export async function writeTree(
  repository: Repository,
  input: { base: string | undefined; changes: readonly FileChange[] },
): Promise<string> {
  const base = input.base === undefined ? undefined : requireObjectId(input.base)
  const folder = await mkdtemp(join(repository.git.folder, 'tmp', 'index-'))
  const call = { folder: repository.folder, environment: { GIT_INDEX_FILE: join(folder, 'index') } }
  try {
    const changed = input.changes.map((change) => change.path)
    const start = runGit(repository.git, { ...call, args: ['read-tree', base ?? '--empty'] })
    const [view] = await together([viewTree(repository, base, changed), start.catch(explain)])
    const entries = planChanges(input.changes, view)
    const update = { ...call, args: ['update-index', '-z', '--index-info'], input: entries }
    const contents = input.changes.flatMap((change) => change.content ?? [])
    await together([writeBlobs(repository, contents), runGit(repository.git, update)])
    const { stdout } = await runGit(repository.git, { ...call, args: ['write-tree'] })
    return stdout.toString().trim()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

// Both end before the folder goes away, and the first failure is told.
async function together<T, U>(steps: [Promise<T>, Promise<U>]): Promise<[T, U]> {
  await Promise.allSettled(steps)
  return Promise.all(steps)
}

function explain(error: unknown): never {
  const path = error instanceof GitError ? /invalid path '([^\n]*)'/.exec(error.stderr)?.[1] : undefined
  if (path === undefined) throw error
  throw new AppError(
    'invalid',
    `The repository holds the path ${path}, which git refuses: remove it there first`,
    {
      cause: error,
    },
  )
}

// One process for all of them; write-tree then refuses if one did not arrive.
async function writeBlobs(repository: Repository, contents: readonly Uint8Array[]): Promise<void> {
  if (contents.length === 0) return
  const input = function* (): Generator<string | Uint8Array> {
    for (const content of contents) {
      yield `blob\ndata ${content.length}\n`
      yield content
      yield '\n'
    }
    yield 'done\n'
  }
  await runGit(repository.git, {
    args: ['fast-import', '--quiet', '--done'],
    folder: repository.folder,
    input,
  })
}

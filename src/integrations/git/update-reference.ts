import { AppError } from '../../lib/errors.ts'
import type { Repository } from './git.ts'
import { requireObjectId } from './object-id.ts'
import { requireReference } from './reference-name.ts'
import { GitError, runGit } from './process/run-git.ts'

/** Where work in progress is kept alive in a mirror: never served, untouched by fetches. */
const internalReferences = 'refs/docwright/'

/**
 * Points a reference of this server at a commit, or removes it when `commit` is undefined. With `expected`, only if
 * it still points there; an empty text means that it must not exist yet.
 * @throws AppError `conflict` when it has moved.
 */
export async function updateReference(
  repository: Repository,
  input: { reference: string; commit: string | undefined; expected?: string | undefined },
): Promise<void> {
  const reference = requireReference(input.reference)
  if (!reference.startsWith(internalReferences)) {
    throw new AppError(
      'internal',
      `Only references below ${internalReferences} are ours to move, not ${reference}`,
    )
  }
  const { commit, expected } = input
  const old = expected === undefined || expected === '' ? [] : [requireObjectId(expected)]
  const absent = expected === '' && commit !== undefined ? ['0'.repeat(commit.length)] : []
  const args =
    commit === undefined
      ? ['update-ref', '-d', reference, ...old]
      : ['update-ref', reference, requireObjectId(commit), ...old, ...absent]
  try {
    await runGit(repository.git, { args, folder: repository.folder })
  } catch (error) {
    if (error instanceof GitError && /cannot lock ref|but expected|already exists/.test(error.stderr)) {
      throw new AppError('conflict', `${reference} has moved in the meantime`, { cause: error })
    }
    throw error
  }
}

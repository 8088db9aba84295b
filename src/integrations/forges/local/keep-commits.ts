import { AppError } from '../../../lib/errors.ts'
import { updateReference } from '../../git/update-reference.ts'
import type { LocalProject } from './local-project.ts'

/** Keeps a pull request's diff readable when its branch is gone: git drops what nothing refers to. */
export async function keepCommits(
  project: Pick<LocalProject, 'id' | 'repository'>,
  number: number,
  head: string,
): Promise<void> {
  const reference = `refs/docwright/pulls/${project.id}/${number}`
  await updateReference(project.repository, { reference, commit: head }).catch((error: unknown) => {
    // Someone else is writing the same at this moment.
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
  })
}

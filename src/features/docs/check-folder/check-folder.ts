import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGit } from '../../../integrations/git/git.ts'
import { branchingPoint, openWorkingCopy } from '../../../integrations/git/working-copy.ts'
import { AppError } from '../../../lib/errors.ts'
import { createTextThread, ThreadFailure } from '../../../lib/threads/text-thread.ts'
import type { SiteProgress } from '../../../site/checks/whole/progress.ts'
import { parseReadingName } from '../../../site/text/text-guard.ts'
import type { CheckAnswer, CheckThread } from './check-folder.worker.ts'
import { pathEnds } from '../../../site/text/paths.ts'

export type CheckProblem = CheckAnswer['problems'][number]

export interface FolderCheck extends CheckAnswer {
  /** The top of the working copy, which paths start from. */
  folder: string
  /** The commit that the working copy was compared with. */
  base: string | undefined
  /** Files that took too long to read, and were left out. */
  leftOut: string[]
}

const mostTooMuch = 20

/**
 * Checks the pages of a working copy as they are now, with what is not committed. Nothing is written there.
 * @throws AppError `invalid` for a folder, root or base that does not exist
 */
export async function checkFolder(input: {
  folder: string
  root: string
  base: string | undefined
  paths: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
  /** Is told how far it is, twice a second. */
  onProgress?: (progress: SiteProgress) => void
}): Promise<FolderCheck> {
  const scratch = await mkdtemp(join(tmpdir(), 'docwright-check-'))
  const thread = createTextThread<CheckThread>(new URL('check-folder.worker.ts', import.meta.url), {
    deadline: 20_000,
    memory: 2048,
  })
  try {
    const git = await createGit({ dataFolder: scratch, environment: input.environment })
    const { folder, files, repository } = await openWorkingCopy(git, input.folder)
    if (input.base !== undefined && repository === undefined)
      throw new AppError('invalid', `${folder} is in no git repository, so it cannot be compared with a base`)
    const base =
      input.base === undefined || repository === undefined
        ? undefined
        : { repository, commit: await branchingPoint(repository, input.base) }
    const root = input.root.replace(pathEnds, '')
    const prefix = root === '' || root === '.' ? '' : `${root}/`
    if (prefix !== '' && ![...files.keys()].some((path) => path.startsWith(prefix)))
      throw new AppError('invalid', `${folder} has no folder ${root}`)
    const tooMuch = new Map<string, string>()
    for (;;) {
      const task = { folder, files, root: prefix, base, paths: input.paths, tooMuch: [...tooMuch.keys()] }
      try {
        const answer = await thread.run(task, { answer: async (progress) => input.onProgress?.(progress) })
        return { ...answer, folder, base: base?.commit, leftOut: [...new Set(tooMuch.values())] }
      } catch (error) {
        // A text that the thread cannot cope with is left out, and the check begins again.
        if (!(error instanceof ThreadFailure) || error.text === undefined) throw error
        const { key, path } = parseReadingName(error.text)
        if (tooMuch.has(key) || tooMuch.size >= mostTooMuch) throw error
        tooMuch.set(key, path)
      }
    }
  } finally {
    thread.stop()
    await rm(scratch, { recursive: true, force: true })
  }
}

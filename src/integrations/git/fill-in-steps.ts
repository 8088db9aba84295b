import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../lib/errors.ts'
import { type TimedFetch, branchesOf, fetchReferences } from './fetch-references.ts'
import type { Repository } from './git.ts'
import { hasReferences } from './has-references.ts'
import { removeLeftoverPacks } from './leftover-packs.ts'
import { type Remote, remoteName } from './remote.ts'
import { GitError } from './run-git.ts'

const firstStep = 100

/**
 * Fetches the newest commit of every branch and then further back, so that each step stays when the next one breaks off.
 * Up to four times as slow as a fetch at once, because the host packs each step anew: meant for a fetch that broke off.
 * Afterwards the history of the branches is whole; where the host cannot do steps, nothing has happened.
 */
export async function fillInSteps(
  repository: Repository,
  remote: Remote,
  options: TimedFetch,
): Promise<void> {
  const step = (flag: string): Promise<void> =>
    fetchReferences(repository, remote, branchesOf(remote), options, [flag])
  await removeLeftoverPacks(repository.folder, 0)
  if (!(await hasReferences(repository))) {
    try {
      await step('--depth=1')
    } catch (error) {
      if (isUnknown(error)) return
      throw error
    }
  }
  let commits = firstStep
  for (let ends = await historyEnds(repository); ends !== '';) {
    const began = performance.now()
    await step(`--deepen=${commits}`).catch((error: unknown) => {
      if (!isUnknown(error)) throw error
    })
    const now = await historyEnds(repository)
    if (now === ends) return atOnce(repository, remote, step)
    ends = now
    commits *= growth(performance.now() - began)
  }
}

// Few steps where all goes well, and none so long that much is lost with it.
function growth(milliseconds: number): number {
  if (milliseconds < 10_000) return 10
  return milliseconds < 60_000 ? 3 : 1
}

async function atOnce(
  repository: Repository,
  remote: Remote,
  step: (flag: string) => Promise<void>,
): Promise<void> {
  await step('--unshallow')
  if ((await historyEnds(repository)) === '') return
  throw new AppError('internal', `${remoteName(remote)} does not have its whole history itself`)
}

/** The commits whose parents are not here yet; empty when all are. */
async function historyEnds({ folder }: Repository): Promise<string> {
  return readFile(join(folder, 'shallow'), 'utf8').catch(() => '')
}

function isUnknown(error: unknown): boolean {
  const cause = error instanceof AppError && error.cause instanceof GitError ? error.cause : error
  return cause instanceof GitError && /does not support (?:shallow|--)/.test(cause.stderr)
}

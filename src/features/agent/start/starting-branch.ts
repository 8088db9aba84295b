import type { ChangeRequest } from '../../../integrations/forges/forge.ts'
import { resolveBranches } from '../../../integrations/git/resolve-reference.ts'
import { AppError } from '../../../lib/errors.ts'
import { nextBranchName } from '../jobs.ts'
import { followBase } from '../publish/follow-base.ts'
import type { TurnRun } from '../turns/turn-run.ts'
import type { TurnRow } from '../turns.ts'

/**
 * Chooses the branch that a turn works on, and returns it with its newest pull request. After a person has merged
 * or closed that, work continues from the current base on a new branch.
 */
export async function chooseBranch(
  run: TurnRun,
): Promise<{ branch: string; request: ChangeRequest | undefined }> {
  let branch = run.job.branch
  let request = await run.forge.findByHead(branch)
  let newest = request
  while (request !== undefined && request.state !== 'open') {
    branch = nextBranchName(run.job.id, branch)
    request = await run.forge.findByHead(branch)
    newest = request ?? newest
  }
  return { branch, request: newest }
}

/**
 * Returns the commits of base and branch in a mirror that was just fetched; follows a renamed base.
 * @throws AppError `unavailable` when the base cannot be read
 */
export async function resolveHeads(
  run: TurnRun,
  turn: TurnRow,
  branch: string,
): Promise<{ baseCommit: string; branchCommit: string | undefined }> {
  const { repository } = run.project
  const [base, branchCommit] = await resolveBranches(repository, [run.job.base, branch])
  if (base !== undefined) return { baseCommit: base, branchCommit }
  await followBase(run, turn.id)
  const [baseCommit] = await resolveBranches(repository, [run.job.base])
  if (baseCommit === undefined) throw new AppError('unavailable', `The branch ${run.job.base} has just gone`)
  return { baseCommit, branchCommit }
}

import type { ChangeRequest } from '../../../integrations/forges/forge.ts'
import { resolveBranches } from '../../../integrations/git/resolve-reference.ts'
import { AppError } from '../../../lib/errors.ts'
import { nextBranchName } from '../jobs.ts'
import { followBase } from '../publish/follow-base.ts'
import type { TurnRun } from '../turns/turn-run.ts'
import type { TurnRow } from '../turns.ts'

/**
 * The branch that a turn works on, with its newest pull request. One that a person has merged or closed is done with:
 * the work goes on from the fresh base, on a new branch.
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
 * The commits of base and branch in a mirror that was fetched just now; follows a base that was renamed.
 * @throws AppError `unavailable` when the base cannot be read all the same
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

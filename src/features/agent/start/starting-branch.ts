import type { ChangeRequest } from '../../../integrations/forges/forge.ts'
import { isSurelyInTheWay } from '../../../integrations/git/branch-prefix.ts'
import { findBlocking } from '../../../integrations/git/remotes/find-blocking.ts'
import { resolveBranches } from '../../../integrations/git/resolve-reference.ts'
import { AppError } from '../../../lib/errors.ts'
import { branchName, generationOf, prefixOf } from '../jobs.ts'
import { followBase } from '../publish/follow-base.ts'
import { branchInTheWay } from '../turns/turn-failure.ts'
import type { TurnRun } from '../turns/turn-run.ts'
import type { TurnRow } from '../turns.ts'

/**
 * Chooses the branch that a turn works on, and returns it with its newest pull request. After a person has merged
 * or closed that, work continues from the current base on a new branch. The mirror was just fetched.
 * @throws TurnFailure `branch_in_the_way` when git cannot have the branch
 */
export async function chooseBranch(
  run: TurnRun,
): Promise<{ branch: string; request: ChangeRequest | undefined }> {
  const { job, project, forge } = run
  let { branch } = job
  let request = await forge.findByHead(branch)
  let newest = request
  while (request !== undefined && request.state !== 'open') {
    branch = branchName(job.id, generationOf(job.id, branch) + 1, project.settings.branchPrefix)
    request = await forge.findByHead(branch)
    newest = request ?? newest
  }
  return { branch: request === undefined ? await possibleBranch(run, branch) : branch, request: newest }
}

// A branch that was never pushed may get another name, as after a change of the prefix.
async function possibleBranch({ job, project }: TurnRun, branch: string): Promise<string> {
  const { repository, settings } = project
  const [pushed] = await resolveBranches(repository, [branch])
  if (pushed !== undefined) return branch
  const present = branchName(job.id, generationOf(job.id, branch), settings.branchPrefix)
  for (const name of [branch, present]) {
    const blocking = await findBlocking(repository, name)
    if (blocking === undefined || !isSurelyInTheWay(name, blocking)) return name
    if (name === present) throw branchInTheWay(prefixOf(job.id, name), blocking)
  }
  return branch
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

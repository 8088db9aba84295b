import { checkRemote } from '../../../integrations/git/remotes/check-remote.ts'
import { resolveReference } from '../../../integrations/git/resolve-reference.ts'
import { fetchMirror } from '../../../integrations/git/mirrors/fetch-mirror.ts'
import { AppError } from '../../../lib/errors.ts'
import { requireOpenTurn } from '../turns/end-turn.ts'
import { appendEvents } from '../events.ts'
import { lockJob, updateJob } from '../jobs.ts'
import { TurnFailure } from '../turns/turn-failure.ts'
import type { TurnRun } from '../turns/turn-run.ts'

/**
 * Changes the base of a job whose base branch is gone to the project's new branch. The work itself is unchanged.
 * @param kept where the work is, for the message of the failure
 * @throws TurnFailure `base_not_found` when there is no other branch, or people have to choose it
 */
export async function followBase(run: TurnRun, turnId: string, kept?: string): Promise<void> {
  const { project, ports, job, signal } = run
  const from = job.base
  const isRead = from === project.ref
  const now = isRead ? await ports.followDefault(project, from) : undefined
  const next = isRead
    ? now?.followed && now.branch
    : project.formerRefs.includes(from)
      ? project.ref
      : undefined
  const { repository, remote } = project
  if (next) await fetchMirror(repository, remote, { signal })
  if (!next || (await resolveReference(repository, `refs/heads/${next}`)) === undefined) {
    const where = kept === undefined ? '' : ` ${kept}.`
    // Comments on the host are answered with it, so it does not tell how this server is installed.
    const advice =
      now === undefined
        ? 'Create a job with a "base" that exists'
        : `The default branch is ${JSON.stringify(now.branch)} now, so let the project read that and send the message again`
    throw new TurnFailure(
      'base_not_found',
      `The repository has no branch ${JSON.stringify(from)}: it was deleted or renamed, or was never there.${where} ${advice}`,
    )
  }
  await ports.store.transaction(async (tx) => {
    await lockJob(tx, job.id)
    const row = await requireOpenTurn(tx, turnId)
    const message = `The branch ${from} no longer exists: the job continues with ${next}`
    await appendEvents(tx, job.id, row.n, [{ type: 'base.renamed', data: { from, to: next, message } }])
    await updateJob(tx, job.id, { base: next })
  })
  job.base = next
}

/** Whether a host refused something because the job's base branch is gone. */
export async function isBaseGone({ project, job }: TurnRun, error: unknown): Promise<boolean> {
  if (!(error instanceof AppError) || (error.code !== 'not_found' && error.code !== 'invalid')) return false
  return checkRemote(project.repository.git, project.remote, { branch: job.base }).then(
    () => false,
    (problem: unknown) => problem instanceof AppError && problem.code === 'not_found',
  )
}

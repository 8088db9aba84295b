import { sql } from 'kysely'
import type { ChangeRequest } from '../../../integrations/forges/forge.ts'
import { json } from '../../../store/database.ts'
import type { Tx } from '../../../store/database.ts'
import { appendEvents } from '../events.ts'
import { lockJob, updateJob } from '../jobs.ts'
import { lastTurn } from '../turns/turns.ts'

/**
 * Writes down on a job what a person has done with its pull request. Repeating it changes nothing. A number alone names
 * no pull request: a project may have been connected to another repository, which has that number too.
 */
export async function recordPullRequestState(
  tx: Tx,
  jobId: string,
  { number, state, draft }: Pick<ChangeRequest, 'number' | 'state' | 'draft'>,
): Promise<void> {
  const job = await lockJob(tx, jobId)
  const before = job?.pull_request
  if (!job || !before || before.number !== number) return
  // Somebody took it out of the draft state: should it be a draft again, that is not ours.
  if (draft === false && job.draft_for_checks) await updateJob(tx, job.id, { draft_for_checks: false })
  if (before.state === state) return
  if (state !== 'open') {
    await appendEvents(tx, job.id, await lastTurn(tx, job.id), [
      { type: `pull_request.${state}`, data: { number, link: before.link } },
    ])
  }
  await updateJob(tx, job.id, { pull_request: json({ ...before, state }) })
}

/** Of a repository that lives on this server: its pull requests stay where they are, and links to them are paths. */
export async function recordLocalState(
  tx: Tx,
  { projectId, number, state }: { projectId: string; number: number; state: 'merged' | 'closed' },
): Promise<void> {
  const found = await tx
    .selectFrom('jobs')
    .select('id')
    .where('project_id', '=', projectId)
    .where(sql<number>`(pull_request->>'number')::int`, '=', number)
    .where(sql<boolean>`pull_request->>'link' like '/%'`)
    .executeTakeFirst()
  if (found) await recordPullRequestState(tx, found.id, { number, state })
}

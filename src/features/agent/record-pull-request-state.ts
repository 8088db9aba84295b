import { sql } from 'kysely'
import { json } from '../../store/database.ts'
import type { Tx } from '../../store/database.ts'
import type { PullRequestColumn } from '../../store/tables.ts'
import { appendEvents } from './events.ts'
import { lockJob, updateJob } from './jobs.ts'

/** Writes down on the job what a person has done with its pull request. Repeating it changes nothing. */
export async function recordPullRequestState(
  tx: Tx,
  projectId: string,
  number: number,
  state: PullRequestColumn['state'],
): Promise<void> {
  const found = await tx
    .selectFrom('jobs')
    .select('id')
    .where('project_id', '=', projectId)
    .where(sql<number>`(pull_request->>'number')::int`, '=', number)
    .executeTakeFirst()
  const job = found && (await lockJob(tx, found.id))
  const before = job?.pull_request
  if (!job || !before || before.number !== number || before.state === state) return
  if (state !== 'open') {
    const { turn } = await tx
      .selectFrom('turns')
      .select((select) => select.fn.max('n').as('turn'))
      .where('job_id', '=', job.id)
      .executeTakeFirstOrThrow()
    await appendEvents(tx, job.id, turn, [
      { type: `pull_request.${state}`, data: { number, link: before.link } },
    ])
  }
  await updateJob(tx, job.id, { pull_request: json({ ...before, state }) })
}

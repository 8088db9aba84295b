import type { ChangeRequest } from '../../../integrations/forges/forge.ts'
import type { Reader } from '../../../store/database.ts'
import type { PublicationColumn } from '../../../store/tables.ts'
import type { JobRow } from '../jobs.ts'
import type { TurnRun } from '../turns/turn-run.ts'

/** Of a request that is not on record yet: whether we opened it as a draft for what the checks found, and for that alone. */
export function isDraftForChecks(
  run: TurnRun,
  publication: Pick<PublicationColumn, 'draft'> | null | undefined,
  request: ChangeRequest,
): boolean {
  return publication?.draft === true && !wantsDraft(run) && request.state === 'open' && request.draft === true
}

/** Whether an open draft is to be marked as ready: it is one of ours, and this publication leaves no problem. */
export async function isReadyNow(
  run: TurnRun,
  publication: PublicationColumn,
  request: ChangeRequest,
): Promise<boolean> {
  if (request.draft !== true || publication.draft || wantsDraft(run)) return false
  const job = await run.ports.store.db
    .selectFrom('jobs')
    .select('draft_for_checks')
    .where('id', '=', run.job.id)
    .executeTakeFirst()
  return job?.draft_for_checks === true
}

function wantsDraft({ job, project }: TurnRun): boolean {
  return job.draft || project.settings.pullRequest.draft
}

/** Whether the job has this very request on record. One that is watched is the same under a new address too. */
export async function isSameRequest(
  reader: Reader,
  { id, pull_request: before }: Pick<JobRow, 'id' | 'pull_request'>,
  { number, link }: Pick<ChangeRequest, 'number' | 'link'>,
): Promise<boolean> {
  if (before?.number !== number) return false
  if (before.link === link) return true
  const watched = await reader
    .selectFrom('host_requests')
    .select('number')
    .where('job_id', '=', id)
    .executeTakeFirst()
  return watched?.number === number
}

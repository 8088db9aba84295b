import { json, type Reader, type Tx } from '../../../store/database.ts'
import type { ChangeRequest } from '../../../integrations/forges/forge.ts'
import type { PublicationColumn, PullRequestColumn } from '../../../store/columns.ts'
import { completeTurn } from '../turns/end-turn.ts'
import { appendEvents, type NewEvent } from '../events.ts'
import { lockJob, updateJob, type JobRow } from '../jobs.ts'
import { TurnLost } from '../turns/turn-failure.ts'
import { readTurn, lastTurn } from '../turns.ts'
import type { StartedTurn, TurnRun } from '../turns/turn-run.ts'
import { forgetFiles } from '../workspace/overlay.ts'
import { sql } from 'kysely'

/**
 * Records what was published on the job and ends the turn. Without a request only a branch was pushed. When the
 * turn was cancelled meanwhile, the publication is recorded nevertheless.
 * @throws TurnLost when the turn has ended otherwise
 */
export async function recordPublication(
  run: TurnRun,
  turn: StartedTurn,
  publication: PublicationColumn,
  request: ChangeRequest | undefined,
): Promise<void> {
  const lost = await run.ports.store.transaction(async (tx) => {
    const job = await lockJob(tx, run.job.id)
    const row = await readTurn(tx, turn.row.id)
    if (!job || !row || row.status === 'completed') return true
    const isOpen = row.status === 'running'
    if (!isOpen && job.head_commit === publication.commit) return true
    const isKnown = request !== undefined && (await isSameRequest(tx, job, request))
    await updateJob(tx, job.id, {
      title: publication.title,
      head_commit: publication.commit,
      base_commit: publication.base,
      ...(request && {
        pull_request: json(columnOf(request)),
        draft_for_checks: isKnown
          ? job.draft_for_checks && request.draft !== false
          : isDraftForChecks(run, publication, request),
      }),
      checks: json(publication.checks),
      checked_commit: publication.commit,
      changes: json(publication.changes),
    })
    const events: NewEvent[] = [
      {
        type: 'published',
        data: { branch: turn.branch, commit: publication.commit, files: publication.changes.length },
      },
      ...(request ? [requestEvent(isKnown, request, publication.title)] : []),
    ]
    const { summary, leftOut } = publication
    // What is on the branch now is not kept any more.
    if (leftOut !== undefined || !isOpen) await forgetFiles(tx, row.id, leftOut ?? [])
    if (isOpen) await completeTurn(tx, row, { outcome: 'changed', summary }, events)
    else await appendEvents(tx, job.id, row.n, events)
    return !isOpen
  })
  if (lost) throw new TurnLost()
}

function columnOf({ link, number, state }: ChangeRequest): PullRequestColumn {
  return { link, number, state }
}

function requestEvent(isKnown: boolean, { number, link }: ChangeRequest, title: string): NewEvent {
  return {
    type: isKnown ? 'pull_request.updated' : 'pull_request.opened',
    data: { number, link, title },
  }
}

/**
 * Records on a job what a person did with its pull request. Can be repeated. The repository is compared as well as
 * the number, because a project may have been connected to another repository.
 */
export async function recordPullRequestState(
  tx: Tx,
  jobId: string,
  {
    number,
    state,
    draft,
    by,
  }: Pick<ChangeRequest, 'number' | 'state' | 'draft'> & { by?: string | undefined },
): Promise<void> {
  const job = await lockJob(tx, jobId)
  const before = job?.pull_request
  if (!job || !before || before.number !== number) return
  // A person has marked it as ready. If it becomes a draft again, that is not because of our checks.
  if (draft === false && job.draft_for_checks) await updateJob(tx, job.id, { draft_for_checks: false })
  if (before.state === state) return
  const type = state === 'open' ? 'pull_request.reopened' : (`pull_request.${state}` as const)
  await appendEvents(tx, job.id, await lastTurn(tx, job.id), [
    { type, data: { number, link: before.link, ...(by !== undefined && { by }) } },
  ])
  await updateJob(tx, job.id, { pull_request: json({ ...before, state }) })
}

/**
 * Records the state of a pull request of a repository on this server. Such a pull request always belongs to its
 * job, and its link is a path.
 */
export async function recordLocalState(
  tx: Tx,
  {
    projectId,
    number,
    state,
    by,
  }: { projectId: string; number: number; state: 'open' | 'merged' | 'closed'; by?: string | undefined },
): Promise<void> {
  const job = await tx
    .selectFrom('jobs')
    .select('id')
    .where('project_id', '=', projectId)
    .where(sql<number>`(pull_request->>'number')::int`, '=', number)
    .where(sql<boolean>`pull_request->>'link' like '/%'`)
    .executeTakeFirst()
  if (job) await recordPullRequestState(tx, job.id, { number, state, by })
}

/** Whether a request that is not recorded yet was opened as a draft by us, only because of problems. */
export function isDraftForChecks(
  run: TurnRun,
  publication: Pick<PublicationColumn, 'draft'> | null | undefined,
  request: ChangeRequest,
): boolean {
  return publication?.draft === true && !wantsDraft(run) && request.state === 'open' && request.draft === true
}

export function wantsDraft({ job, project }: TurnRun): boolean {
  return job.draft || project.settings.pullRequest.draft
}

/** Whether the job has recorded this very request. A watched request counts even when its address has changed. */
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

/** Adds a note to the summary that people read. */
export function withNote(publication: PublicationColumn, note: string): PublicationColumn {
  return { ...publication, summary: `${publication.summary}\n\n${note}` }
}

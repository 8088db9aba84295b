import { json, type Reader, type Tx } from '../../../store/database.ts'
import type { ChangeRequest } from '../../../integrations/forges/forge.ts'
import type { PublicationColumn, PullRequestColumn } from '../../../store/tables.ts'
import { completeTurn } from '../turns/end-turn.ts'
import { appendEvents, type NewEvent } from '../events.ts'
import { lockJob, updateJob, type JobRow } from '../jobs.ts'
import { TurnLost } from '../turns/turn-failure.ts'
import { readTurn, lastTurn } from '../turns.ts'
import type { StartedTurn, TurnRun } from '../turns/turn-run.ts'
import { sql } from 'kysely'

/**
 * Writes what was published on the job and ends the turn; without a request only a branch was pushed. When the turn was cancelled meanwhile, what is out in the
 * world is written down all the same.
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
      changes: json(publication.changes),
    })
    const events: NewEvent[] = [
      {
        type: 'published',
        data: { branch: turn.branch, commit: publication.commit, files: publication.changes.length },
      },
      ...(request ? [requestEvent(isKnown, request, publication.title)] : []),
    ]
    if (isOpen) await completeTurn(tx, row, publication.summary, events)
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

/** Of a request that is not on record yet: whether we opened it as a draft for what the checks found, and for that alone. */
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

/** With a sentence more for those who read what became of the turn. */
export function withNote(publication: PublicationColumn, note: string): PublicationColumn {
  return { ...publication, summary: `${publication.summary}\n\n${note}` }
}

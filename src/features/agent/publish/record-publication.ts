import { json } from '../../../store/database.ts'
import type { ChangeRequest } from '../../../integrations/forges/forge.ts'
import type { PublicationColumn, PullRequestColumn } from '../../../store/tables.ts'
import { completeTurn } from '../turns/end-turn.ts'
import { appendEvents } from '../events.ts'
import type { NewEvent } from '../events.ts'
import { lockJob, updateJob } from '../jobs.ts'
import { isDraftForChecks, isSameRequest } from './own-draft.ts'
import { TurnLost } from '../turns/turn-failure.ts'
import { readTurn } from '../turns/turns.ts'
import type { StartedTurn, TurnRun } from '../turns/turn-run.ts'

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

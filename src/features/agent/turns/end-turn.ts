import { sql, type UpdateObject } from 'kysely'
import { json, type Store, type Tx } from '../../../store/database.ts'
import type { ChoiceColumn, FailureColumn, OutcomeColumn, ViolationColumn } from '../../../store/columns.ts'
import type { Tables } from '../../../store/tables.ts'
import { appendEvents, type NewEvent } from '../events.ts'
import { lockJob, updateJob } from '../jobs.ts'
import { withoutSecrets } from '../policy/find-secrets.ts'
import { withoutHidden } from '../../../lib/text/plain-text.ts'
import { TurnLost } from './turn-failure.ts'
import { firstOpenTurn, readTurn, updateTurn, type TurnRow } from '../turns.ts'

/** The job must be locked. @throws TurnLost when the turn has ended meanwhile */
export async function requireOpenTurn(tx: Tx, turnId: string): Promise<TurnRow> {
  const turn = await readTurn(tx, turnId)
  if (turn?.status !== 'queued' && turn?.status !== 'running') throw new TurnLost()
  return turn
}

/** Changes an open turn. The job must be locked. @throws TurnLost when the turn has ended meanwhile */
export async function updateOpenTurn(
  tx: Tx,
  turnId: string,
  change: UpdateObject<Tables, 'turns'>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('turns')
    .set(change)
    .where('id', '=', turnId)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new TurnLost()
}

/**
 * Ends a turn that has not failed. The job must be locked and the turn open; the job stays active while more turns
 * are queued.
 */
export async function completeTurn(
  tx: Tx,
  turn: TurnRow,
  {
    outcome,
    summary,
    notUnderstood,
    choices,
  }: {
    outcome: OutcomeColumn
    summary: string
    notUnderstood?: boolean
    choices?: ChoiceColumn[] | undefined
  },
  events: readonly NewEvent[],
): Promise<void> {
  const ended = { status: 'completed', outcome, summary, finished_at: sql<Date>`now()` } as const
  await updateTurn(tx, turn.id, {
    ...ended,
    ...(notUnderstood && { not_understood: true }),
    ...(choices && { choices: json(choices) }),
  })
  await appendEvents(tx, turn.job_id, turn.n, [
    ...events,
    { type: 'turn.completed', data: { outcome, summary } },
  ])
  const more = await firstOpenTurn(tx, turn.job_id)
  await updateJob(tx, turn.job_id, { status: more ? 'active' : 'completed', failure: json(null) })
}

// Failures that a person can solve by a message or a merge, but not another attempt.
const forPeople = new Set(['budget', 'conflict'])

/**
 * Ends a turn as failed, unless it has ended already. Queued turns still run, and the last one determines the
 * status of the job.
 */
export async function failTurn(store: Store, turn: TurnRow, reason: FailureColumn): Promise<void> {
  const files = reason.files?.map(plainViolation)
  const failure = { ...reason, message: plainText(reason.message), ...(files && { files }) }
  await store.transaction(async (tx) => {
    await lockJob(tx, turn.job_id)
    const now = await readTurn(tx, turn.id)
    if (now?.status !== 'queued' && now?.status !== 'running') return
    await updateTurn(tx, turn.id, { status: 'failed', failure: json(failure), finished_at: sql<Date>`now()` })
    await appendEvents(tx, turn.job_id, turn.n, [
      ...(forPeople.has(failure.code) ? [attentionEvent(failure.code, failure.message)] : []),
      { type: 'turn.failed', data: { ...failure } },
    ])
    const more = await firstOpenTurn(tx, turn.job_id)
    await updateJob(tx, turn.job_id, more ? {} : { status: 'failed', failure: json(failure) })
  })
}

/**
 * A text that may be of a model or a host, as people may see it. Hidden characters are removed first, because they could
 * split a secret.
 */
export function plainText(text: string): string {
  return withoutSecrets(withoutHidden(text))
}

export function plainViolation({ path, line, message, degree, approval }: ViolationColumn): ViolationColumn {
  return {
    path: plainText(path),
    line,
    message: plainText(message),
    ...(degree && { degree }),
    // A value that looks like a secret is changed, so that nobody can allow it.
    ...(approval && { approval: { ...approval, value: plainText(approval.value) } }),
  }
}

/** Tells people to look at the job: its budget is used up, or the agent could not resolve conflicts or problems. */
export function attentionEvent(reason: string, message: string): NewEvent {
  return { type: 'attention', data: { reason, message } }
}

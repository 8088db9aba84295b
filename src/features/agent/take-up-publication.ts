import { json } from '../../store/database.ts'
import type { PublicationColumn } from '../../store/tables.ts'
import { requireOpenTurn } from './end-turn.ts'
import { lockJob } from './jobs.ts'
import type { StartedTurn, TurnRun } from './turn-run.ts'
import { earlierTurns, updateTurn } from './turns.ts'

/**
 * What the turn before pushed, when it failed before its pull request was there: a turn that changes nothing itself
 * publishes that. Undefined when there is no such.
 */
export async function takeUpPublication(
  run: TurnRun,
  turn: StartedTurn,
  summary: string,
): Promise<PublicationColumn | undefined> {
  const { store } = run.ports
  const before = (await earlierTurns(store.db, turn.row)).at(-1)
  const left = before?.status === 'failed' ? before.publication : null
  if (!left || left.commit !== turn.branchCommit) return undefined
  return store.transaction(async (tx) => {
    await lockJob(tx, run.job.id)
    const row = await requireOpenTurn(tx, turn.row.id)
    if (row.publication) return row.publication
    const publication = { ...left, summary }
    await updateTurn(tx, row.id, { publication: json(publication) })
    return publication
  })
}

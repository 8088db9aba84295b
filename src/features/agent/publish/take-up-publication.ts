import { json } from '../../../store/database.ts'
import type { PublicationColumn } from '../../../store/tables.ts'
import { requireOpenTurn } from '../turns/end-turn.ts'
import { lockJob } from '../jobs.ts'
import type { StartedTurn, TurnRun } from '../turns/turn-run.ts'
import { earlierTurns, updateTurn } from '../turns/turns.ts'

/**
 * What an earlier turn pushed, when it failed before its pull request was there: a turn that changes nothing itself
 * publishes that. Undefined when there is no such.
 */
export async function takeUpPublication(
  run: TurnRun,
  turn: StartedTurn,
  summary: string,
): Promise<PublicationColumn | undefined> {
  const { store } = run.ports
  const earlier = await earlierTurns(store.db, turn.row)
  // Turns in between may have failed for other reasons; one that completed has published what there was.
  const since = earlier.slice(earlier.findLastIndex(({ status }) => status === 'completed') + 1)
  const left = since.findLast(({ publication }) => publication !== null)?.publication
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

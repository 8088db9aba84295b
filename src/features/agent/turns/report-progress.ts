import type { GitProgress } from '../../../integrations/git/remotes/git-progress.ts'
import { requireOpenTurn } from './end-turn.ts'
import { appendEvents } from '../events.ts'
import { lockJob, updateJob } from '../jobs.ts'
import type { TurnRun } from './turn-run.ts'
import type { TurnRow } from '../turns.ts'

/**
 * Runs a fetch or push for a turn, and writes progress events: the first after five seconds, so that only slow
 * operations are reported, and no more often than that. All are written when it returns.
 * @param every milliseconds
 */
export async function reportProgress<T>(
  { ports, job }: Pick<TurnRun, 'ports' | 'job'>,
  turn: Pick<TurnRow, 'id' | 'n'>,
  type: 'fetching' | 'pushing',
  work: (onProgress: (progress: GitProgress) => void) => Promise<T>,
  every = 5000,
): Promise<T> {
  let last = Date.now()
  let writing: Promise<void> | undefined
  const write = ({ phase, done, total }: GitProgress): Promise<void> =>
    ports.store.transaction(async (tx) => {
      await lockJob(tx, job.id)
      await requireOpenTurn(tx, turn.id)
      const message = total === undefined ? `${phase}: ${done}` : `${phase}: ${done} of ${total}`
      await appendEvents(tx, job.id, turn.n, [{ type, data: { phase, done, total: total ?? null, message } }])
      await updateJob(tx, job.id)
    })
  try {
    return await work((progress) => {
      if (writing !== undefined || Date.now() - last < every) return
      last = Date.now()
      writing = write(progress)
        // A lost progress event does not stop the work. The runner notices by itself when the turn has ended.
        .catch(() => undefined)
        .finally(() => (writing = undefined))
    })
  } finally {
    await writing
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../lib/errors.ts'
import { findStoreTrouble, outlastTrouble } from '../../store/store-trouble.ts'
import type { FailureColumn } from '../../store/tables.ts'
import { failTurn } from './turns/end-turn.ts'
import { hostTrouble } from './turns/host-trouble.ts'
import type { HostTrouble } from './turns/host-trouble.ts'
import { parkTurn } from './turns/park-turn.ts'
import type { RunPorts } from './ports.ts'
import { forgetStart, runTurn } from './turns/run-turn.ts'
import { openSlice, rankOf } from './turns/slice.ts'
import type { Slice } from './turns/slice.ts'
import { TurnFailure, TurnLost, TurnYielded } from './turns/turn-failure.ts'
import { dueTurn } from './turns/turns.ts'
import type { TurnRow } from './turns/turns.ts'

const attempts = 3

/**
 * Runs the open turns of a job, one after the other, until none is left or other jobs have waited long enough: then it
 * queues up behind them. Ends quietly when another runner is faster, and while the turn waits for its git host. While the
 * database is away it waits, and goes on from the journal.
 * @throws when the process is about to end: the journal goes on from where it is next time
 */
export async function runJob(ports: RunPorts, jobId: string): Promise<void> {
  const slice = openSlice(ports, jobId)
  await outlastTrouble(ports.stopping, async () => {
    for (;;) {
      const turn = await dueTurn(ports.store.db, jobId)
      if (turn === undefined || !(await settleTurn(ports, turn, slice))) return
    }
  })
}

// True when the turn has come to its end here.
async function settleTurn(ports: RunPorts, turn: TurnRow, slice: Slice): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      await runTurn(ports, turn.id, slice)
      return true
    } catch (error) {
      if (error instanceof TurnLost) return false
      if (error instanceof TurnYielded) {
        const priority = -rankOf(error.steps, ports.limits)
        await ports.store.transaction((tx) => ports.queue.send(tx, 'job', turn.job_id, { priority }))
        return false
      }
      ports.stopping.throwIfAborted()
      const storeTrouble = findStoreTrouble(error)
      if (storeTrouble) {
        // A statement that is given up again and again may be the turn's own fault, a database that is away is not.
        if (storeTrouble.kind !== 'busy')
          await outlastTrouble(ports.stopping, () => forgetStart(ports.store, turn.id))
        throw error
      }
      const trouble = hostTrouble(error)
      const isLast = attempt === attempts || !mayPass(error)
      if (trouble && (isLast || trouble.persistent || turn.parks > 0))
        return waitForHost(ports, turn, trouble)
      if (isLast) {
        const failure = failureOf(error)
        if (failure.code === 'internal') ports.reportError?.(error)
        await failTurn(ports.store, turn, failure)
        return true
      }
      await delay(500 * attempt, undefined, { signal: ports.stopping })
    }
  }
}

// True when the turn has come to its end all the same: it has waited for too long.
async function waitForHost(ports: RunPorts, turn: TurnRow, trouble: HostTrouble): Promise<boolean> {
  try {
    await parkTurn(ports.store, turn, trouble)
    return false
  } catch (error) {
    if (error instanceof TurnLost) return false
    if (!(error instanceof TurnFailure)) throw error
    await failTurn(ports.store, turn, failureOf(error))
    return true
  }
}

// A turn goes on from its journal, so what may be gone a moment later (a busy lock, a lost connection) is tried again.
function mayPass(error: unknown): boolean {
  if (error instanceof TurnFailure) return false
  return !(error instanceof AppError) || error.code === 'unavailable' || error.code === 'internal'
}

function failureOf(error: unknown): FailureColumn {
  if (error instanceof TurnFailure) return { code: error.code, message: error.message }
  if (error instanceof AppError && error.code !== 'internal')
    return { code: 'repository', message: error.message }
  return {
    code: 'internal',
    message: 'Something went wrong in the server; its log has the details. Send a message to try again',
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../../lib/errors.ts'
import { requireMachine } from '../../../integrations/machine/machine.ts'
import { findStoreTrouble, outlastTrouble } from '../../../store/store-trouble.ts'
import type { FailureColumn } from '../../../store/tables.ts'
import { failTurn } from '../turns/end-turn.ts'
import { createStarts, type Starts } from './count-starts.ts'
import { ofMachine, parkTurn, passingTrouble, type PassingTrouble } from './park-turn.ts'
import type { RunPorts, Slice } from '../turns/turn-run.ts'
import { runTurn } from './run-turn.ts'
import { openSlice, rankOf } from '../turns/slice.ts'
import { TurnFailure, TurnLost, TurnYielded } from '../turns/turn-failure.ts'
import { dueTurn, type TurnRow } from '../turns.ts'

const attempts = 3

/**
 * Runs the open turns of a job, one after the other, until none is left or other jobs have waited long enough: then it
 * queues up behind them. Ends quietly when another runner is faster, and while the turn waits for its git host or the
 * machine. While nothing can be written to the database it waits itself, and goes on from the journal.
 * @throws when the process is about to end: the journal goes on from where it is next time
 */
export async function runJob(ports: RunPorts, jobId: string): Promise<void> {
  const run: JobRun = { slice: openSlice(ports, jobId), starts: createStarts(ports.store), givenUp: 0 }
  await outlastTrouble(ports.stopping, async () => {
    for (;;) {
      const turn = await dueTurn(ports.store.db, jobId)
      if (turn === undefined || !(await settleTurn(ports, turn, run))) return
    }
  })
}

interface JobRun {
  slice: Slice
  starts: Starts
  /** Statements that the database gave up. */
  givenUp: number
}

const mostGivenUp = 5

// True when the turn has come to its end here.
async function settleTurn(ports: RunPorts, turn: TurnRow, run: JobRun): Promise<boolean> {
  const { slice, starts } = run
  for (let attempt = 1; ; attempt++) {
    try {
      // Before anything is begun that would only need more of what is missing.
      requireMachine(ports.machine)
      await starts.count(turn.id)
      await runTurn(ports, turn.id, slice)
      return true
    } catch (error) {
      if (error instanceof TurnLost) return false
      if (error instanceof TurnYielded || ports.stopping.aborted) await starts.forget(turn.id)
      if (error instanceof TurnYielded) {
        const priority = -rankOf(error.steps, ports.limits)
        await ports.store.transaction((tx) => ports.queue.send(tx, 'job', turn.job_id, { priority }))
        return false
      }
      ports.stopping.throwIfAborted()
      const ofStore = findStoreTrouble(error)
      // A statement that is given up again and again may be the turn's own fault, a database that is away is not.
      if (ofStore && (ofStore.kind !== 'busy' || ++run.givenUp < mostGivenUp)) throw error
      const trouble = await troubleBehind(ports, error)
      const isLast = attempt === attempts || ofStore !== undefined || !mayPass(error)
      if (trouble && (isLast || trouble.persistent || turn.parks > 0)) {
        // Coming back is no new start after a crash.
        await starts.forget(turn.id)
        return waitFor(ports, turn, trouble)
      }
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

// What fails for want of room does not always say so: then the machine does.
async function troubleBehind(ports: RunPorts, error: unknown): Promise<PassingTrouble | undefined> {
  // A failure of the turn's own is none of the machine's, unless it came of it: a model that no socket was left for.
  const found = error instanceof TurnFailure ? undefined : await ports.machine.look(error)
  return found ? ofMachine(found, { persistent: true }) : passingTrouble(error)
}

// True when the turn has come to its end all the same: it has waited for too long.
async function waitFor(ports: RunPorts, turn: TurnRow, trouble: PassingTrouble): Promise<boolean> {
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

import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../../lib/errors.ts'
import { inSpan, measure } from '../../../lib/trace.ts'
import { requireMachine } from '../../../integrations/machine/machine.ts'
import { findStoreTrouble, outlastTrouble } from '../../../store/store-trouble.ts'
import type { FailureColumn } from '../../../store/columns.ts'
import { failTurn } from '../turns/end-turn.ts'
import { createStartCounter, type StartCounter } from './count-starts.ts'
import { ofMachine, parkTurn, passingTrouble, type PassingTrouble } from './park-turn.ts'
import type { RunPorts, TimeSlice } from '../turns/turn-run.ts'
import { runTurn } from './run-turn.ts'
import { startTimeSlice, slicesUsed } from '../turns/time-slice.ts'
import { codeOfRefusal, TurnFailure, TurnLost, TurnYielded } from '../turns/turn-failure.ts'
import { yieldTurn } from '../turns/job-claims.ts'
import { readJob } from '../jobs.ts'
import { isOfPush, isRefusalOfGit } from '../../../integrations/git/remotes/explain-remote-failure.ts'
import { dueTurn, readTurn, type TurnRow } from '../turns.ts'

const attempts = 3

/**
 * Runs the open turns of a job one after the other until none is left, or until other jobs have waited long enough:
 * then it queues the job again behind them. Returns when another runner is faster, and while the turn waits for its
 * git host, its model or the machine. While the database cannot be written to it waits, and then continues from the journal.
 * @throws when the process is about to end: the next start continues from the journal
 */
export async function runJob(ports: RunPorts, jobId: string): Promise<void> {
  const run: JobRun = {
    slice: startTimeSlice(ports, jobId),
    starts: createStartCounter(ports.store),
    givenUp: 0,
  }
  await outlastTrouble(ports.stopping, async () => {
    for (;;) {
      const turn = await dueTurn(ports.store.db, jobId)
      if (turn === undefined || !(await attemptTurn(ports, turn, run))) return
      await measureTurn(ports, turn.id)
    }
  })
}

interface JobRun {
  slice: TimeSlice
  starts: StartCounter
  /** How many statements the database gave up. */
  givenUp: number
}

const mostGivenUp = 5

// Returns true when the turn has ended here.
async function attemptTurn(ports: RunPorts, turn: TurnRow, run: JobRun): Promise<boolean> {
  const { slice, starts } = run
  for (let attempt = 1; ; attempt++) {
    try {
      // Checked before starting work that would need more of what the machine lacks.
      requireMachine(ports.machine)
      await starts.count(turn.id)
      await inSpan(
        'turn',
        { 'docwright.job': turn.job_id, 'docwright.turn': turn.id },
        () => runTurn(ports, turn.id, slice),
        { link: turn.traceparent ?? undefined },
      )
      return true
    } catch (caught) {
      if (caught instanceof TurnLost) return false
      const explained = await withHostsWords(ports, turn, caught)
      const mayPass = explained instanceof MayPass
      const error = mayPass ? explained.refusal : explained
      if (error instanceof TurnYielded || ports.stopping.aborted) await starts.forget(turn.id)
      if (error instanceof TurnYielded) {
        const slices = slicesUsed(error.steps, ports.limits)
        await ports.store.transaction((tx) => yieldTurn(tx, turn.id, slices))
        return false
      }
      ports.stopping.throwIfAborted()
      const ofStore = findStoreTrouble(error)
      // The turn itself may be the reason why statements are given up repeatedly, but not why a database is away.
      if (ofStore && (ofStore.kind !== 'busy' || ++run.givenUp < mostGivenUp)) throw error
      const trouble = await findTrouble(ports, error)
      const isLast = attempt === attempts || ofStore !== undefined || !(mayPass || isRetryable(error))
      if (trouble && (isLast || trouble.persistent || turn.parks > 0)) {
        // Resuming later must not count as a start after a crash.
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

/** A refusal in the words of the host: git takes many mistakes of the credential for a missing repository. */
async function withHostsWords(
  ports: RunPorts,
  { id, job_id: jobId }: TurnRow,
  error: unknown,
): Promise<unknown> {
  const isRefused = error instanceof TurnFailure && askedAbout.has(error.code)
  if (ports.stopping.aborted || !(isRefused || isRefusalOfGit(error))) return error
  const job = await readJob(ports.store.db, jobId)
  const wanted = isRefused || isOfPush(error) ? 'push' : 'read'
  const why = job && (await ports.askHostWhy(job.project_id, wanted))
  if (why?.type === 'refused') {
    if (why.error.code === 'unavailable') return why.error
    const code = codeOfRefusal(why.error, 'permission_missing')
    const hasChanges = (await readTurn(ports.store.db, id))?.publication != null
    const advice = hasChanges ? adviceWithChanges : adviceWithoutChanges
    return new TurnFailure(code, `${why.error.message}. ${advice}`, { cause: error })
  }
  // The next attempt has the new name, which another process may have found.
  const mayPass = why?.type === 'renamed' || (why?.type === 'nothing' && !isRefused)
  return mayPass && error instanceof Error ? new MayPass(error) : error
}

/** A refusal that may be over at once. */
class MayPass extends Error {
  readonly refusal: Error

  constructor(refusal: Error) {
    super(refusal.message, { cause: refusal })
    this.refusal = refusal
  }
}

const askedAbout: ReadonlySet<string> = new Set(['push_refused', 'host_refused'])
const adviceWithChanges = 'What the agent changed is kept: send a message to try again'
const adviceWithoutChanges = 'Send a message to try again'

// From its first start to its end, whichever processes worked on it and whatever it waited for.
async function measureTurn({ store }: RunPorts, turnId: string): Promise<void> {
  const turn = await readTurn(store.db, turnId)
  if (!turn?.finished_at || turn.failure?.code === 'cancelled') return
  const outcome = turn.status === 'failed' ? 'failed' : (turn.outcome ?? turn.status)
  const seconds = (turn.finished_at.getTime() - (turn.started_at ?? turn.created_at).getTime()) / 1000
  const code = turn.failure?.code
  measure(
    'turn ended',
    { 'docwright.outcome': outcome, ...(code !== undefined && { 'error.type': code }) },
    seconds,
  )
}

// An error for lack of disk space or memory does not always say so, so the machine is checked.
async function findTrouble(ports: RunPorts, error: unknown): Promise<PassingTrouble | undefined> {
  // The turn's own failures have nothing to do with the machine, except those that it caused, such as a model call
  // without a free socket.
  const trouble = error instanceof TurnFailure ? undefined : await ports.machine.look(error)
  return trouble ? ofMachine(trouble, { persistent: true }) : passingTrouble(error)
}

// Returns true when the turn has ended after all, because it has waited for too long.
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

// A turn continues from its journal, so errors that may pass within moments (a busy lock, a lost connection) are
// retried.
function isRetryable(error: unknown): boolean {
  if (error instanceof TurnFailure) return false
  return !(error instanceof AppError) || error.code === 'unavailable' || error.code === 'internal'
}

function failureOf(error: unknown): FailureColumn {
  if (error instanceof TurnFailure) {
    const { code, message, files } = error
    return { code, message, ...(files !== undefined && { files }) }
  }
  if (error instanceof AppError && error.code !== 'internal')
    return { code: codeOfRefusal(error, 'repository'), message: error.message }
  return {
    code: 'internal',
    message: 'Something went wrong in the server; its log has the details. Send a message to try again',
  }
}

import { sql } from 'kysely'
import type { Store } from '../../../store/database.ts'
import { requireOpenTurn } from '../turns/end-turn.ts'
import { appendEvents } from '../events.ts'
import { lockJob, updateJob } from '../jobs.ts'
import { ModelAway, TurnFailure } from '../turns/turn-failure.ts'
import { updateTurn, type TurnRow } from '../turns.ts'
import { HostFailure } from '../../../integrations/forges/http/host-failure.ts'
import { RemoteUnreachable } from '../../../integrations/git/remotes/explain-remote-failure.ts'
import { machineTrouble, type Trouble } from '../../../lib/machine-trouble.ts'
import { timeText } from '../../../lib/text/time-words.ts'
import { findStoreTrouble } from '../../../store/store-trouble.ts'
import type { PassingTroubleColumn } from '../../../store/columns.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/**
 * Milliseconds between attempts, and in total. Hosts limit requests, so they are asked rarely; the machine is
 * checked often, and for longer than a weekend. The total of a model is that of the whole turn.
 */
const retrySchedule = {
  host: { waits: [1, 5, 15, 30, 60].map((minutes) => minutes * minute), most: 6 * hour },
  model: { waits: [15, 30, 60, 120, 300, 600].map((seconds) => seconds * second), most: hour },
  machine: { waits: [5, 15, 30, 60].map((seconds) => seconds * second), most: 72 * hour },
} as const

/**
 * Parks a turn until its host, its model or the machine may work again. No process works on it meanwhile, and the sweep
 * resumes it when its time has come.
 * @throws TurnFailure when that would take too long, TurnLost when the turn has ended
 */
export async function parkTurn(store: Store, turn: TurnRow, trouble: PassingTrouble): Promise<void> {
  await store.transaction(async (tx) => {
    await lockJob(tx, turn.job_id)
    const row = await requireOpenTurn(tx, turn.id)
    const goesOn = row.parked_for === trouble.of
    const parks = goesOn ? row.parks : 0
    const now = Date.now()
    const wait = waitFor(trouble, parks, now)
    const since = (goesOn ? row.parked_since?.getTime() : undefined) ?? now
    const waited = trouble.of === 'model' ? row.waited_for_model * second : now - since
    if (waited + wait > retrySchedule[trouble.of].most) throw gaveUp(trouble, waited)
    const seconds = Math.ceil(wait / second)
    await updateTurn(tx, turn.id, {
      parked_until: sql<Date>`now() + make_interval(secs => ${seconds}::int)`,
      parked_since: new Date(since),
      parked_for: trouble.of,
      parks: parks + 1,
      ...(trouble.of === 'model' && { waited_for_model: row.waited_for_model + seconds }),
    })
    const until = new Date(now + seconds * second)
    // The machine is checked every minute, and one event about it is enough.
    if (trouble.of === 'machine' && parks > 0) return
    await appendEvents(tx, turn.job_id, row.n, [
      {
        type: 'turn.waiting',
        data: { reason: trouble.reason, until: until.toISOString(), message: messageFor(trouble, until) },
      },
    ])
    await updateJob(tx, turn.job_id)
  })
}

// Whoever refuses again after the time that it named gets a longer pause than it asks for.
function waitFor({ of, retryAt }: PassingTrouble, parks: number, now: number): number {
  const usual = atMostLast(retrySchedule[of].waits, retryAt === undefined ? parks : parks - 1)
  return Math.max(usual, (retryAt?.getTime() ?? now) - now)
}

function atMostLast(waits: readonly number[], index: number): number {
  return waits[Math.min(index, waits.length - 1)] ?? 0
}

function messageFor({ of, message }: PassingTrouble, until: Date): string {
  const time = of === 'machine' ? 'soon after that is over' : `at ${timeOf(until)}`
  return `${message}. Nothing has to be done${of === 'machine' ? ' here' : ''}: the turn continues automatically ${time}`
}

function timeOf(date: Date): string {
  return `${date.toISOString().slice(11, 16)} UTC`
}

function gaveUp({ of, reason, message, retryAt }: PassingTrouble, waited: number): TurnFailure {
  const hours = Math.round(waited / hour)
  const tried = hours === 0 ? '' : ` It was tried for ${hours === 1 ? 'an hour' : `${hours} hours`}.`
  const late =
    of === 'model' && retryAt !== undefined
      ? ` It doesn’t accept calls before ${timeText(retryAt)}, and a turn waits for an hour in all.`
      : ''
  return new TurnFailure(
    of === 'model' ? 'model_error' : reason === 'overloaded' ? 'internal' : 'repository',
    `${message}.${tried}${late} What was done is kept: send a message to continue from it`,
  )
}

/** Why a turn cannot continue now but may later: trouble with its git host, its model or this machine. */
export interface PassingTrouble {
  of: PassingTroubleColumn
  reason: 'rate_limit' | 'unreachable' | 'overloaded' | Trouble['reason']
  message: string
  /** When the host or the model can be asked again, if it says so. */
  retryAt?: Date | undefined
  /** The request was already repeated, so an immediate retry is useless. */
  persistent: boolean
}

/** Undefined for every other error, and for trouble that does not pass by waiting. */
export function passingTrouble(error: unknown): PassingTrouble | undefined {
  const ofStore = findStoreTrouble(error)
  if (ofStore) {
    const message = 'The database gives up what this job asks of it'
    return { of: 'machine', reason: 'overloaded', message, persistent: true }
  }
  // The machine is checked first: a fetch without disk space looks as if its host had closed the connection.
  const trouble = machineTrouble(error)
  if (trouble) return ofMachine(trouble, { persistent: false })
  if (error instanceof ModelAway) {
    const { reason, message, retryAt } = error
    return { of: 'model', reason, message, retryAt, persistent: true }
  }
  if (error instanceof RemoteUnreachable && error.passing)
    return { of: 'host', reason: 'unreachable', message: error.message, persistent: false }
  if (!(error instanceof HostFailure) || error.code !== 'unavailable' || !error.passing) return undefined
  const { message, retryAt } = error
  const reason = retryAt === undefined ? 'unreachable' : 'rate_limit'
  return { of: 'host', reason, message, retryAt, persistent: true }
}

export function ofMachine(trouble: Trouble, { persistent }: { persistent: boolean }): PassingTrouble {
  return { of: 'machine', ...trouble, persistent }
}

import { sql } from 'kysely'
import type { Store } from '../../../store/database.ts'
import { requireOpenTurn } from './end-turn.ts'
import { appendEvents } from '../events.ts'
import type { HostTrouble } from './host-trouble.ts'
import { lockJob, updateJob } from '../jobs.ts'
import { TurnFailure } from './turn-failure.ts'
import { updateTurn } from './turns.ts'
import type { TurnRow } from './turns.ts'

const minute = 60_000
const waits = [1, 5, 15, 30, 60].map((minutes) => minutes * minute)
/** Hours for one piece of trouble, all its waits together. */
const mostHours = 6

/**
 * Puts a turn away until its host may answer again; nobody works on it meanwhile, and the sweep takes it up at the time.
 * @throws TurnFailure when that would take too long, TurnLost when the turn has ended
 */
export async function parkTurn(store: Store, turn: TurnRow, trouble: HostTrouble): Promise<void> {
  await store.transaction(async (tx) => {
    await lockJob(tx, turn.job_id)
    const row = await requireOpenTurn(tx, turn.id)
    const now = Date.now()
    const wait = waitFor(trouble, row.parks, now)
    const since = row.parked_since?.getTime() ?? now
    if (now + wait - since > mostHours * 60 * minute) throw gaveUp(trouble, now - since)
    const seconds = Math.ceil(wait / 1000)
    await updateTurn(tx, turn.id, {
      parked_until: sql<Date>`now() + make_interval(secs => ${seconds}::int)`,
      parked_since: new Date(since),
      parks: row.parks + 1,
      // Coming back is no new start after a crash.
      starts: 0,
    })
    const until = new Date(now + seconds * 1000)
    const time = until.toISOString().slice(11, 16)
    const message = `${trouble.message}. Nothing has to be done: the turn goes on by itself at ${time} UTC`
    await appendEvents(tx, turn.job_id, row.n, [
      { type: 'turn.waiting', data: { reason: trouble.reason, until: until.toISOString(), message } },
    ])
    await updateJob(tx, turn.job_id)
  })
}

// A host that names a time and then refuses again is given more than it asks for.
function waitFor({ retryAt }: HostTrouble, parks: number, now: number): number {
  const usual = waits[Math.min(retryAt === undefined ? parks : parks - 1, waits.length - 1)] ?? 0
  return Math.max(usual, (retryAt?.getTime() ?? now) - now)
}

function gaveUp({ message }: HostTrouble, waited: number): TurnFailure {
  const hours = Math.round(waited / (60 * minute))
  const tried = hours === 0 ? '' : ` It was tried for ${hours === 1 ? 'an hour' : `${hours} hours`}.`
  return new TurnFailure(
    'repository',
    `${message}.${tried} What was done is kept: send a message to go on from it`,
  )
}

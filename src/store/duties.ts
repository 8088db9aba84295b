import { sql } from 'kysely'
import { newId } from '../lib/ids.ts'
import { repeat } from '../lib/pause.ts'
import { outsideAct } from './acts.ts'
import { json, type Store } from './database.ts'

/** Work that one process does for all that share the database, as long as that process lives. */
export interface Duties {
  /** Whether this process has the duty now. */
  has(name: string): boolean
}

/** Seconds after which another process takes over from one that has ended. A living one renews well before. */
const lease = 10
/** Milliseconds. */
const renewEvery = 3000
/** Milliseconds by which a duty ends here before it does for others. */
const margin = 1500

/**
 * Takes the duties that no other process has, and keeps them until `stopping` aborts.
 * @param wanted the duties that this process is able to do at present
 */
export function createDuties(
  store: Pick<Store, 'transaction'>,
  wanted: () => readonly string[],
  stopping: AbortSignal,
  reportError: (error: unknown) => void,
): Duties {
  const holder = newId('dut')
  const until = new Map<string, number>()
  /** @returns milliseconds until the next look */
  const renew = async (): Promise<number> => {
    // Measured before the question, so that the duty never seems to last longer than it does.
    const end = performance.now() + lease * 1000 - margin
    const { held, freeIn } = await outsideAct(() => takeDuties(store, holder, wanted()))
    for (const name of until.keys()) if (!held.includes(name)) until.delete(name)
    for (const name of held) until.set(name, end)
    // The holder has most likely ended where its duty does, and is replaced at that moment.
    return Math.min(renewEvery, freeIn ?? renewEvery)
  }
  const loop = async (): Promise<void> => {
    await repeat(stopping, () =>
      // While the database is away, duties end by the clock.
      renew().catch((error: unknown) => {
        if (!stopping.aborted) reportError(error)
        return renewEvery
      }),
    )
    until.clear()
    await outsideAct(() =>
      store.transaction((tx) => sql`delete from duties where holder = ${holder}`.execute(tx)),
    )
  }
  loop().catch(() => undefined)
  return { has: (name) => !stopping.aborted && (until.get(name) ?? 0) > performance.now() }
}

/** @returns those that the holder has now, and milliseconds until the first of the others could be taken */
export async function takeDuties(
  store: Pick<Store, 'transaction'>,
  holder: string,
  names: readonly string[],
): Promise<{ held: string[]; freeIn: number | undefined }> {
  const { rows } = await store.transaction((tx) =>
    sql<{ held: string[]; freeIn: number | null }>`
      with wanted as (select value as name from jsonb_array_elements_text(${json(names)})),
      taken as (
        insert into duties (name, holder, held_until)
        select name, ${holder}, clock_timestamp() + make_interval(secs => ${lease}) from wanted order by name
        on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
          where duties.holder = excluded.holder or duties.held_until < clock_timestamp()
        returning name
      )
      select (select coalesce(jsonb_agg(name order by name), '[]') from taken) as held, (
        -- A moment later, so that it has ended by then.
        select extract(epoch from min(held_until) - clock_timestamp())::float8 * 1000 + 50 from duties
        where name in (select name from wanted) and holder <> ${holder} and held_until >= clock_timestamp()
      ) as "freeIn"
    `.execute(tx),
  )
  return { held: rows[0]?.held ?? [], freeIn: rows[0]?.freeIn ?? undefined }
}

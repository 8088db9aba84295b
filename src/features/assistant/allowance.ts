import { sql } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import type { Tx } from '../../store/database.ts'

/** Tokens that are reserved for an answer, across all processes, until it is recorded. */
export interface Allowance {
  /** Tokens that the answer may use; undefined: no limit. */
  tokens?: number
  /** In the transaction that records what was used. */
  giveBack(tx: Tx): Promise<void>
}

/**
 * The tokens of a long answer. They are reserved while one is under way, so that many answers at once cannot exceed
 * the limit.
 */
const perAnswer = 100_000
/** Seconds after which an answer no longer counts as under way, in case its process died. */
const longestAnswer = 600

/**
 * Keeps answers within a project's tokens of the day (UTC).
 * @returns a function that reserves the allowance of one answer in the transaction of its question; it returns
 * undefined when none is left
 */
export function createAllowance(
  onError: (error: unknown) => void,
): (
  tx: Tx,
  project: { id: string; domain: string },
  perDay: number | undefined,
) => Promise<Allowance | undefined> {
  const reportedDay = new Map<string, string>()
  return async (tx, { id, domain }, perDay) => {
    if (perDay === undefined) return { giveBack: () => Promise.resolve() }
    const scope = `assistant-tokens:${id}`
    const { day, tokens, taken } = await takeSlot(tx, id, scope, perDay)
    if (taken)
      return {
        tokens: Math.min(perAnswer, perDay - tokens),
        async giveBack(later) {
          await sql`
            delete from limit_uses where scope = ${scope} and slot = ${taken.slot} and used_at = ${taken.at}::timestamptz
          `.execute(later)
        },
      }
    if (tokens >= perDay && reportedDay.get(id) !== day) {
      reportedDay.set(id, day)
      onError(
        new AppError(
          'rate_limited',
          `The assistant of ${domain} has used its ${perDay} tokens of ${day}; until midnight UTC it answers with excerpts`,
        ),
      )
    }
    return undefined
  }
}

interface Today {
  day: string
  tokens: number
  taken: { slot: number; at: string } | undefined
}

/**
 * Each answer under way has a slot. Only as many slots may be taken as answers fit into the tokens that are left,
 * and no two answers get the same one. Transactions only wait for each other when they try the same slot at once.
 */
async function takeSlot(tx: Tx, projectId: string, scope: string, perDay: number): Promise<Today> {
  for (;;) {
    const { rows } = await sql<{
      day: string
      tokens: number
      wanted: number | null
      slot: number | null
      at: string | null
    }>`
      with kept as (
        insert into limits (scope, uses, used_at) select ${scope}, 0, now()
        where not exists (select from limits where scope = ${scope} and used_at > now() - interval '1 day')
        on conflict (scope) do update set used_at = excluded.used_at
      ),
      today as (
        select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day,
          (select coalesce(sum(input_tokens + output_tokens), 0)::bigint from usage_days
            where project_id = ${projectId} and surface = 'assistant' and model <> 'builtin'
              and day = to_char(now() at time zone 'UTC', 'YYYY-MM-DD')) as tokens
      ),
      held as (
        select slot from limit_uses where scope = ${scope} and used_at > ${longAgo}
      ),
      room as (
        select held, ceil((${perDay}::bigint - tokens)::float8 / ${perAnswer}::int) - held as places
        from today, (select count(*)::int as held from held) as counted
      ),
      wanted as (
        select slot from (
          select slot from room, generate_series(0, held + ${choice}::int) as slot
          where slot not in (select slot from held)
          order by slot limit (select greatest(0, least(places, ${choice}::int)) from room)
        ) as free
        order by random() limit 1
      ),
      taken as (
        insert into limit_uses (scope, slot, used_at) select ${scope}, slot, clock_timestamp() from wanted
        on conflict (scope, slot) do update set used_at = excluded.used_at where limit_uses.used_at <= ${longAgo}
        returning slot, used_at::text as at
      )
      select day, tokens, wanted.slot as wanted, taken.slot, taken.at
      from today left join wanted on true left join taken on true
    `.execute(tx)
    const { day = '', tokens = 0, wanted = null, slot = null, at = null } = rows[0] ?? {}
    if (slot !== null && at !== null) return { day, tokens, taken: { slot, at } }
    // The next statement sees that another transaction was faster.
    if (wanted === null) return { day, tokens, taken: undefined }
  }
}

/** The number of free slots to choose from, so that two transactions seldom try the same. */
const choice = 64

const longAgo = sql`clock_timestamp() - make_interval(secs => ${longestAnswer}::int)`

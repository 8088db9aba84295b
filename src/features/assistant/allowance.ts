import { sql } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import type { Tx } from '../../store/database.ts'

/** Tokens that are set aside for an answer, on every process, until it is recorded. */
export interface Allowance {
  /** In the transaction that records what was used. */
  giveBack(tx: Tx): Promise<void>
}

/** What a long answer uses: set aside while one is on its way, so that many at once do not all slip through. */
const perAnswer = 100_000
/** Seconds after which an answer is on its way no more, whatever became of its process. */
const longestAnswer = 600

/**
 * Keeps answers within a project's tokens of the day (UTC).
 * @returns takes the allowance for one answer in the transaction of its question; undefined: none is left
 */
export function createAllowance(
  onError: (error: unknown) => void,
): (
  tx: Tx,
  project: { id: string; domain: string },
  perDay: number | undefined,
) => Promise<Allowance | undefined> {
  const told = new Map<string, string>()
  return async (tx, { id, domain }, perDay) => {
    if (perDay === undefined) return { giveBack: () => Promise.resolve() }
    const scope = `assistant-tokens:${id}`
    const slot = await lockProject(tx, scope)
    const { day, tokens, answers } = await usedToday(tx, id, scope)
    if (tokens + answers * perAnswer < perDay) {
      await sql`
        insert into limit_uses (scope, slot, used_at) values (${scope}, ${slot}, clock_timestamp())
        on conflict (scope, slot) do update set used_at = excluded.used_at
      `.execute(tx)
      return {
        async giveBack(later) {
          await later.deleteFrom('limit_uses').where('scope', '=', scope).where('slot', '=', slot).execute()
        },
      }
    }
    if (tokens >= perDay && told.get(id) !== day) {
      told.set(id, day)
      onError(
        new AppError(
          'rate_limited',
          `The assistant of ${domain} has used its ${perDay} tokens of ${day}; until midnight UTC it answers with passages`,
        ),
      )
    }
    return undefined
  }
}

/** Makes takers of one project wait for each other, on every process. @returns a number that only this one has */
async function lockProject(tx: Tx, scope: string): Promise<number> {
  const { rows } = await sql<{ uses: number }>`
    insert into limits (scope, uses, used_at) values (${scope}, 1, clock_timestamp())
    on conflict (scope) do update set uses = limits.uses + 1, used_at = excluded.used_at
    returning uses
  `.execute(tx)
  await sql`
    delete from limit_uses
    where scope = ${scope} and used_at < clock_timestamp() - make_interval(secs => ${longestAnswer}::int)
  `.execute(tx)
  return (rows[0]?.uses ?? 1) % 2 ** 31
}

async function usedToday(
  tx: Tx,
  projectId: string,
  scope: string,
): Promise<{ day: string; tokens: number; answers: number }> {
  const { rows } = await sql<{ day: string; tokens: number; answers: number }>`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day,
      (select coalesce(sum(input_tokens + output_tokens), 0)::bigint from usage_days
        where project_id = ${projectId} and surface = 'assistant' and model <> 'builtin'
          and day = to_char(now() at time zone 'UTC', 'YYYY-MM-DD')) as tokens,
      (select count(*) from limit_uses where scope = ${scope}) as answers
  `.execute(tx)
  return rows[0] ?? { day: '', tokens: 0, answers: 0 }
}

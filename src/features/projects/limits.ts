import { sql } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import type { Reader, Tx } from '../../store/database.ts'

/** At most `count` uses in any window of `seconds`, by the database's clock. */
export interface Limit {
  /** As response headers name it. */
  name: string
  count: number
  seconds: number
}

export const limits = {
  jobCreate: { name: 'job-create', count: 100, seconds: 3600 },
  jobMessage: { name: 'job-message', count: 100, seconds: 3600 },
  assistantOrganization: { name: 'assistant-organization', count: 10_000, seconds: 3600 },
  assistantAddress: { name: 'assistant-address', count: 10_000, seconds: 86_400 },
} satisfies Record<string, Limit>

/** What one may hold at the same time of something that all have together. */
export interface Share {
  /** As response headers name it. */
  name: string
  count: number
  unit: 'concurrent-requests' | 'content-bytes'
}

const windows: Record<number, string> = { 60: 'minute', 3600: 'hour', 86_400: 'day' }

/** Thrown when a limit is reached; whatever the transaction did is undone, so a refused request does not count. */
export class LimitError extends AppError {
  readonly limit: Limit | Share
  /** Whole seconds until there is room. */
  readonly retryAfter: number

  constructor(limit: Limit, wait: number)
  constructor(share: Share, wait: number, message: string)
  constructor(limit: Limit | Share, wait: number, message?: string) {
    const retryAfter = Math.max(1, Math.ceil(wait))
    const window = 'seconds' in limit ? windows[limit.seconds] : undefined
    super(
      'rate_limited',
      message ??
        `The limit of ${limit.count} requests per ${window} is reached (${limit.name}); try again in ${retryAfter} s`,
    )
    this.limit = limit
    this.retryAfter = retryAfter
  }
}

/** Looks without taking, so that a full limit is said before the body is read. @throws LimitError */
export async function lookAtLimit(db: Reader, limit: Limit, subject: string): Promise<void> {
  const { rows } = await sql<{ wait: number }>`
    select extract(epoch from (u.used_at + make_interval(secs => ${limit.seconds}::int) - clock_timestamp()))::float8 as wait
    from limits l join limit_uses u on u.scope = l.scope and u.slot = l.uses % ${limit.count}::int
    where l.scope = ${scopeOf(limit, subject)}
  `.execute(db)
  const wait = rows[0]?.wait ?? 0
  if (wait > 0) throw new LimitError(limit, wait)
}

/** Takes one use in the transaction that does what is limited; undone with it. @throws LimitError */
export async function takeLimit(tx: Tx, limit: Limit, subject: string): Promise<void> {
  const scope = scopeOf(limit, subject)
  // The row's lock makes takers of one scope wait for each other, on every process.
  const { rows } = await sql<{ uses: number }>`
    insert into limits (scope, uses, used_at) values (${scope}, 1, clock_timestamp())
    on conflict (scope) do update set uses = limits.uses + 1, used_at = excluded.used_at
    returning uses
  `.execute(tx)
  const slot = ((rows[0]?.uses ?? 1) - 1) % limit.count
  // The slot's last use is the oldest that can still count. A write that finds it too young changes no row.
  const taken = await sql<{ slot: number }>`
    insert into limit_uses (scope, slot, used_at) values (${scope}, ${slot}, clock_timestamp())
    on conflict (scope, slot) do update set used_at = excluded.used_at
      where limit_uses.used_at <= clock_timestamp() - make_interval(secs => ${limit.seconds}::int)
    returning slot
  `.execute(tx)
  if (taken.rows.length > 0) return
  const full = await sql<{ wait: number }>`
    select extract(epoch from (used_at + make_interval(secs => ${limit.seconds}::int) - clock_timestamp()))::float8 as wait
    from limit_uses where scope = ${scope} and slot = ${slot}
  `.execute(tx)
  throw new LimitError(limit, full.rows[0]?.wait ?? 1)
}

/** Forgets scopes that no window reaches any more, such as addresses of yesterday. */
export async function deleteStaleLimits(tx: Tx): Promise<void> {
  await sql`delete from limits where used_at < now() - interval '2 days'`.execute(tx)
}

function scopeOf(limit: Limit, subject: string): string {
  return `${limit.name}:${subject}`
}

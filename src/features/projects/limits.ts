import { sql, type RawBuilder } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import type { Reader, Tx } from '../../store/database.ts'

/** At most `count` uses in any window of `seconds`, by the database's clock. */
export interface Limit {
  /** As response headers name it. */
  name: string
  count: number
  seconds: number
  /** What is said when it is reached, instead of how many requests it allows. */
  reached?: string
}

export const limits = {
  jobCreate: { name: 'job-create', count: 100, seconds: 3600 },
  jobMessage: { name: 'job-message', count: 100, seconds: 3600 },
  assistantOrganization: { name: 'assistant-organization', count: 10_000, seconds: 3600 },
  assistantReader: { name: 'assistant-reader', count: 60, seconds: 3600 },
  assistantPages: { name: 'assistant-pages', count: 2000, seconds: 86_400 },
  assistantAddress: { name: 'assistant-address', count: 10_000, seconds: 86_400 },
  signInAddress: {
    name: 'sign-in-address',
    count: 10,
    seconds: 60,
    reached: 'Too many attempts to sign in from this address',
  },
  wrongPasswords: {
    name: 'wrong-passwords',
    count: 30,
    seconds: 900,
    reached: 'Too many wrong passwords for this account from your network. Wait, or sign in another way',
  },
  wrongPasswordsAnywhere: {
    name: 'wrong-passwords-anywhere',
    count: 1000,
    seconds: 86_400,
    reached:
      'Too many wrong passwords for this account. Sign in from a network where you have signed in before, or another way',
  },
} satisfies Record<string, Limit>

/** How much of a shared resource one caller may hold at the same time. */
export interface Share {
  /** As response headers name it. */
  name: string
  count: number
  unit: 'concurrent-requests' | 'content-bytes'
}

const windows: Record<number, string> = { 60: 'minute', 3600: 'hour', 86_400: 'day' }

/** Thrown when a limit is reached. The transaction is rolled back, so a refused request does not count. */
export class LimitError extends AppError {
  readonly limit: Limit | Share
  /** Whole seconds until the next request is allowed. */
  readonly retryAfter: number

  constructor(limit: Limit, wait: number)
  constructor(share: Share, wait: number, message: string)
  constructor(limit: Limit | Share, wait: number, message?: string) {
    const retryAfter = Math.max(1, Math.ceil(wait))
    super(
      'rate_limited',
      message ?? `${'seconds' in limit ? saidOf(limit) : ''}; try again in ${retryAfter} s`,
    )
    this.limit = limit
    this.retryAfter = retryAfter
  }
}

function saidOf({ name, count, seconds, reached }: Limit): string {
  return reached ?? `The limit of ${count} requests per ${windows[seconds]} is reached (${name})`
}

/** One use of a limit by its subject: a project, an organization, an address. */
export interface LimitUse {
  limit: Limit
  subject: string
}

/**
 * Checks limits without counting, so that a reached limit is reported before the body is read.
 * @throws LimitError for the first reached limit
 */
export async function checkLimits(db: Reader, uses: readonly LimitUse[]): Promise<void> {
  const { rows } = await sql<Refusal>`
    with ${asked(uses)}
    select a.scope, ${waitFor(sql`u.used_at`)} as wait
    from asked a join limits l using (scope) join limit_uses u on u.scope = a.scope and u.slot = l.uses % a.count
    where u.used_at > clock_timestamp() - make_interval(secs => a.seconds)
  `.execute(db)
  refuse(uses, rows)
}

/**
 * Counts one use of each limit in the transaction of the limited action; a rollback undoes it. The rows of the
 * limits stay locked until the end of the transaction, and other transactions wait for them, so call this last.
 * @throws LimitError for the first reached limit
 */
export async function countLimits(tx: Tx, uses: readonly LimitUse[]): Promise<void> {
  // All transactions lock in the same order, or two of them could deadlock. The last use of a slot is the oldest
  // that can still count; if it is too recent, the update changes no row. The final select sees the rows from
  // before these writes: a slot that was missing or free then has just been taken by another transaction.
  const { rows } = await sql<Refusal>`
    with ${asked(uses)},
    counted as (
      insert into limits (scope, uses, used_at) select scope, 1, clock_timestamp() from asked order by scope
      on conflict (scope) do update set uses = limits.uses + 1, used_at = excluded.used_at
      returning scope, uses
    ),
    slots as (
      select scope, ((c.uses - 1) % a.count)::int as slot, a.seconds from counted c join asked a using (scope)
    ),
    taken as (
      insert into limit_uses (scope, slot, used_at) select scope, slot, clock_timestamp() from slots
      on conflict (scope, slot) do update set used_at = excluded.used_at
        where limit_uses.used_at <= clock_timestamp() - make_interval(secs =>
          (select a.seconds from asked a where a.scope = excluded.scope))
      returning scope
    )
    select a.scope, case when u.used_at > clock_timestamp() - make_interval(secs => a.seconds)
      then ${waitFor(sql`u.used_at`)} else a.seconds end as wait
    from slots a left join limit_uses u using (scope, slot)
    where a.scope not in (select scope from taken)
  `.execute(tx)
  refuse(uses, rows)
}

/** Takes the newest use of a limit back, because it turned out to be none. */
export async function giveBackLimit(tx: Tx, use: LimitUse): Promise<void> {
  const scope = scopeOf(use)
  await sql`
    with back as (update limits set uses = uses - 1 where scope = ${scope} and uses > 0 returning uses)
    delete from limit_uses using back where scope = ${scope} and slot = back.uses % ${use.limit.count}::int
  `.execute(tx)
}

interface Refusal {
  scope: string
  wait: number
}

function refuse(uses: readonly LimitUse[], refusals: readonly Refusal[]): void {
  for (const use of uses) {
    const refusal = refusals.find(({ scope }) => scope === scopeOf(use))
    if (refusal) throw new LimitError(use.limit, refusal.wait)
  }
}

function asked(uses: readonly LimitUse[]): RawBuilder<unknown> {
  const rows = uses.map(
    (use) => sql`(${scopeOf(use)}::text, ${use.limit.count}::int, ${use.limit.seconds}::int)`,
  )
  return sql`asked (scope, count, seconds) as (values ${sql.join(rows)})`
}

function waitFor(usedAt: RawBuilder<unknown>): RawBuilder<number> {
  return sql`extract(epoch from (${usedAt} + make_interval(secs => a.seconds) - clock_timestamp()))::float8`
}

/** Deletes scopes that are older than every window, such as addresses of yesterday. */
export async function deleteStaleLimits(tx: Tx): Promise<void> {
  await sql`delete from limits where used_at < now() - interval '2 days'`.execute(tx)
}

function scopeOf({ limit, subject }: LimitUse): string {
  return `${limit.name}:${subject}`
}

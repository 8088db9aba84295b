import { sql, type RawBuilder } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import { json, type Reader, type Tx } from '../../store/database.ts'

/** At most `count` uses in any window of `seconds`, by the database's clock. */
export interface Limit {
  /** As response headers name it. */
  name: string
  count: number
  seconds: number
  /** What is said when it is reached, instead of how many requests it allows. */
  reached?: string
}

/** Their sizes as they are unless the operator chooses others. */
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
  /** The organization whose own size of the limit counts, if the operator has chosen one. */
  organizationId?: string
}

/** A use that counts for a project. */
export function useBy(project: { id: string; organizationId: string }, limit: Limit): LimitUse {
  return { limit, subject: project.id, organizationId: project.organizationId }
}

/**
 * The size of a limit: the one that the operator has chosen for an organization, or else for the server, or else its own.
 * @param name and its own size and organization: SQL expressions
 */
export function sizeOf(
  name: RawBuilder<unknown>,
  own: RawBuilder<unknown>,
  organizationId: RawBuilder<unknown>,
) {
  return sql<number>`coalesce((
    select count from limit_sizes where name = ${name} and (organization_id is null or organization_id = ${organizationId})
    order by organization_id nulls last limit 1
  ), ${own})`
}

/**
 * Checks limits without counting, so that a reached limit is reported before the body is read.
 * @throws LimitError for the first reached limit
 */
export async function checkLimits(db: Reader, uses: readonly LimitUse[]): Promise<void> {
  const { rows } = await sql<Refusal>`
    with ${asked(uses)}
    select a.scope, a.count, ${waitFor(sql`u.used_at`)} as wait
    from asked a join limits l using (scope) join recent_uses u on u.scope = a.scope and u.n = l.uses + 1 - a.count
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
  // All transactions lock in the same order, or two of them could deadlock.
  const counted = await sql<{ scope: string; n: number }>`
    with ${asked(uses)}
    insert into limits (scope, uses, used_at) select scope, 1, clock_timestamp() from asked order by scope
    on conflict (scope) do update set uses = limits.uses + 1, used_at = excluded.used_at
    returning scope, uses as n
  `.execute(tx)
  const numbers = json(counted.rows)
  // A statement of its own: it sees what other transactions wrote before they unlocked the rows. Of the uses before, as many
  // as the limit allows are kept, and all that are younger than its window, because the limit may become larger.
  const { rows } = await sql<Refusal>`
    with ${asked(uses)},
    counted as (
      select a.*, c.n from jsonb_to_recordset(${numbers}) as c(scope text, n bigint) join asked a using (scope)
    ),
    taken as (insert into recent_uses (scope, n, used_at) select scope, n, clock_timestamp() from counted
      on conflict (scope, n) do update set used_at = excluded.used_at),
    forgotten as (
      delete from recent_uses u using counted c where u.scope = c.scope and u.n <= c.n - c.count
        and u.used_at <= clock_timestamp() - make_interval(secs => c.seconds)
    )
    select a.scope, a.count, ${waitFor(sql`u.used_at`)} as wait
    from counted a join recent_uses u on u.scope = a.scope and u.n = a.n - a.count
    where u.used_at > clock_timestamp() - make_interval(secs => a.seconds)
  `.execute(tx)
  refuse(uses, rows)
}

/** Takes the newest use of a limit back, because it turned out to be none. */
export async function giveBackLimit(tx: Tx, use: LimitUse): Promise<void> {
  const scope = scopeOf(use)
  await sql`
    with back as (update limits set uses = uses - 1 where scope = ${scope} and uses > 0 returning uses + 1 as n)
    delete from recent_uses using back where scope = ${scope} and recent_uses.n = back.n
  `.execute(tx)
}

interface Refusal {
  scope: string
  /** The size of the limit at present. */
  count: number
  wait: number
}

function refuse(uses: readonly LimitUse[], refusals: readonly Refusal[]): void {
  for (const use of uses) {
    const refusal = refusals.find(({ scope }) => scope === scopeOf(use))
    if (refusal) throw new LimitError({ ...use.limit, count: refusal.count }, refusal.wait)
  }
}

function asked(uses: readonly LimitUse[]): RawBuilder<unknown> {
  const rows = uses.map(
    (use) =>
      sql`(${scopeOf(use)}::text, ${sizeOf(sql`${use.limit.name}`, sql`${use.limit.count}`, sql`${use.organizationId ?? null}`)}::int,
        ${use.limit.seconds}::int)`,
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

/** Requests a minute for each kind of caller, counted in each process. */
export const ratesPerMinute = {
  search: { address: 600, person: 600, key: 3000, project: 6000 },
  feedback: { address: 60, person: 60, key: 1200, project: 2400 },
} as const

/** The limits whose size an operator may choose: what protects accounts is not among them. */
export const sizedLimits: readonly Limit[] = [
  limits.jobCreate,
  limits.jobMessage,
  limits.assistantOrganization,
  limits.assistantAddress,
  limits.assistantReader,
  limits.assistantPages,
  ...Object.entries(ratesPerMinute).flatMap(([name, kinds]) =>
    Object.entries(kinds).map(([kind, count]) => ({ name: `${name}-${kind}`, count, seconds: 60 })),
  ),
]

/** Sizes by the names of limits; undefined: the next wider one, of the server or the product. */
export type LimitSizes = Record<string, number | undefined>

const most = 100_000_000

/** @throws AppError `invalid` for a limit that has no size, or a size that is none */
export function checkLimitSizes(sizes: LimitSizes): void {
  for (const [name, count] of Object.entries(sizes)) {
    if (!sizedLimits.some((limit) => limit.name === name))
      throw new AppError(
        'invalid',
        `Limit ${JSON.stringify(name.slice(0, 100))} not found. Choose one of ${sizedLimits.map((one) => one.name).join(', ')}`,
      )
    if (count !== undefined && !(Number.isInteger(count) && count >= 1 && count <= most))
      throw new AppError('invalid', `\`${name}\` must be an integer from 1 to ${most}`)
  }
}

/** Sets sizes, or with undefined takes them back, for the server as a whole or for one organization. */
export async function changeLimitSizes(
  tx: Tx,
  organizationId: string | undefined,
  sizes: LimitSizes,
): Promise<void> {
  for (const [name, count] of Object.entries(sizes).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    if (count === undefined)
      await sql`
        delete from limit_sizes where name = ${name} and organization_id is not distinct from ${organizationId ?? null}
      `.execute(tx)
    else
      await sql`
        insert into limit_sizes (organization_id, name, count) values (${organizationId ?? null}, ${name}, ${count})
        on conflict (organization_id, name) do update set count = excluded.count
      `.execute(tx)
}

/** @param organizationId undefined: those of the server */
export async function readLimitSizes(db: Reader, organizationId?: string): Promise<LimitSizes> {
  const rows = await db
    .selectFrom('limit_sizes')
    .select(['name', 'count'])
    .where('organization_id', organizationId === undefined ? 'is' : '=', organizationId ?? null)
    .execute()
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

/** Milliseconds after which chosen sizes apply to what a process counts by itself. */
const lifetime = 5000

/** The sizes for an organization, read again every few seconds. */
export function createLimitSizes(db: Reader): (organizationId: string) => Promise<LimitSizes> {
  let kept:
    | { until: number; rows: Promise<{ organization_id: string | null; name: string; count: number }[]> }
    | undefined
  return async (organizationId) => {
    if (kept === undefined || kept.until < performance.now()) {
      const rows = db.selectFrom('limit_sizes').selectAll().execute()
      kept = { until: performance.now() + lifetime, rows }
      // A failure is not kept.
      rows.catch(() => (kept = undefined))
    }
    const rows = await kept.rows
    const of = (id: string | null): LimitSizes =>
      Object.fromEntries(rows.flatMap((row) => (row.organization_id === id ? [[row.name, row.count]] : [])))
    return { ...of(null), ...of(organizationId) }
  }
}

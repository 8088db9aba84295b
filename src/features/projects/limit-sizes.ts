import { sql } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import type { Reader, Tx } from '../../store/database.ts'
import { limits, type Limit } from './limits.ts'

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

import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
import type { Reader, Tx } from '../../store/database.ts'
import { eachPage, only, readPage, type Page } from '../../store/in-index-order.ts'
import type { Tables } from '../../store/tables.ts'

/** One line of the audit log. */
export interface AuditLine {
  id: number
  at: Date
  verb: string
  actor: { kind: 'person' | 'key' | 'operator'; id: string; name: string }
  organizationId: string | undefined
  project: string | undefined
  /** What it was done to, such as a job's id. */
  target: string | undefined
  address: string | undefined
}

export interface AuditFilter {
  /** Undefined: of all organizations and of the server itself. */
  organizationId?: string | undefined
  verb?: string | undefined
  /** Id of a person or key, or a part of the name. */
  actor?: string | undefined
  project?: string | undefined
  from?: Date | undefined
  /** Exclusive. */
  to?: Date | undefined
  /** Only lines before this one. */
  before?: number | undefined
}

/** How many lines one page is searched for. */
const mostSearched = 10_000

/**
 * Newest first. Where a filter asks for more than an organization, they are searched for.
 * @param within how many lines are searched
 */
export async function listAudit(
  db: Reader,
  filter: AuditFilter,
  limit: number,
  within = mostSearched,
): Promise<Page<AuditLine, number>> {
  const wanted = conditionsOf(filter)
  const isSearch = wanted.length > 0
  const keys = sql<{ id: number }>`select id from (${linesOf(filter, within + 1)}) line order by id desc`
  return readPage(db, {
    limit,
    search: isSearch ? { keys, within } : undefined,
    placeOf: ({ id }) => id,
    read: async (count, end) => {
      const { rows } = await sql<Line>`
        select * from (${linesOf(filter, isSearch ? within + 1 : count)}) line
        where ${sql.join([sql`id >= ${end ?? 0}`, ...wanted], sql` and `)} order by id desc limit ${count}
      `.execute(db)
      return rows.map(lineOf)
    },
  })
}

/** The newest lines that an organization may see, whatever they say. */
function linesOf({ organizationId, before, from, to }: AuditFilter, most: number): RawBuilder<unknown> {
  const range: RawBuilder<SqlBool>[] = []
  if (before !== undefined) range.push(sql`id < ${before}`)
  // Ids follow the time, but for transactions that take long.
  if (to !== undefined) range.push(sql`id < ${idAt(sql`created_at >= ${to}::timestamptz + ${slack}`, 'asc')}`)
  if (from !== undefined)
    range.push(sql`id > ${idAt(sql`created_at < ${from}::timestamptz - ${slack}`, 'desc')}`)
  const newest = (which: RawBuilder<SqlBool>, order: RawBuilder<unknown>) =>
    sql`select * from acts where ${sql.join([which, ...range], sql` and `)} order by ${order} limit ${most}`
  if (organizationId === undefined) return newest(sql`true`, sql`id desc`)
  // Signing in and the own account belong to no organization: owners see them of their people, as far back as those of
  // the organization are shown.
  const own = sql<SqlBool>`organization_id is null and ${only('actor_id', sql.ref('m.person_id'))}
    and id > (select case when count(*) = ${most} then min(id) else 0 end from own)`
  return sql`
    with own as materialized (
      ${newest(only('organization_id', organizationId), sql`organization_id desc, id desc`)}
    )
    select * from own union all (
      select p.* from memberships m cross join lateral (${newest(own, sql`actor_id desc, id desc`)}) p
      where m.organization_id = ${organizationId}
    ) order by id desc limit ${most}
  `
}

const slack = sql`interval '10 minutes'`

/** Of the first line by time that fits; beyond all ids where there is none. */
function idAt(which: RawBuilder<SqlBool>, order: 'asc' | 'desc'): RawBuilder<number> {
  const none = order === 'asc' ? sql`9223372036854775807` : sql`0`
  return sql`coalesce((select id from acts where ${which} order by created_at ${sql.raw(order)} limit 1), ${none})`
}

function conditionsOf({ verb, actor, project, from, to }: AuditFilter): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = []
  if (verb !== undefined) conditions.push(sql`verb = ${verb}`)
  if (project !== undefined) conditions.push(sql`project = ${project}`)
  if (from !== undefined) conditions.push(sql`created_at >= ${from}`)
  if (to !== undefined) conditions.push(sql`created_at < ${to}`)
  if (actor !== undefined)
    conditions.push(sql`(actor_id = ${actor} or position(lower(${actor}) in lower(actor_name)) > 0)`)
  return conditions
}

type Line = Selectable<Tables['acts']>

function lineOf(row: Line): AuditLine {
  return {
    id: row.id,
    at: row.created_at,
    verb: row.verb,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    organizationId: row.organization_id ?? undefined,
    project: row.project ?? undefined,
    target: row.target ?? undefined,
    address: row.address ?? undefined,
  }
}

const portion = 2000

/**
 * All lines that a filter leaves, newest first, in portions, so that an export of any length takes little memory. A
 * portion is searched for in no more lines than it may hold: what one has looked through, the next one need not.
 */
export async function* eachAuditLine(db: Reader, filter: AuditFilter): AsyncGenerator<AuditLine> {
  const pages = eachPage((before: number | undefined = filter.before) =>
    listAudit(db, { ...filter, before }, portion, portion),
  )
  for await (const lines of pages) yield* lines
}

export async function deleteOldAudit(tx: Tx, days: number): Promise<void> {
  await sql`delete from acts where created_at < now() - make_interval(days => ${days}::int)`.execute(tx)
}

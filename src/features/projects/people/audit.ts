import { sql } from 'kysely'
import type { Reader, Tx } from '../../../store/database.ts'

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

/** Newest first. */
export async function listAudit(db: Reader, filter: AuditFilter, limit: number): Promise<AuditLine[]> {
  const { organizationId, verb, actor, project, from, to, before } = filter
  let query = db.selectFrom('acts').selectAll().orderBy('id', 'desc').limit(limit)
  // Signing in and the own account belong to no organization: owners see them of their people.
  if (organizationId !== undefined)
    query = query.where((is) =>
      is.or([
        is('organization_id', '=', organizationId),
        is.and([
          is('organization_id', 'is', null),
          is(
            'actor_id',
            'in',
            is.selectFrom('memberships').select('person_id').where('organization_id', '=', organizationId),
          ),
        ]),
      ]),
    )
  if (verb !== undefined) query = query.where('verb', '=', verb)
  if (project !== undefined) query = query.where('project', '=', project)
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (to !== undefined) query = query.where('created_at', '<', to)
  if (before !== undefined) query = query.where('id', '<', before)
  if (actor !== undefined)
    query = query.where((is) =>
      is.or([is('actor_id', '=', actor), is(sql`position(lower(${actor}) in lower(actor_name))`, '>', 0)]),
    )
  return (await query.execute()).map((row) => ({
    id: row.id,
    at: row.created_at,
    verb: row.verb,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    organizationId: row.organization_id ?? undefined,
    project: row.project ?? undefined,
    target: row.target ?? undefined,
    address: row.address ?? undefined,
  }))
}

const portion = 500

/** All lines that a filter leaves, newest first, in portions, so that an export of any length takes little memory. */
export async function* eachAuditLine(db: Reader, filter: AuditFilter): AsyncGenerator<AuditLine> {
  let before = filter.before
  for (;;) {
    const lines = await listAudit(db, { ...filter, before }, portion)
    yield* lines
    before = lines.at(-1)?.id
    if (lines.length < portion) return
  }
}

export async function deleteOldAudit(tx: Tx, days: number): Promise<void> {
  await sql`delete from acts where created_at < now() - make_interval(days => ${days}::int)`.execute(tx)
}

import { sql } from 'kysely'
import type { Reader } from '../database.ts'

export interface BackupTable {
  name: string
  columns: { name: string; type: string }[]
}

/**
 * What a backup leaves out: who is signed in, from where people did, links that sign somebody in, answers that are on
 * their way, and sums that are made again. The migrations stand in its head.
 */
const leftOut = [
  'migrations',
  'sessions',
  'app_grants',
  'app_tokens',
  'sign_in_networks',
  'sign_in_links',
  'verifications',
  'password_links',
  'invitations',
  'answer_streams',
  'answer_stream_parts',
  'insight_days',
]

/** The tables with their columns, each after those that it refers to. */
export async function listTables(db: Reader): Promise<BackupTable[]> {
  const columns = await sql<{ table: string; name: string; type: string }>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by c.relname, a.attnum`.execute(db)
  const references = await sql<{ table: string; other: string }>`
    select c.relname as table, o.relname as other
    from pg_constraint r join pg_class c on c.oid = r.conrelid join pg_class o on o.oid = r.confrelid
    where r.contype = 'f' and c.oid <> o.oid and c.relnamespace = current_schema()::regnamespace
    order by 1, 2`.execute(db)
  const tables = new Map<string, BackupTable>()
  for (const { table, name, type } of columns.rows) {
    if (leftOut.includes(table)) continue
    const known = tables.get(table) ?? { name: table, columns: [] }
    known.columns.push({ name, type })
    tables.set(table, known)
  }
  const ordered = new Set<BackupTable>()
  const add = (table: BackupTable): void => {
    for (const { table: name, other } of references.rows) {
      const before = tables.get(other)
      if (name === table.name && before && !ordered.has(before)) add(before)
    }
    ordered.add(table)
  }
  for (const table of tables.values()) add(table)
  return [...ordered]
}

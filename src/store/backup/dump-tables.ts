import { sql } from 'kysely'
import type { Tx } from '../database.ts'
import { listTables, type BackupTable } from './list-tables.ts'

/** A line of a backup: a table, or one row of it as texts in the order of its columns. */
export type TableLine = { table: string; columns: string[]; rows: number } | (string | null)[]

/** Characters of rows that are fetched at once. */
const aim = 1_000_000

/** All rows of all tables, as the transaction sees them. Texts, because both engines write and read them alike. */
export async function* dumpTables(tx: Tx): AsyncGenerator<TableLine> {
  await sql`set local timezone = 'UTC'`.execute(tx)
  for (const table of await listTables(tx)) {
    const counted = await sql<{
      rows: number
    }>`select count(*) as rows from ${sql.table(table.name)}`.execute(tx)
    const rows = counted.rows[0]?.rows ?? 0
    yield { table: table.name, columns: table.columns.map(({ name }) => name), rows }
    if (rows > 0) yield* dumpRows(tx, table)
  }
}

async function* dumpRows(tx: Tx, { name, columns }: BackupTable): AsyncGenerator<TableLine> {
  const texts = sql.join(columns.map((column) => sql`${sql.ref(column.name)}::text`))
  await sql`declare backup_rows no scroll cursor for
    select json_build_array(${texts})::text as row from ${sql.table(name)}`.execute(tx)
  // Rows may be tiny or a megabyte.
  for (let count = 50; ;) {
    const { rows } = await sql<{ row: string }>`fetch ${sql.lit(count)} from backup_rows`.execute(tx)
    for (const { row } of rows) yield JSON.parse(row) as (string | null)[]
    if (rows.length < count) break
    const size = rows.reduce((sum, { row }) => sum + row.length, 0)
    count = Math.max(1, Math.min(2000, Math.round((count * aim) / Math.max(size, 1))))
  }
  await sql`close backup_rows`.execute(tx)
}

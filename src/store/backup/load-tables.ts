import { sql } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import type { Tx } from '../database.ts'
import type { TableLine } from './dump-tables.ts'
import { listTables, type BackupTable } from './list-tables.ts'

/** Characters of rows that are written at once. */
const aim = 1_000_000

interface Loading {
  table: BackupTable
  columns: string[]
  rows: string[]
  size: number
}

export interface TableLoader {
  take(line: TableLine): Promise<void>
  /** Writes what is left, and lets numbers that the tables count go on after those that they hold. */
  finish(): Promise<void>
}

/** Writes the rows of a backup into tables that hold none, of the same migrations. */
export async function openLoader(tx: Tx): Promise<TableLoader> {
  const tables = new Map((await listTables(tx)).map((table) => [table.name, table]))
  let loading: Loading | undefined
  const flush = async (): Promise<void> => {
    if (loading) await insert(tx, loading)
  }
  return {
    async take(line) {
      if (!Array.isArray(line)) {
        await flush()
        const table = tables.get(line.table)
        if (!table)
          throw new AppError(
            'invalid',
            `The backup has a table ${line.table}, which this version does not know`,
          )
        loading = { table, columns: line.columns, rows: [], size: 0 }
        return
      }
      if (!loading) throw new AppError('invalid', 'The backup has a row before its first table')
      const row = JSON.stringify(line)
      loading.rows.push(row)
      loading.size += row.length
      if (loading.size >= aim) await flush()
    },
    async finish() {
      await flush()
      for (const table of tables.values()) await advanceNumbers(tx, table)
    },
  }
}

async function insert(tx: Tx, loading: Loading): Promise<void> {
  const { table, columns, rows } = loading
  if (rows.length === 0) return
  const types = new Map(table.columns.map(({ name, type }) => [name, type]))
  const values = columns.map((name, index) => {
    const type = types.get(name)
    if (type === undefined)
      throw new AppError(
        'invalid',
        `The backup has a column ${table.name}.${name}, which this version does not know`,
      )
    return sql`(row->>${sql.lit(index)})::${sql.raw(type)}`
  })
  await sql`insert into ${sql.table(table.name)} (${sql.join(columns.map((name) => sql.ref(name)))})
    overriding system value
    select ${sql.join(values)} from json_array_elements(${`[${rows.join(',')}]`}::json) as row`.execute(tx)
  loading.rows = []
  loading.size = 0
}

async function advanceNumbers(tx: Tx, { name, columns }: BackupTable): Promise<void> {
  for (const column of columns) {
    const answer = await sql<{ sequence: string | null }>`
      select pg_get_serial_sequence(${name}, ${column.name}) as sequence`.execute(tx)
    const sequence = answer.rows[0]?.sequence
    if (sequence)
      await sql`select setval(${sequence}::regclass, coalesce((select max(${sql.ref(column.name)}) from ${sql.table(name)}), 0) + 1, false)`.execute(
        tx,
      )
  }
}

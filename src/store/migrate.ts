import { readFile, readdir } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Store } from './database.ts'

const folder = new URL('../../migrations/', import.meta.url)
/** Any constant that all processes share. */
const migrationLock = 5_303_417

/**
 * Applies the missing migrations of `migrations/`, ordered by name, in one transaction.
 * @returns the names of those that were applied
 */
export async function migrate(store: Store): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return store.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(tx)
    await sql`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`.execute(
      tx,
    )
    const { rows } = await sql<{ name: string }>`select name from migrations`.execute(tx)
    const done = new Set(rows.map((row) => row.name))
    const missing = names.filter((name) => !done.has(name))
    for (const name of missing) {
      for (const statement of statementsOf(await readFile(new URL(name, folder), 'utf8')))
        await sql.raw(statement).execute(tx)
      await sql`insert into migrations (name) values (${name})`.execute(tx)
    }
    return missing
  })
}

// PGlite takes one statement at a time in a transaction.
function statementsOf(text: string): string[] {
  return text
    .split(/;[ \t]*\r?\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

import { readFile, readdir } from 'node:fs/promises'
import { sql } from 'kysely'
import { AppError } from '../lib/errors.ts'
import type { Store, Tx } from './database.ts'

const folder = new URL('../../migrations/', import.meta.url)
/** Any constant that all processes share. */
const migrationLock = 5_303_417

/**
 * Applies the missing migrations of `migrations/`, ordered by name, in one transaction.
 * @returns the names of those that were applied
 * @throws AppError `conflict` for a database of a newer version
 */
export async function migrate(store: Store): Promise<string[]> {
  // All of them take long on a slow machine or a large table. What waited for the lock sees what was applied meanwhile.
  return store.longTransaction(async (tx) => {
    const names = await knownMigrations()
    const done = await appliedMigrations(tx)
    const unknown = done.filter((name) => !names.includes(name))
    if (unknown.length > 0)
      throw new AppError(
        'conflict',
        `The database was updated by a newer version of Docwright (${unknown.join(', ')}): start that version again, or restore a backup into an empty store`,
      )
    return applyMigrations(
      tx,
      names.filter((name) => !done.includes(name)),
    )
  }, 'read committed')
}

/** All migrations that this version has, oldest first. */
export async function knownMigrations(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}

/** Those that the database has, oldest first. No other process adds any until the transaction ends. */
export async function appliedMigrations(tx: Tx): Promise<string[]> {
  await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(tx)
  await sql`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`.execute(
    tx,
  )
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(tx)
  return rows.map((row) => row.name)
}

export async function applyMigrations(tx: Tx, names: readonly string[]): Promise<string[]> {
  for (const name of names) {
    for (const statement of statementsOf(await readFile(new URL(name, folder), 'utf8')))
      await sql.raw(statement).execute(tx)
    await sql`insert into migrations (name) values (${name})`.execute(tx)
  }
  return [...names]
}

// PGlite takes one statement at a time in a transaction.
function statementsOf(text: string): string[] {
  return text
    .split(/;[ \t]*\r?\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

import { sql } from 'kysely'
import type { Store } from './database.ts'

/**
 * Does what a PostgreSQL server does by itself, and the embedded store has no process for: plans queries by how large
 * tables are now, and uses the place of deleted rows again. Only tables that have changed since take time.
 */
export async function tidyTables({ engine, db }: Store): Promise<void> {
  if (engine !== 'pglite') return
  const { rows } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, relname as name from pg_stat_user_tables
    where greatest(n_mod_since_analyze, n_dead_tup) > 500 + n_live_tup / 10
  `.execute(db)
  // One after the other, so that other statements wait for one table at most.
  for (const { schema, name } of rows) await sql`vacuum analyze ${sql.id(schema, name)}`.execute(db)
}

import { sql } from 'kysely'
import type { Store } from './database.ts'

/**
 * Does what a PostgreSQL server does by itself, and the embedded store has no process for: plans queries by how large
 * tables are now, and uses the place of deleted rows again. Only tables that have changed since take time.
 */
export async function tidyTables({ engine, db }: Store): Promise<void> {
  if (engine !== 'pglite') return
  const { rows } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, s.relname as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where greatest(n_mod_since_analyze, n_dead_tup) > 500 + n_live_tup / 10
      -- The engine forgets what has changed when it is closed, but not how large a table was.
      or pg_relation_size(c.oid) / 8192 > 16 + c.relpages * 1.2
  `.execute(db)
  // One after the other, so that other statements wait for one table at most.
  for (const { schema, name } of rows) await sql`vacuum analyze ${sql.id(schema, name)}`.execute(db)
}

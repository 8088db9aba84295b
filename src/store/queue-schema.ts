import { sql } from 'kysely'
import { AppError } from '../lib/errors.ts'
import type { Reader } from './database.ts'

/**
 * The schema of the queue's tables: one for each schema that our own tables may lie in, so that two installations in
 * one database do not take each other's messages.
 * @returns its name as it stands in SQL, and whether it is there
 */
export async function queueSchema(db: Reader): Promise<{ name: string; exists: boolean }> {
  const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(db)
  const schema = rows[0]?.schema
  if (schema === null || schema === undefined)
    throw new AppError(
      'unavailable',
      'The database of DATABASE_URL has none of the schemas of the search_path: create the schema, and make this user its owner',
    )
  const plain = schema === 'public' ? 'pgboss' : `pgboss_${schema}`
  if (!/^[\w -]{1,50}$/.test(plain))
    throw new AppError(
      'unavailable',
      `The schema ${JSON.stringify(schema)} of the search_path has a name that the queue cannot follow: use up to 43 letters, digits and underscores`,
    )
  const namespaces = await sql`select from pg_namespace where nspname = ${plain}`.execute(db)
  return { name: /^[a-z_][a-z\d_]*$/.test(plain) ? plain : `"${plain}"`, exists: namespaces.rows.length > 0 }
}

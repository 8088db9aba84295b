import { sql, type Kysely } from 'kysely'
import { AppError } from '../../lib/errors.ts'
import type { Tables } from '../tables.ts'

/** @throws AppError `unavailable` that says why this database cannot hold our tables, and what to do */
export async function requireFitting(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string; name: string }>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      current_database() as name`.execute(db)
  const { version = 0, encoding = '', name = '' } = rows[0] ?? {}
  if (version < 150_000)
    throw new AppError('unavailable', 'DATABASE_URL names a PostgreSQL older than 15; upgrade it')
  if (encoding !== 'UTF8')
    throw new AppError(
      'unavailable',
      `The database ${JSON.stringify(name)} of DATABASE_URL has the encoding ${encoding}, in which most languages cannot be written. Create one with "createdb --encoding=UTF8 --template=template0 NAME", and name that`,
    )
}

import { sql } from 'kysely'
import { storeConnections, type Store } from './database.ts'
import { queueConnections } from './queue.ts'

/** What one process opens at most: those of the store and of the queue, and the one that listens. */
export const connectionsOfProcess = storeConnections + queueConnections + 1

/**
 * How many connections PostgreSQL grants to this user in this database; undefined where that says nothing, with the
 * embedded store and behind a pooler.
 */
export async function connectionRoom(store: Store): Promise<number | undefined> {
  if (store.engine === 'pglite') return undefined
  const { rows } = await sql<{ room: number }>`
    select least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0),
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
      (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
    ) as room`.execute(store.db)
  // Only now it is known.
  return store.isBehindPooler() ? undefined : rows[0]?.room
}

/** What to say when `processes` may open more than that; undefined when there is room. */
export function connectionsShort(room: number | undefined, processes: number): string | undefined {
  const needed = processes * connectionsOfProcess
  if (room === undefined || room >= needed) return undefined
  const who = processes === 1 ? 'This process' : `The ${processes} processes`
  return `${who} may open ${needed} connections to PostgreSQL, which grants ${room}`
}

export const connectionsRemedy =
  'Raise max_connections or the CONNECTION LIMIT of user and database, put a pooler between, or run fewer processes. Until then work waits for free ones.'

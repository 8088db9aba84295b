import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { Pool, type PoolClient, type PoolConfig } from 'pg'
import { StoreTrouble, findStoreTrouble } from './store-trouble.ts'
import type { StoreWatch } from './store-watch.ts'

/**
 * A pool whose connections may break at any time: the query that is under way fails, and the next one gets another
 * connection.
 */
export function openPool(config: PoolConfig, watch: StoreWatch): PostgresPool {
  const pool = new Pool(config)
  // A broken connection also emits an event, idle or in use, which would end the process without a listener.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return {
    options: pool.options,
    async connect() {
      try {
        return watched(await pool.connect(), watch)
      } catch (error) {
        // Whatever the reason is, including a changed password: there is no database to query.
        throw watch.failed(findStoreTrouble(watch.failed(error)) ?? new StoreTrouble('away', error))
      }
    },
    end: () => pool.end(),
  }
}

function watched(client: PoolClient, watch: StoreWatch): PostgresPoolClient {
  let usable = true
  function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, parameters: readonly unknown[] = []): unknown {
    return run(String(text), parameters)
  }
  const run = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
    try {
      const result = await client.query(text, [...parameters])
      watch.worked()
      return result
    } catch (error) {
      const named = watch.failed(error)
      // The server may still work on the statement, and the next user of the connection would wait for it.
      if (findStoreTrouble(named)?.kind === 'away') usable = false
      throw named
    }
  }
  return { query, release: (discard) => client.release(discard === true || !usable) }
}

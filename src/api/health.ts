import { sql } from 'kysely'
import type { Store } from '../store/database.ts'
import type { Endpoint } from './endpoint.ts'
import { errorResponse, toAppError } from './errors.ts'

/** `/healthz`: the process answers. `/readyz`: it can do its work, the database included. */
export function healthEndpoints(store: Store): Endpoint[] {
  return [
    {
      route: { method: 'get', path: '/healthz', responses: {}, hide: true },
      handle: (context) => Promise.resolve(context.json({ ok: true })),
    },
    {
      route: { method: 'get', path: '/readyz', responses: {}, hide: true },
      async handle(context) {
        try {
          await sql`select 1`.execute(store.db)
          return context.json({ ok: true })
        } catch (thrown) {
          return errorResponse(toAppError(thrown))
        }
      },
    },
  ]
}

import { z } from '@hono/zod-openapi'
import { sql } from 'kysely'
import { requireMachine, type Machine } from '../integrations/machine/machine.ts'
import { AppError } from '../lib/errors.ts'
import { within } from '../lib/within.ts'
import type { Store } from '../store/database.ts'
import { describe, jsonContent } from './description/operation.ts'
import type { Endpoint } from './endpoint.ts'
import { errorResponse, toAppError } from './errors.ts'

/** Milliseconds. Load balancers wait no longer for an answer, and a database that hangs would never give one. */
const patience = 3000

const healthy = { 200: { description: 'Yes', content: jsonContent(z.object({ ok: z.boolean() })) } }

interface Ports {
  store: Store
  machine: Pick<Machine, 'trouble'>
  /** Aborted, with what to say, when the process begins to stop. Other requests are still answered for a moment. */
  stopping: AbortSignal
}

/**
 * `/healthz`: the process answers. `/readyz`: it can do its work, because the machine has room for it and the
 * database answers.
 */
export function healthEndpoints({ store, machine, stopping }: Ports): Endpoint[] {
  const refuse = (): Response => errorResponse(toAppError(stopping.reason))
  return [
    {
      route: describe('getHealth', 'get /healthz', {
        tag: 'Server',
        summary: 'Liveness check',
        description:
          'Answers while the process lives, without looking at anything else. For liveness checks.',
        responses: healthy,
      }),
      handle: (context) => Promise.resolve(stopping.aborted ? refuse() : context.json({ ok: true })),
    },
    {
      route: describe('getReadiness', 'get /readyz', {
        tag: 'Server',
        summary: 'Readiness check',
        description:
          'Fails when the machine has no room for work, the database does not answer, or the server stops.',
        responses: healthy,
      }),
      async handle(context) {
        if (stopping.aborted) return refuse()
        try {
          requireMachine(machine)
          await within(patience, sql`select 1`.execute(store.db), refuseLate)
          return context.json({ ok: true })
        } catch (thrown) {
          return errorResponse(toAppError(thrown))
        }
      },
    },
  ]
}

function refuseLate(): never {
  throw new AppError('unavailable', 'The database does not answer; try again in a few seconds')
}

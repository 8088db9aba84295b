import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { routePath } from 'hono/route'
import { sql } from 'kysely'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { countWaiting } from '../features/agent/turns.ts'
import type { Machine } from '../integrations/machine/machine.ts'
import { troubleReasons } from '../lib/machine-trouble.ts'
import type { Store } from '../store/database.ts'
import { findStoreTrouble } from '../store/store-trouble.ts'
import type { Access } from './access.ts'
import type { Endpoint } from './endpoint.ts'
import { describe } from './operation.ts'

const reasons = [...troubleReasons, 'store_away'] as const

/** The metrics for Prometheus: the process, requests by route, the machine, and the jobs in the database. */
export interface Metrics {
  registry: Registry
  observeRequest(context: Context, seconds: number): void
  countRead: CountRead
}

/** Counts a page that was read: by a person in a browser, as Markdown, or with the tools of the Model Context Protocol. */
export type CountRead = (as: 'html' | 'markdown' | 'mcp') => void

export function createMetrics(store: Store, machine: Pick<Machine, 'trouble' | 'freeBytes'>): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'docwright_request_seconds',
    help: 'Time until the response began, in seconds',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  const reads = new Counter({
    name: 'docwright_pages_read_total',
    help: 'Pages of documentation that were read, by the form in which they were sent',
    labelNames: ['as'],
    registers: [registry],
  })
  const jobs = new Gauge({
    name: 'docwright_jobs',
    help: 'Jobs by status',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      jobs.reset()
      const rows = await emptyWithoutStore(
        store.db
          .selectFrom('jobs')
          .select((select) => ['status', select.fn.countAll<number>().as('count')])
          .groupBy('status')
          .execute(),
      )
      for (const { status, count } of rows) jobs.set({ status }, count)
    },
  })
  const waiting = new Gauge({
    name: 'docwright_waiting_turns',
    help: 'Turns that wait for a git host, a model or the machine',
    labelNames: ['for'],
    registers: [registry],
    async collect() {
      waiting.reset()
      const rows = await emptyWithoutStore(countWaiting(store.db))
      for (const { of, count } of rows) waiting.set({ for: of }, count)
    },
  })
  const free: Gauge = new Gauge({
    name: 'docwright_free_bytes',
    help: 'Bytes free on the disk of the data folder',
    registers: [registry],
    collect() {
      free.set(machine.freeBytes())
    },
  })
  const trouble = new Gauge({
    name: 'docwright_trouble',
    help: 'Whether the machine or the database keeps work waiting, by reason',
    labelNames: ['reason'],
    registers: [registry],
    async collect() {
      const present = machine.trouble()?.reason ?? (await storeReason())
      for (const reason of reasons) trouble.set({ reason }, present === reason ? 1 : 0)
    },
  })
  const storeReason = async (): Promise<(typeof reasons)[number] | undefined> =>
    sql`select 1`.execute(store.db).then(
      () => undefined,
      () => 'store_away',
    )
  return {
    registry,
    observeRequest(context, seconds) {
      // The label is the route's pattern, because the number of paths is unlimited.
      const route = routePath(context, -1)
      requests.observe({ method: context.req.method, route, status: context.res.status }, seconds)
    },
    countRead: (as) => reads.inc({ as }),
  }
}

// An unavailable store has a metric of its own, so the others are still reported.
async function emptyWithoutStore<T>(rows: Promise<T[]>): Promise<T[]> {
  return rows.catch((error: unknown) => {
    if (findStoreTrouble(error)) return []
    throw error
  })
}

/** `/metrics`, for those who have the operator token from the data folder. */
export function metricsEndpoint({ access, metrics }: { access: Access; metrics: Metrics }): Endpoint {
  return {
    route: describe('getMetrics', 'get /metrics', {
      tag: 'Server',
      summary: 'Metrics for Prometheus',
      responses: { 200: { description: 'Metrics', content: { 'text/plain': { schema: z.string() } } } },
    }),
    async handle(context) {
      await access.server(context, 'getMetrics')
      return context.body(await metrics.registry.metrics(), 200, {
        'Content-Type': metrics.registry.contentType,
      })
    },
  }
}

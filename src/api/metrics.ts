import type { Context } from 'hono'
import { routePath } from 'hono/route'
import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Store } from '../store/database.ts'
import type { Access } from './access.ts'
import type { Endpoint } from './endpoint.ts'

/** What Prometheus reads: the process, requests by route, and jobs by status as the database has them. */
export interface Metrics {
  registry: Registry
  observeRequest(context: Context, seconds: number): void
}

export function createMetrics(store: Store): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'docwright_request_seconds',
    help: 'Time until the response began, in seconds',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  const jobs = new Gauge({
    name: 'docwright_jobs',
    help: 'Jobs by status',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      const rows = await store.db
        .selectFrom('jobs')
        .select((select) => ['status', select.fn.countAll<number>().as('count')])
        .groupBy('status')
        .execute()
      jobs.reset()
      for (const { status, count } of rows) jobs.set({ status }, count)
    },
  })
  return {
    registry,
    observeRequest(context, seconds) {
      // The pattern of the route, not the path: paths are without end.
      const route = routePath(context, -1)
      requests.observe({ method: context.req.method, route, status: context.res.status }, seconds)
    },
  }
}

/** `/metrics`, for whoever may read the data folder's operator token. */
export function metricsEndpoint({ access, metrics }: { access: Access; metrics: Metrics }): Endpoint {
  return {
    route: { method: 'get', path: '/metrics', responses: {}, hide: true },
    async handle(context) {
      access.operator(context)
      return context.body(await metrics.registry.metrics(), 200, {
        'Content-Type': metrics.registry.contentType,
      })
    },
  }
}

import { z } from '@hono/zod-openapi'
import { sql } from 'kysely'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { countQueue, countWaiting } from '../features/agent/turns.ts'
import { answerOutcomes } from '../features/assistant/outcome.ts'
import { listProcesses } from '../features/server/processes.ts'
import type { Machine } from '../integrations/machine/machine.ts'
import { troubleReasons } from '../lib/machine-trouble.ts'
import type { Measured, SpanValues } from '../lib/trace.ts'
import type { Store } from '../store/database.ts'
import type { Queue } from '../store/queue.ts'
import { findStoreTrouble } from '../store/store-trouble.ts'
import type { Access } from './access.ts'
import { describe } from './description/operation.ts'
import type { Endpoint } from './endpoint.ts'

const reasons = [...troubleReasons, 'store_away'] as const
/** Those who start jobs may name models, so their number has to be limited. */
const mostModels = 50

/**
 * The metrics for Prometheus. Gauges read the database, and are the same at every process; counters and histograms are
 * of this process, and are made of the spans that traces are made of.
 */
export interface Metrics {
  registry: Registry
  /** Counts a span that has ended. */
  count(measured: Measured): void
  countRead: CountRead
}

/** Counts a page that was read: by a person in a browser, as Markdown, or with the tools of the Model Context Protocol. */
export type CountRead = (as: 'html' | 'markdown' | 'mcp', pages?: number) => void

interface Ports {
  store: Store
  queue: Pick<Queue, 'backlogs'>
  machine: Pick<Machine, 'trouble' | 'freeBytes'>
}

export function createMetrics({ store, queue, machine }: Ports): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  gauge('docwright_jobs', 'Jobs by status', ['status'], async () => {
    const count = store.db.fn.countAll<number>().as('count')
    const rows = await store.db.selectFrom('jobs').select(['status', count]).groupBy('status').execute()
    return rows.map((row) => [{ status: row.status }, row.count])
  })
  gauge(
    'docwright_waiting_turns',
    'Turns that wait for a git host, a model or the machine',
    ['for'],
    async () => {
      const waiting = new Map((await countWaiting(store.db)).map(({ of, count }) => [of, count]))
      return (['host', 'model', 'machine'] as const).map((of) => [{ for: of }, waiting.get(of) ?? 0])
    },
  )
  const queues = once(async () => {
    const [{ oldest, ...turns }, backlogs] = await Promise.all([countQueue(store.db), queue.backlogs()])
    const age = oldest === undefined ? 0 : Math.max(0, (Date.now() - oldest.getTime()) / 1000)
    // Messages of jobs only wake workers up: what there is to do stands in the turns.
    return backlogs.map((one) => (one.queue === 'job' ? { ...one, ...turns, oldest: age } : one))
  })
  const ofQueues = (name: string, help: string, value: 'waiting' | 'running' | 'oldest'): void =>
    gauge(name, help, ['queue'], async () =>
      (await queues()).map((one) => [{ queue: one.queue }, one[value]]),
    )
  ofQueues('docwright_queue_waiting', 'Turns, syncs and enrichments that wait for a worker', 'waiting')
  ofQueues('docwright_queue_running', 'Turns, syncs and enrichments that are worked on', 'running')
  ofQueues('docwright_queue_oldest_seconds', 'How long the first of them has waited for a worker', 'oldest')
  const projects = once(async () => {
    const { rows } = await sql<{ state: string; count: number; age: number }>`
      select sync_state as state, count(*)::int8 as count,
        coalesce(max(extract(epoch from now() - coalesce(synced_at, created_at))), 0)::float8 as age
      from projects group by sync_state
    `.execute(store.db)
    return rows
  })
  gauge('docwright_projects', 'Projects by the state of their last sync', ['sync'], async () =>
    (await projects()).map(({ state, count }) => [{ sync: state }, count]),
  )
  gauge(
    'docwright_index_oldest_seconds',
    'How long ago the pages of a project were last known to be those of its branch; the longest time of all projects',
    [],
    async () => [[{}, Math.max(0, ...(await projects()).map(({ age }) => age))]],
  )
  gauge(
    'docwright_processes',
    'Servers and workers that have lately given a sign of life',
    ['kind'],
    async () => {
      const alive = (await listProcesses(store.db)).filter(({ isAlive }) => isAlive)
      return (['serve', 'worker'] as const).map((kind) => [
        { kind },
        alive.filter((one) => one.kind === kind).length,
      ])
    },
  )
  gauge('docwright_free_bytes', 'Bytes free on the disk of the data folder', [], () =>
    Promise.resolve([[{}, machine.freeBytes()]]),
  )
  gauge(
    'docwright_trouble',
    'Whether the machine or the database keeps work waiting, by reason',
    ['reason'],
    async () => {
      const present = machine.trouble()?.reason ?? (await storeReason())
      return reasons.map((reason) => [{ reason }, present === reason ? 1 : 0])
    },
  )

  const reads = counter('docwright_pages_read_total', 'Pages of documentation that were sent, by form', [
    'as',
  ])
  const requests = histogram('docwright_request_seconds', 'Time until the response began', {
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
  })
  const turns = histogram('docwright_turn_seconds', 'Time from the first start of a turn to its end', {
    labelNames: ['outcome'],
    buckets: [1, 5, 15, 60, 300, 900, 3600],
  })
  const turnFailures = counter(
    'docwright_turn_failures_total',
    'Turns that failed, by the code of the failure',
    ['code'],
  )
  const calls = histogram(
    'docwright_model_call_seconds',
    'Time of a call of a model, to the end of its stream',
    {
      labelNames: [...ofCall],
      buckets: [0.1, 0.5, 1, 2, 5, 15, 60, 300],
    },
  )
  const callErrors = counter(
    'docwright_model_errors_total',
    'Calls of models that failed, by the kind of error',
    [...ofCall, 'error'],
  )
  const tokens = counter('docwright_model_tokens_total', 'Tokens of finished calls', [...ofCall, 'type'])
  const cost = counter('docwright_model_cost_dollars_total', 'Cost of calls whose price is known', [
    ...ofCall,
  ])
  const answers = histogram('docwright_answer_seconds', 'Time of an answer of the assistant, to its end', {
    labelNames: ['outcome'],
    buckets: [0.5, 1, 2, 5, 10, 20, 40, 80],
  })
  const firstTexts = histogram(
    'docwright_answer_first_text_seconds',
    'Time until the first text of an answer',
    {
      labelNames: [],
      buckets: [0.1, 0.25, 0.5, 1, 2, 4, 8, 16],
    },
  )
  const overBudget = counter(
    'docwright_answers_over_budget_total',
    'Answers of the built-in model because the project had used its tokens of the day',
    [],
  )
  const searches = histogram('docwright_search_seconds', 'Time of a search in the index', {
    labelNames: [],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
  })
  const syncs = histogram(
    'docwright_sync_seconds',
    'Time of reading a repository and indexing what has changed',
    {
      labelNames: ['result'],
      buckets: [0.05, 0.2, 1, 5, 30, 120, 600],
    },
  )

  // A series that begins with its first event would not show that event as an increase.
  for (const outcome of ['changed', 'no_change', 'nothing_done', 'needs_input', 'failed'])
    turns.zero({ outcome })
  for (const outcome of answerOutcomes) answers.zero({ outcome })
  for (const result of ['changed', 'unchanged', 'failed']) syncs.zero({ result })
  for (const as of ['html', 'markdown', 'mcp']) reads.inc({ as }, 0)
  turnFailures.inc({ code: 'budget' }, 0)

  const models = new Set<string>()
  const countCall = ({ values, seconds }: Measured): void => {
    const name = textOf(values, 'gen_ai.request.model')
    if (models.size < mostModels) models.add(name)
    const model = models.has(name) ? name : 'other'
    const provider = textOf(values, 'gen_ai.provider.name')
    const labels = { provider, model, purpose: textOf(values, 'docwright.purpose') }
    calls.observe(labels, seconds)
    if ('error.type' in values) callErrors.inc({ ...labels, error: textOf(values, 'error.type') })
    if ('docwright.cost' in values) cost.inc(labels, numberOf(values, 'docwright.cost'))
    const cached = numberOf(values, 'gen_ai.usage.cache_read.input_tokens')
    const uncached = Math.max(0, numberOf(values, 'gen_ai.usage.input_tokens') - cached)
    tokens.inc({ ...labels, type: 'input' }, uncached)
    tokens.inc({ ...labels, type: 'cached_input' }, cached)
    tokens.inc({ ...labels, type: 'output' }, numberOf(values, 'gen_ai.usage.output_tokens'))
  }
  const byName: Record<string, (measured: Measured) => void> = {
    request: ({ values, seconds }) =>
      requests.observe(
        {
          method: textOf(values, 'http.request.method'),
          // The route's pattern, because the number of paths is unlimited.
          route: textOf(values, 'http.route'),
          status: textOf(values, 'http.response.status_code'),
        },
        seconds,
      ),
    'turn ended': ({ values, seconds }) => {
      turns.observe({ outcome: textOf(values, 'docwright.outcome') }, seconds)
      if ('error.type' in values) turnFailures.inc({ code: textOf(values, 'error.type') })
    },
    chat: countCall,
    embeddings: countCall,
    answer({ values, seconds, events }) {
      // An evaluation asks what nobody waits for.
      if (values['docwright.check'] === true) return
      answers.observe({ outcome: textOf(values, 'docwright.outcome') }, seconds)
      const first = events.get('first text')
      if (first !== undefined) firstTexts.observe(first)
      if (values['docwright.over_budget'] === true) overBudget.inc()
    },
    search: ({ seconds }) => searches.observe(seconds),
    sync({ values, seconds }) {
      const done = values['docwright.changed'] === true ? 'changed' : 'unchanged'
      syncs.observe({ result: 'error.type' in values ? 'failed' : done }, seconds)
    },
  }
  return {
    registry,
    count: (measured) => byName[measured.name]?.(measured),
    countRead: (as, pages = 1) => reads.inc({ as }, pages),
  }

  function counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers })
  }
  function histogram(
    name: string,
    help: string,
    { labelNames, buckets }: { labelNames: string[]; buckets: number[] },
  ): Histogram {
    return new Histogram({ name, help, labelNames, buckets, registers })
  }
  /** @param read asks anew at each scrape */
  function gauge(name: string, help: string, labelNames: string[], read: () => Promise<Sample[]>): void {
    const metric = new Gauge({ name, help, labelNames, registers, collect })
    async function collect(): Promise<void> {
      const samples = await read().catch((error: unknown) => {
        // An unavailable store has a metric of its own, so the others are still reported.
        if (findStoreTrouble(error)) return []
        throw error
      })
      metric.reset()
      for (const [labels, value] of samples) metric.set(labels, value)
    }
  }
  async function storeReason(): Promise<(typeof reasons)[number] | undefined> {
    return sql`select 1`.execute(store.db).then(
      () => undefined,
      () => 'store_away',
    )
  }
}

type Sample = [labels: Record<string, string>, value: number]

const ofCall = ['provider', 'model', 'purpose'] as const

/** Gauges that are read at the same time share what they ask the database for. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () =>
    (reading ??= read().finally(() => {
      reading = undefined
    }))
}

function textOf(values: SpanValues, name: string): string {
  return String(values[name] ?? '')
}

function numberOf(values: SpanValues, name: string): number {
  const value = Number(values[name] ?? 0)
  // A counter refuses everything else, and providers may report anything.
  return Number.isFinite(value) && value > 0 ? value : 0
}

/** `/metrics`, for those who have the operator token from the data folder. */
export function metricsEndpoint({ access, metrics }: { access: Access; metrics: Metrics }): Endpoint {
  return {
    route: describe('getMetrics', 'get /metrics', {
      tag: 'Server',
      summary: 'Metrics for Prometheus',
      description: 'Counts and durations in the text format of Prometheus.',
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

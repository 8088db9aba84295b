import { z } from '@hono/zod-openapi'
import {
  callers,
  intervals,
  readAnalytics,
  type Interval,
  type Range,
} from '../../../features/assistant/insights/analytics.ts'
import { feedbackReasons } from '../../../features/assistant/insights/feedback.ts'
import { answerOutcomes } from '../../../features/assistant/outcome.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Store } from '../../../store/database.ts'
import type { Access } from '../../access.ts'
import type { Endpoint } from '../../endpoint.ts'
import { limitUpTo, operations } from '../../operation.ts'
import { range, rangeOf } from './question-filter.ts'

const insightsQuery = z.object({
  from: range.from.describe('A day (UTC) or a time; 30 days before `to` when absent.'),
  to: range.to.describe('A day (UTC), which is included, or a time, which is not; now when absent.'),
  interval: z
    .enum(intervals, 'must be day, week or month')
    .optional()
    .describe('Of `series`; when absent days up to 92 of them, then weeks up to two years, then months.'),
  limit: limitUpTo(100, 10).describe('How many entries each list has at most.'),
})

const counts = {
  conversations: z.int(),
  questions: z.int(),
  outcomes: z.object(each(answerOutcomes, z.int())),
  feedback: z.object({ up: z.int(), down: z.int() }),
  searches: z.object({ total: z.int(), withoutResult: z.int() }),
}
const latency = {
  p50: z.int().nullable().describe('Milliseconds until half of the answers had ended.'),
  p95: z.int().nullable(),
}
const insights = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    interval: z.enum(intervals),
    totals: z.object({
      ...counts,
      causes: z.object(each(['nothing_found', 'weak', 'off_topic'], z.int())),
      reasons: z.object(each(feedbackReasons, z.int())),
      callers: z.object(each(callers, z.object({ questions: z.int(), searches: z.int() }))),
      latency: z.object(latency),
    }),
    series: z.array(z.object({ start: z.iso.date(), ...counts })),
    pages: z.array(z.object({ path: z.string(), url: z.string(), title: z.string(), citations: z.int() })),
    sections: z.array(
      z.object({
        path: z.string(),
        url: z.string(),
        title: z.string(),
        heading: z.string().nullable(),
        citations: z.int(),
      }),
    ),
    askedOn: z.array(z.object({ page: z.string(), questions: z.int() })),
    queries: z.array(z.object({ query: z.string(), searches: z.int(), withoutResult: z.int() })),
    queriesWithoutResult: z.array(z.object({ query: z.string(), searches: z.int() })),
    models: z.array(z.object({ model: z.string(), answers: z.int(), ...latency })),
    agentFeedback: z
      .array(
        z.object({
          path: z.string().nullable().describe('File of the page; null for a search.'),
          query: z.string().nullable().describe('What was searched; null for a page.'),
          rating: z.enum(['up', 'down']),
          note: z.string().nullable(),
          at: z.iso.datetime(),
        }),
      )
      .describe('What agents thought of pages and searches, the newest first.'),
    usage: z.array(
      z.object({
        model: z.string(),
        calls: z.int(),
        inputTokens: z.int(),
        cachedInputTokens: z.int(),
        outputTokens: z.int(),
        cost: z.number().nullable().describe('US dollars; null when a price is unknown.'),
      }),
    ),
  })
  .openapi('Insights')

/** What readers asked and searched, counted. */
export function insightsEndpoints({ access, store }: { access: Access; store: Store }): Endpoint[] {
  const { onProject } = operations(access, 'Insights')
  const path = '/v2/insights/{projectId}'
  return [
    onProject('getInsights', `get ${path}`, 'Get insights', {
      description:
        'What readers asked and searched in a range of time, what became of it, and what they thought of it.',
      query: insightsQuery,
      answer: [200, 'The insights', insights],
      async handle({ project, query: { limit, ...query } }) {
        const asked = rangeOf(query)
        const to = asked.to ?? new Date()
        const from = asked.from ?? new Date(to.getTime() - 30 * day)
        const interval = query.interval ?? fittingInterval({ from, to })
        if (daysIn({ from, to }) > mostParts * daysOf[interval])
          throw new AppError('invalid', '`interval`: gives too many parts of this range; use week or month')
        const read = await readAnalytics(store.db, project.id, { range: { from, to }, interval, limit })
        return { from: from.toISOString(), to: to.toISOString(), interval, ...read }
      },
    }),
  ]
}

const day = 86_400_000
const mostParts = 1000
/** At least. */
const daysOf: Record<Interval, number> = { day: 1, week: 7, month: 28 }
function each<Name extends string, Schema>(names: readonly Name[], schema: Schema): Record<Name, Schema> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>
}

function daysIn({ from, to }: Range): number {
  return (to.getTime() - from.getTime()) / day
}

function fittingInterval({ from, to }: Range): Interval {
  const days = daysIn({ from, to })
  if (days <= 92) return 'day'
  return days <= 731 ? 'week' : 'month'
}

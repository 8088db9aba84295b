import { z } from '@hono/zod-openapi'
import { callers, intervals, readAnalytics } from '../../../features/assistant/insights/analytics.ts'
import { feedbackReasons } from '../../../features/assistant/insights/feedback.ts'
import { listSearches, searchResults } from '../../../features/assistant/insights/list-searches.ts'
import { answerOutcomes } from '../../../features/assistant/outcome.ts'
import type { Store } from '../../../store/database.ts'
import type { Access } from '../../access.ts'
import { limitUpTo, operations } from '../../description/operation.ts'
import { used } from '../../contract.ts'
import type { Endpoint } from '../../endpoint.ts'
import { rating } from '../../named-words.ts'
import { periodOf, seriesCsv } from './period.ts'
import { range, text } from './question-filter.ts'

const insightsQuery = z.object({
  from: range.from.describe('A day (UTC) or a time; 30 days before `to` when absent.'),
  to: range.to.describe('A day (UTC), which is included, or a time, which is not; now when absent.'),
  interval: z
    .enum(intervals, 'must be day, week or month')
    .optional()
    .describe('Of `series`; when absent days up to 92 of them, then weeks up to two years, then months.'),
  limit: limitUpTo(100, 10).describe('How many entries each list has at most.'),
  format: z
    .enum(['json', 'csv'], 'must be json or csv')
    .default('json')
    .describe('`csv`: `series` as a table.'),
})

const searchesQuery = z.object({
  from: insightsQuery.shape.from,
  to: insightsQuery.shape.to,
  result: z
    .enum(searchResults, 'must be none or weak')
    .optional()
    .describe('`none`: nothing was found. `weak`: the documentation hardly speaks of it.'),
  text: text.optional().describe('What the query contains.'),
  limit: limitUpTo(500, 20).describe('At most this many.'),
  cursor: z
    .string()
    .regex(/^[0-9]{1,9}$/, 'is not a cursor of this list; take it from `nextCursor`')
    .openapi({ example: '20' })
    .optional()
    .describe('`nextCursor` of the page before.'),
})

const listedSearch = z
  .object({
    query: z.string().describe('In lower case.'),
    searches: z.int(),
    withoutResult: z.int(),
    weak: z.int().describe('How many of them found only what the documentation hardly speaks of.'),
    lastSearchedAt: z.iso.datetime(),
  })
  .openapi('ListedSearch', { description: 'A query, and how often it was searched.' })

const callerCounts = z
  .object({ questions: z.int(), searches: z.int() })
  .openapi('CallerCounts', { description: 'How much came from one kind of caller.' })
const counts = {
  conversations: z.int(),
  questions: z.int(),
  outcomes: z
    .object(each(answerOutcomes, z.int()))
    .openapi('OutcomeCounts', { description: 'How many questions had each outcome.' }),
  feedback: z
    .object({ up: z.int(), down: z.int() })
    .openapi('RatingCounts', { description: 'How many answers were rated each way.' }),
  searches: z
    .object({ total: z.int(), withoutResult: z.int() })
    .openapi('SearchCounts', { description: 'How many searches there were.' }),
  callers: z
    .object(each(callers, callerCounts))
    .openapi('CountsByCaller', { description: 'How much came from each kind of caller.' }),
}
const usedByModel = z.array(
  z
    .object({
      model: z.string(),
      calls: z.int(),
      ...used,
    })
    .openapi('ModelUsage', { description: 'What one model has used.' }),
)
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
      latency: z.object(latency),
    }),
    series: z.array(z.object({ start: z.iso.date(), ...counts, usage: usedByModel })),
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
          rating: rating,
          note: z.string().nullable(),
          at: z.iso.datetime(),
        }),
      )
      .describe('What agents thought of pages and searches, the newest first.'),
    usage: usedByModel,
  })
  .openapi('Insights', { description: 'What readers asked and searched, counted.' })

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
      also: {
        200: {
          description: 'The insights, or their series as a table',
          content: { 'application/json': { schema: insights }, 'text/csv': { schema: z.string() } },
        },
      },
      async handle({ context, project, query: { limit, format, ...query } }) {
        const { range: asked, interval } = periodOf(query)
        const read = await readAnalytics(store, project.id, { range: asked, interval, limit })
        if (format === 'csv')
          return context.body(seriesCsv(read.series), 200, {
            'Content-Type': 'text/csv; charset=utf-8; header=present',
            'Content-Disposition': `attachment; filename="${project.domain}-assistant.csv"`,
            'Cache-Control': 'no-store',
            'X-Content-Type-Options': 'nosniff',
          })
        return { from: asked.from.toISOString(), to: asked.to.toISOString(), interval, ...read }
      },
    }),
    onProject('listSearches', `get ${path}/searches`, 'List searches', {
      description:
        'What people and agents searched for in a range of time, by wording, the most frequent first: all of it, or what found nothing or only what is weak. Searches that the assistant makes for an answer are left out.',
      query: searchesQuery,
      answer: [
        200,
        'The searches',
        z.object({
          searches: z.array(listedSearch),
          nextCursor: z.string().nullable().describe('Null on the last page.'),
          counted: z
            .int()
            .nullable()
            .describe(
              'How many of the newest searches were counted, where the range may have more; else null.',
            ),
        }),
      ],
      async handle({ project, query: { limit, cursor, result, text: contained, ...query } }) {
        const offset = Number(cursor ?? 0)
        const { range: asked } = periodOf(query)
        const wanted = { range: asked, result, text: contained, offset, limit: limit + 1 }
        const { searches, counted } = await listSearches(store.db, project.id, wanted)
        return {
          searches: searches
            .slice(0, limit)
            .map((one) => ({ ...one, lastSearchedAt: one.lastSearchedAt.toISOString() })),
          nextCursor: searches.length > limit ? String(offset + limit) : null,
          counted: counted ?? null,
        }
      },
    }),
  ]
}

function each<Name extends string, Schema>(names: readonly Name[], schema: Schema): Record<Name, Schema> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>
}

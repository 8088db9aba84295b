import { limitUpTo, nextOffset, offsetCursor } from '../../../lib/list-query.ts'
import { z } from '@hono/zod-openapi'
import { readAnalytics } from '../../../features/assistant/insights/analytics.ts'
import { listSearches, searchResults } from '../../../features/assistant/insights/list-searches.ts'
import type { Store } from '../../../store/database.ts'
import type { Access } from '../../access.ts'
import { operations } from '../../description/operation.ts'
import type { Endpoint } from '../../endpoint.ts'
import { periodOf, seriesCsv } from './period.ts'
import { range, text } from './question-filter.ts'
import { intervals } from '../../../features/assistant/insights/insight-words.ts'
import { insights, searchList } from '../../../nouns/insights/answers.ts'

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
  cursor: offsetCursor.optional().describe('`nextCursor` of the page before.'),
})

/** What readers asked and searched, counted. */
export function readingEndpoints({ access, store }: { access: Access; store: Store }): Endpoint[] {
  const { onProject } = operations(access, 'Insights')
  const path = '/v2/insights/{projectId}'
  return [
    onProject('getInsights', `get ${path}`, 'Get insights', {
      description:
        'What readers asked and searched in a range of time, the outcome, and what they thought of it.',
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
        'What people and agents searched for in a range of time, by wording, most frequent first: all of it, or what found nothing or only what is weak. Searches that the assistant makes for an answer are left out.',
      query: searchesQuery,
      answer: [200, 'The searches', searchList],
      async handle({ project, query: { limit, cursor, result, text: contained, ...query } }) {
        const offset = Number(cursor ?? 0)
        const { range: asked } = periodOf(query)
        const wanted = { range: asked, result, text: contained, offset, limit: limit + 1 }
        const { searches, counted } = await listSearches(store.db, project.id, wanted)
        return {
          searches: searches
            .slice(0, limit)
            .map((one) => ({ ...one, lastSearchedAt: one.lastSearchedAt.toISOString() })),
          nextCursor: nextOffset(searches.length, { offset, limit }),
          counted: counted ?? null,
        }
      },
    }),
  ]
}

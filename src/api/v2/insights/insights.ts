import { limitUpTo } from '../../../lib/list-query.ts'
import { z } from '@hono/zod-openapi'
import { readAnalytics } from '../../../features/assistant/insights/analytics.ts'
import type { Store } from '../../../store/database.ts'
import type { Access } from '../../access.ts'
import { operations } from '../../description/operation.ts'
import type { Endpoint } from '../../endpoint.ts'
import { periodOf, seriesCsv } from './period.ts'
import { intervals } from '../../../features/assistant/insights/insight-words.ts'
import { insights } from '../../../nouns/insights/answers.ts'
import { countedRange } from '../../../nouns/insights/inputs.ts'

const insightsQuery = z.object({
  ...countedRange,
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

/** What readers asked and searched, counted. */
export function getInsightsEndpoint({ access, store }: { access: Access; store: Store }): Endpoint {
  const { onProject } = operations(access, 'Insights')
  return onProject('getInsights', 'get /v2/insights/{projectId}', 'Get insights', {
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
  })
}

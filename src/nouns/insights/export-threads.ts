import { z } from '@hono/zod-openapi'
import { readExchanges, type Exchange } from '../../features/assistant/insights/conversations.ts'
import { csvLine } from '../../lib/text/csv.ts'
import type { Store } from '../../store/database.ts'
import type { Access } from '../../api/access.ts'
import { operations } from '../../api/description/operation.ts'
import { textStream } from '../../api/discovery/text-stream.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { present } from '../../verbs/present.ts'
import { exchange } from './answers.ts'
import { filterQuery } from './inputs.ts'
import { filterOf } from './question-filter.ts'

export function exportThreadsEndpoint({ access, store }: { access: Access; store: Store }): Endpoint {
  const { onProject } = operations(access, 'Insights')
  return onProject('exportThreads', 'get /v2/insights/{projectId}/export', 'Export conversations', {
    description:
      'Questions with their answers, citations and feedback, oldest first: one JSON object a line, or a table. Streamed: what ends early is not complete.',
    query: filterQuery.extend({
      format: z.enum(['jsonl', 'csv'], 'must be jsonl or csv').default('jsonl'),
    }),
    answer: [200, 'One object a line, with all fields of `Exchange`', z.string(), 'application/jsonl'],
    also: { '200': { description: 'The questions', content: exportTypes } },
    async handle({ context, project, query: { format, ...query } }) {
      const batches = readExchanges(store.db, project.id, filterOf(query))
      // Read before the status is sent, so that a database that is away is a refusal.
      const first = await batches.next()
      const name = `${project.domain}-conversations.${format}`
      const lines = linesOf(first.done === true ? [] : first.value, batches, format)
      return context.body(
        textStream(lines, () => undefined),
        200,
        {
          'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/jsonl',
          'Content-Disposition': `attachment; filename="${name}"`,
          'Cache-Control': 'no-store',
          'X-Content-Type-Options': 'nosniff',
        },
      )
    },
  })
}

const exportTypes = {
  'application/jsonl': { schema: z.string() },
  'text/csv': { schema: z.string() },
}

async function* linesOf(
  first: Exchange[],
  rest: AsyncGenerator<Exchange[], void, undefined>,
  format: 'jsonl' | 'csv',
): AsyncGenerator<string, void, undefined> {
  const write = (batch: Exchange[]): string =>
    batch
      .map((one) =>
        format === 'csv'
          ? csvLine(columns.map(([, of]) => of(one)))
          : `${JSON.stringify(present(exchange, one))}\n`,
      )
      .join('')
  if (format === 'csv') yield csvLine(columns.map(([name]) => name))
  yield write(first)
  for await (const batch of rest) yield write(batch)
}

/** The table's columns. What can be several is joined by line ends. */
const columns: readonly [string, (one: Exchange) => string | number | null][] = [
  ['askedAt', ({ askedAt }) => askedAt.toISOString()],
  ['threadId', ({ threadId }) => threadId],
  ['n', ({ n }) => n],
  ['fp', ({ fp }) => fp],
  ['caller', (one) => one.caller],
  ['page', ({ page }) => page],
  ['questionId', ({ questionId }) => questionId],
  ['question', ({ question }) => question],
  ['context', ({ context }) => context.map(({ value }) => value).join('\n')],
  ['replaces', ({ replaces }) => replaces],
  ['answerId', ({ answerId }) => answerId],
  ['answer', ({ answer }) => answer],
  ['outcome', ({ outcome }) => outcome],
  ['cause', ({ cause }) => cause],
  ['missing', ({ missing }) => missing.join('\n')],
  ['model', ({ model }) => model],
  ['milliseconds', ({ milliseconds }) => milliseconds],
  ['pinned', ({ pinned }) => pinned],
  ['sources', ({ sources }) => sources.map(({ url }) => url).join('\n')],
  ['ratings', ({ feedback }) => feedback.map(({ rating }) => rating).join('\n')],
  ['reasons', ({ feedback }) => feedback.map(({ reason }) => reason ?? '').join('\n')],
  ['notes', ({ feedback }) => feedback.map(({ note }) => note ?? '').join('\n')],
]

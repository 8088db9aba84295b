import { z } from '@hono/zod-openapi'
import {
  callers,
  intervals,
  readAnalytics,
  type Interval,
  type Range,
} from '../../../features/assistant/insights/analytics.ts'
import {
  listExchanges,
  listThreads,
  readExchanges,
  type Exchange,
  type Position,
  type QuestionFilter,
} from '../../../features/assistant/insights/conversations.ts'
import { feedbackReasons } from '../../../features/assistant/insights/feedback.ts'
import { deleteConversation, deletePerson } from '../../../features/assistant/insights/retention.ts'
import type { SearchLog } from '../../../features/assistant/insights/searches.ts'
import { answerOutcomes } from '../../../features/assistant/outcome.ts'
import { csvLine } from '../../../lib/csv.ts'
import { AppError } from '../../../lib/errors.ts'
import { hasUnstorable } from '../../../lib/plain-text.ts'
import type { Store } from '../../../store/database.ts'
import type { Access } from '../../access.ts'
import { textStream } from '../../discovery/text-stream.ts'
import type { Endpoint } from '../../endpoint.ts'
import { limitUpTo, operations } from '../../operation.ts'

const textRule = 'must be text of 1 to 1,000 characters that can be stored'
const text = z
  .string()
  .min(1, textRule)
  .max(1000, textRule)
  .refine((value) => !hasUnstorable(value), textRule)
const timeRule = 'must be a day such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z'
const time = z.union([z.iso.date(), z.iso.datetime({ offset: true })], timeRule)
const range = {
  from: time.optional().describe('A day (UTC) or a time: asked then or later.'),
  to: time.optional().describe('A day (UTC), which is included, or a time, which is not.'),
}

const filterQuery = z.object({
  ...range,
  outcome: z.enum(answerOutcomes, `must be one of ${answerOutcomes.join(', ')}`).optional(),
  caller: z.enum(callers, `must be one of ${callers.join(', ')}`).optional(),
  rating: z
    .enum(['up', 'down'], 'must be up or down')
    .optional()
    .describe('What a reader thought of an answer.'),
  page: text.optional().describe('The page that the reader was on, or the path or address of a cited one.'),
  text: text.optional().describe('What a question or its answer contains, in any case of letters.'),
  fp: text.optional().describe('Who asked.'),
})

const cursorRule = 'is not a cursor of this list; take it from `nextCursor`'
const cursor = z
  .string()
  .regex(/^\d{1,16}\.\d{1,9}\.[\w-]{0,2000}$/, cursorRule)
  .optional()
  .describe('`nextCursor` of the page before.')
const nextCursor = z.string().nullable().describe('Null on the last page.')

const listedThread = z
  .object({
    id: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().describe('When the newest question came.'),
    questions: z.int(),
    lastQuestion: z.string().describe('The newest question, at most 500 characters of it.'),
    outcome: z
      .enum(answerOutcomes)
      .nullable()
      .describe('How the newest answer ended; null while there is none.'),
    feedback: z.object({ up: z.int(), down: z.int() }),
  })
  .openapi('Thread')

const caller = z.enum(callers)
const givenFeedback = z.object({
  rating: z.enum(['up', 'down']),
  reason: z.enum(feedbackReasons).nullable(),
  note: z.string().nullable(),
  fp: z.string(),
  caller,
  at: z.iso.datetime(),
})
const source = z.looseObject({ path: z.string(), url: z.string(), title: z.string() })

export const exchange = z
  .object({
    threadId: z.string(),
    n: z.int().describe('The number of the question in its thread; its answer has the next one.'),
    askedAt: z.iso.datetime(),
    fp: z.string(),
    caller,
    page: z.string().nullable().describe('The page that the reader was on, as the client said.'),
    questionId: z.string(),
    question: z.string().describe('Empty where the project keeps no texts.'),
    replaces: z
      .int()
      .nullable()
      .describe('The number of the question that this one took the place of: asked again, or edited.'),
    answerId: z.string().nullable().describe('Null while there is no answer.'),
    answer: z.string().nullable(),
    answeredAt: z.iso.datetime().nullable(),
    outcome: z.enum(answerOutcomes).nullable(),
    cause: z.string().nullable().describe('Of `unanswered`: `nothing_found`, `weak` or `off_topic`.'),
    missing: z
      .array(z.string())
      .describe(
        'What was asked for that the documentation does not mention, as the model says. Of `partial` and `unanswered`.',
      ),
    model: z.string().nullable(),
    milliseconds: z.int().nullable(),
    sources: z.array(source).describe('What the answer cites.'),
    feedback: z.array(givenFeedback),
  })
  .openapi('Exchange')

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

/** What a docs team learns from readers: conversations, feedback and searches. */
export function insightsEndpoints({
  access,
  store,
  searchLog,
}: {
  access: Access
  store: Store
  searchLog: Pick<SearchLog, 'flush'>
}): Endpoint[] {
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
    onProject('listThreads', `get ${path}/threads`, 'List threads', {
      description:
        'The conversations of the assistant, the one with the newest question first. With filters, those in which one question meets all of them.',
      query: filterQuery.extend({ limit: limitUpTo(500, 20).describe('At most this many.'), cursor }),
      answer: [200, 'The threads', z.object({ threads: z.array(listedThread), nextCursor })],
      async handle({ project, query: { limit, cursor: after, ...query } }) {
        const filter = filterOf(query)
        const page = await listThreads(store.db, project.id, { filter, after: positionOf(after), limit })
        return {
          threads: page.threads.map(({ up, down, ...thread }) => ({
            ...thread,
            createdAt: thread.createdAt.toISOString(),
            updatedAt: thread.updatedAt.toISOString(),
            lastQuestion: thread.lastQuestion.slice(0, 500).toWellFormed(),
            feedback: { up, down },
          })),
          nextCursor: cursorOf(page.next),
        }
      },
    }),
    onProject('getThread', `get ${path}/threads/{thread}`, 'Get a thread', {
      description:
        'A conversation: its questions with their answers, citations and feedback, the oldest first.',
      query: z.object({ limit: limitUpTo(200, 100).describe('At most this many questions.'), cursor }),
      answer: [200, 'The thread', z.object({ id: z.string(), exchanges: z.array(exchange), nextCursor })],
      async handle({ context, project, query: { limit, cursor: after } }) {
        const id = context.req.param('thread') ?? ''
        const missing = new AppError('not_found', 'There is no such thread; see the list of threads')
        if (hasUnstorable(id)) throw missing
        const options = { filter: { threadId: id }, after: positionOf(after), limit }
        const { exchanges, next } = await listExchanges(store.db, project.id, options)
        if (exchanges.length === 0 && after === undefined) throw missing
        return { id, exchanges: exchanges.map(exchangeBody), nextCursor: cursorOf(next) }
      },
    }),
    onProject('exportThreads', `get ${path}/export`, 'Export conversations', {
      description:
        'Questions with their answers, citations and feedback, the oldest first: one JSON object a line, or a table. Streamed: what ends early is not complete.',
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
            'Content-Type':
              format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/jsonl',
            'Content-Disposition': `attachment; filename="${name}"`,
            'Cache-Control': 'no-store',
            'X-Content-Type-Options': 'nosniff',
          },
        )
      },
    }),
    onProject('deleteThreads', `delete ${path}/threads`, 'Delete threads', {
      description:
        'Deletes one thread by `id`, or by `fp` everything of one person: questions with their answers, feedback and searches.',
      query: z.object({
        id: z.string().optional().describe('Id of one thread.'),
        fp: z.string().optional().describe('Who asked, searched or rated.'),
      }),
      answer: [200, 'How many were deleted', z.object({ deleted: z.int() })],
      async handle({ project, query: { id, fp } }) {
        if ((id === undefined) === (fp === undefined))
          throw new AppError('invalid', 'Name either a thread by `id` or a person by `fp`')
        if (hasUnstorable(id ?? fp ?? '')) throw new AppError('not_found', 'There is no such thread')
        // Searches are written a moment later, which must not be after this.
        if (fp !== undefined) await searchLog.flush()
        const deleted =
          id === undefined
            ? await deletePerson(store, project.id, fp ?? '')
            : await deleteConversation(store, project.id, id)
        if (deleted === 0)
          throw new AppError('not_found', 'Nothing was deleted: there is no such thread or person')
        return { deleted }
      },
    }),
  ]
}

const day = 86_400_000
const mostParts = 1000
/** At least. */
const daysOf: Record<Interval, number> = { day: 1, week: 7, month: 28 }
const exportTypes = {
  'application/jsonl': { schema: z.string() },
  'text/csv': { schema: z.string() },
}

function each<Name extends string, Schema>(names: readonly Name[], schema: Schema): Record<Name, Schema> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>
}

function rangeOf({ from, to }: { from?: string | undefined; to?: string | undefined }): {
  from: Date | undefined
  to: Date | undefined
} {
  const start = from === undefined ? undefined : new Date(from)
  const isDay = to !== undefined && /^\d{4}-\d\d-\d\d$/.test(to)
  const end = to === undefined ? undefined : new Date(new Date(to).getTime() + (isDay ? day : 0))
  if (start && start >= (end ?? new Date()))
    throw new AppError('invalid', end ? '`from` must be before `to`' : '`from` must be in the past')
  return { from: start, to: end }
}

function daysIn({ from, to }: Range): number {
  return (to.getTime() - from.getTime()) / day
}

function fittingInterval({ from, to }: Range): Interval {
  const days = daysIn({ from, to })
  if (days <= 92) return 'day'
  return days <= 731 ? 'week' : 'month'
}

function filterOf({ from, to, ...filter }: z.output<typeof filterQuery>): QuestionFilter {
  return { ...filter, ...rangeOf({ from, to }) }
}

function cursorOf(position: Position | undefined): string | null {
  if (!position) return null
  return `${position.at}.${position.n}.${Buffer.from(position.threadId).toString('base64url')}`
}

function positionOf(text: string | undefined): Position | undefined {
  if (text === undefined) return undefined
  const [at, n, thread = ''] = text.split('.')
  const threadId = Buffer.from(thread, 'base64url').toString('utf8')
  if (hasUnstorable(threadId)) throw new AppError('invalid', `\`cursor\` ${cursorRule}`)
  return { at: Number(at), n: Number(n), threadId }
}

export function exchangeBody(one: Exchange): z.output<typeof exchange> {
  return {
    ...one,
    sources: one.sources.map((cited) => ({ ...cited })),
    askedAt: one.askedAt.toISOString(),
    answeredAt: one.answeredAt?.toISOString() ?? null,
  }
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
          : `${JSON.stringify(exchangeBody(one))}\n`,
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
  ['replaces', ({ replaces }) => replaces],
  ['answerId', ({ answerId }) => answerId],
  ['answer', ({ answer }) => answer],
  ['outcome', ({ outcome }) => outcome],
  ['cause', ({ cause }) => cause],
  ['missing', ({ missing }) => missing.join('\n')],
  ['model', ({ model }) => model],
  ['milliseconds', ({ milliseconds }) => milliseconds],
  ['sources', ({ sources }) => sources.map(({ url }) => url).join('\n')],
  ['ratings', ({ feedback }) => feedback.map(({ rating }) => rating).join('\n')],
  ['reasons', ({ feedback }) => feedback.map(({ reason }) => reason ?? '').join('\n')],
  ['notes', ({ feedback }) => feedback.map(({ note }) => note ?? '').join('\n')],
]

import { z } from '@hono/zod-openapi'
import { readAnalytics, type Analytics } from '../../features/assistant/insights/analytics.ts'
import { listExchanges, type Exchange } from '../../features/assistant/insights/conversations.ts'
import { countFeedbackByPage, listFeedback } from '../../features/assistant/insights/list-feedback.ts'
import { listSearches, type Range } from '../../features/assistant/insights/list-searches.ts'
import { limitUpTo, nextOffset, offsetCursor } from '../../lib/list-query.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import { nextCursor } from '../../nouns/insights/answers.ts'
import type { Store } from '../../store/database.ts'
import type { Access } from '../access.ts'
import { operations } from '../description/operation.ts'
import type { Endpoint } from '../endpoint.ts'
import { notFound } from '../errors.ts'
import { cursor, cursorOf, positionOf } from '../../nouns/insights/inputs.ts'

const timeRule = 'must be a day such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z'
const time = z
  .string(timeRule)
  .pipe(z.union([z.iso.date(), z.iso.datetime({ offset: true })], timeRule))
  .optional()
const dates = {
  dateFrom: time.describe('A day (UTC) or a time; 30 days before `dateTo` when absent.'),
  dateTo: time.describe('A day (UTC) or a time, which is not included; now when absent.'),
}
const feedbackFilter = {
  source: z
    .enum(['code_snippet', 'contextual', 'agent', 'thumbs_only'], {
      error: 'must be code_snippet, contextual, agent or thumbs_only',
    })
    .optional()
    .describe('All feedback here is `contextual`.'),
  status: z.string().optional().describe('All feedback here is `pending`.'),
}

const conversation = z
  .object({
    id: z.string(),
    timestamp: z.iso.datetime(),
    query: z.string(),
    response: z.string(),
    sources: z.array(z.object({ title: z.string(), url: z.string() })),
    resolutionStatus: z.enum(['answered', 'unanswered']),
    queryCategory: z.string().nullable(),
    pageUrl: z.string().nullable(),
  })
  .openapi('ConversationV1', { description: 'A conversation, as clients of the older interface read it.' })
const givenFeedback = z
  .object({
    id: z.string(),
    path: z.string(),
    comment: z.string().nullable(),
    createdAt: z.iso.datetime(),
    source: z.literal('contextual'),
    status: z.literal('pending'),
    helpful: z.boolean(),
    contact: z.string().nullable(),
  })
  .openapi('FeedbackV1', { description: 'Feedback, as clients of the older interface read it.' })
const message = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  createdAt: z.iso.datetime(),
})
const searched = z
  .object({
    searchQuery: z.string(),
    hits: z.int(),
    ctr: z.number().describe('Clicks are not counted.'),
    topClickedPage: z.string().nullable(),
    lastSearchedAt: z.iso.datetime(),
  })
  .openapi('SearchV1', { description: 'A query, as clients of the older interface read it.' })
const hasMore = z.boolean()

/** What readers asked, searched and rated, as version 1 of the interface has it. */
export function oldAnalyticsEndpoints({ access, store }: { access: Access; store: Store }): Endpoint[] {
  const { db } = store
  const { onProject } = operations(access, 'Older interface')
  const path = '/v1/analytics/{projectId}'
  return [
    onProject('listConversationsV1', `get ${path}/assistant`, 'List conversations (v1)', {
      deprecated: true,
      description: 'Questions with their answers, oldest first. Use `GET /v2/insights/{projectId}/threads`.',
      query: z.object({ ...dates, limit: limitUpTo(1000, 100), cursor }),
      answer: [200, 'The questions', z.object({ conversations: z.array(conversation), nextCursor, hasMore })],
      async handle({ project, query: { limit, cursor: after, ...query } }) {
        const options = { filter: rangeOf(query), after: positionOf(after), limit }
        const { rows, next } = await listExchanges(db, project.id, options)
        return {
          conversations: rows.map(conversationBody),
          nextCursor: cursorOf(next),
          hasMore: next !== undefined,
        }
      },
    }),
    onProject('getConversationV1', `get ${path}/assistant/threads/{threadId}`, 'Get a conversation (v1)', {
      deprecated: true,
      description: 'Use `GET /v2/insights/{projectId}/threads/{thread}`.',
      answer: [
        200,
        'The conversation',
        z.object({ threadId: z.string(), createdAt: z.iso.datetime(), messages: z.array(message) }),
      ],
      async handle({ context, project }) {
        const threadId = context.req.param('threadId') ?? ''
        const options = { filter: { threadId }, limit: 1000 }
        const rows = hasUnstorable(threadId) ? [] : (await listExchanges(db, project.id, options)).rows
        const [first] = rows
        if (!first) throw notFound('thread', threadId)
        return { threadId, createdAt: first.askedAt.toISOString(), messages: rows.flatMap(messagesOf) }
      },
    }),
    onProject('countCallersV1', `get ${path}/assistant/caller-stats`, 'Count questions by caller (v1)', {
      deprecated: true,
      description: 'Use `GET /v2/insights/{projectId}`.',
      query: z.object(dates),
      answer: [
        200,
        'The questions',
        z.object({ web: z.int(), api: z.int(), other: z.int(), total: z.int() }),
      ],
      async handle({ project, query }) {
        const { web, widget, api, mcp } = (await totalsOf(store, project.id, rangeOf(query))).callers
        const counts = { web: web.questions + widget.questions, api: api.questions, other: mcp.questions }
        return { ...counts, total: counts.web + counts.api + counts.other }
      },
    }),
    onProject('listFeedbackV1', `get ${path}/feedback`, 'List feedback (v1)', {
      deprecated: true,
      description: 'What readers think of answers, newest first. `path` is the page that they were on.',
      query: z.object({ ...dates, ...feedbackFilter, limit: limitUpTo(100, 50), cursor }),
      answer: [200, 'The feedback', z.object({ feedback: z.array(givenFeedback), nextCursor, hasMore })],
      async handle({ project, query: { limit, cursor: after, ...query } }) {
        if (!isWanted(query)) return { feedback: [], nextCursor: null, hasMore: false }
        const options = { range: rangeOf(query), after: positionOf(after), limit }
        const { rows, next } = await listFeedback(db, project.id, options)
        const feedback = rows.map(({ id, page, note, createdAt, rating }) => ({
          id,
          path: page ?? '',
          comment: note,
          createdAt: createdAt.toISOString(),
          source: 'contextual' as const,
          status: 'pending' as const,
          helpful: rating === 'up',
          contact: null,
        }))
        return { feedback, nextCursor: cursorOf(next), hasMore: next !== undefined }
      },
    }),
    onProject('countFeedbackV1', `get ${path}/feedback/by-page`, 'Count feedback by page (v1)', {
      deprecated: true,
      description: 'The pages with most feedback first.',
      query: z.object({ ...dates, ...feedbackFilter, limit: limitUpTo(100, 10) }),
      answer: [
        200,
        'The pages',
        z.object({
          feedback: z.array(
            z.object({
              path: z.string(),
              thumbsUp: z.int(),
              thumbsDown: z.int(),
              code: z.int(),
              total: z.int(),
            }),
          ),
          hasMore,
        }),
      ],
      async handle({ project, query: { limit, ...query } }) {
        if (!isWanted(query)) return { feedback: [], hasMore: false }
        const pages = await countFeedbackByPage(db, project.id, rangeOf(query), limit + 1)
        const feedback = pages.slice(0, limit).map(({ page, up, down }) => ({
          path: page,
          thumbsUp: up,
          thumbsDown: down,
          code: 0,
          total: up + down,
        }))
        return { feedback, hasMore: pages.length > limit }
      },
    }),
    onProject('listSearchesV1', `get ${path}/searches`, 'List searches (v1)', {
      deprecated: true,
      description: 'By wording, most frequent first. Use `GET /v2/insights/{projectId}/searches`.',
      query: z.object({
        ...dates,
        limit: limitUpTo(100, 50),
        cursor: offsetCursor.optional(),
      }),
      answer: [
        200,
        'The searches',
        z.object({ searches: z.array(searched), totalSearches: z.int(), nextCursor }),
      ],
      async handle({ project, query: { limit, cursor: after, ...query } }) {
        const offset = Number(after ?? 0)
        const range = rangeOf(query)
        const { searches } = await listSearches(db, project.id, { range, offset, limit: limit + 1 })
        const totals = await totalsOf(store, project.id, range)
        return {
          searches: searches.slice(0, limit).map((one) => ({
            searchQuery: one.query,
            hits: one.searches,
            ctr: 0,
            topClickedPage: null,
            lastSearchedAt: one.lastSearchedAt.toISOString(),
          })),
          totalSearches: totals.searches.total,
          nextCursor: nextOffset(searches.length, { offset, limit }),
        }
      },
    }),
  ]
}

const day = 86_400_000

function rangeOf({
  dateFrom,
  dateTo,
}: {
  dateFrom?: string | undefined
  dateTo?: string | undefined
}): Range {
  const to = dateTo === undefined ? new Date() : new Date(dateTo)
  return { from: dateFrom === undefined ? new Date(to.getTime() - 30 * day) : new Date(dateFrom), to }
}

async function totalsOf(store: Store, projectId: string, range: Range): Promise<Analytics['totals']> {
  return (await readAnalytics(store, projectId, { range, interval: 'month', limit: 1 })).totals
}

function isWanted({ source, status }: { source?: string | undefined; status?: string | undefined }): boolean {
  return (source ?? 'contextual') === 'contextual' && (status ?? 'pending').split(',').includes('pending')
}

function conversationBody(one: Exchange): z.output<typeof conversation> {
  return {
    id: one.questionId,
    timestamp: one.askedAt.toISOString(),
    query: one.question,
    response: one.answer ?? '',
    sources: one.sources.map(({ title, url }) => ({ title, url })),
    resolutionStatus: one.outcome === 'unanswered' ? 'unanswered' : 'answered',
    queryCategory: null,
    pageUrl: one.page,
  }
}

function messagesOf(one: Exchange): z.output<typeof message>[] {
  const question = {
    id: one.questionId,
    role: 'user' as const,
    content: one.question,
    createdAt: one.askedAt.toISOString(),
  }
  if (one.answerId === null || one.answeredAt === null) return [question]
  const createdAt = one.answeredAt.toISOString()
  return [question, { id: one.answerId, role: 'assistant', content: one.answer ?? '', createdAt }]
}

import { z } from '@hono/zod-openapi'
import { listExchanges, listThreads } from '../../../features/assistant/insights/conversations.ts'
import { limitUpTo } from '../../../lib/list-query.ts'
import { AppError } from '../../../lib/errors.ts'
import { hasUnstorable } from '../../../lib/text/plain-text.ts'
import type { Store } from '../../../store/database.ts'
import type { Access } from '../../access.ts'
import { operations } from '../../description/operation.ts'
import type { Endpoint } from '../../endpoint.ts'
import { exchangeBody } from './exchange.ts'
import { cursor, cursorOf, filterOf, filterQuery, positionOf } from './question-filter.ts'
import { threadList, wholeThread } from '../../../nouns/insights/answers.ts'

/** What readers asked and were answered, conversation by conversation. */
export function threadEndpoints({ access, store }: { access: Access; store: Store }): Endpoint[] {
  const { onProject } = operations(access, 'Insights')
  const path = '/v2/insights/{projectId}'
  return [
    onProject('listThreads', `get ${path}/threads`, 'List threads', {
      description:
        'The conversations of the assistant, by newest question. With filters, those in which one question meets all of them. Such a page is searched for in some thousand conversations: it may be short, or empty, while `nextCursor` leads on.',
      query: filterQuery.extend({ limit: limitUpTo(500, 20).describe('At most this many.'), cursor }),
      answer: [200, 'The threads', threadList],
      async handle({ project, query: { limit, cursor: after, ...query } }) {
        const filter = filterOf(query)
        const page = await listThreads(store.db, project.id, { filter, after: positionOf(after), limit })
        return {
          threads: page.rows.map(({ up, down, ...thread }) => ({
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
      description: 'A conversation: its questions with their answers, citations and feedback, oldest first.',
      query: z.object({ limit: limitUpTo(200, 100).describe('At most this many questions.'), cursor }),
      answer: [200, 'The thread', wholeThread],
      async handle({ context, project, query: { limit, cursor: after } }) {
        const id = context.req.param('thread') ?? ''
        const missing = new AppError('not_found', 'Thread not found; see the list of threads')
        if (hasUnstorable(id)) throw missing
        const options = { filter: { threadId: id }, after: positionOf(after), limit }
        const { rows: exchanges, next } = await listExchanges(store.db, project.id, options)
        if (exchanges.length === 0 && after === undefined) throw missing
        return { id, exchanges: exchanges.map(exchangeBody), nextCursor: cursorOf(next) }
      },
    }),
  ]
}

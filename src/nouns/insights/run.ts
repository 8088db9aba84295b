import { jobToBody } from '../jobs/job-body.ts'
import { periodOf, seriesCsv } from './period.ts'
import { filterOf } from './question-filter.ts'
import { cursorOf, positionOf } from './inputs.ts'
import { createJob } from '../../features/agent/create-job.ts'
import { readAnalytics } from '../../features/assistant/insights/analytics.ts'
import * as conversations from '../../features/assistant/insights/conversations.ts'
import * as searches from '../../features/assistant/insights/list-searches.ts'
import { deleteConversation, deletePerson } from '../../features/assistant/insights/retention.ts'
import type { SearchLog } from '../../features/assistant/insights/searches.ts'
import { answerGone, readQuestion, workOfAnswer } from '../../features/assistant/insights/work-of-answer.ts'
import { askedBy } from '../../features/projects/allow.ts'
import { countLimits, limits, useBy } from '../../features/projects/limits.ts'
import { nextOffset } from '../../lib/list-query.ts'
import { AppError } from '../../lib/errors.ts'
import { hasUnstorable } from '../../lib/text/plain-text.ts'
import type { Store } from '../../store/database.ts'
import { deed } from '../../verbs/verb.ts'
import type { OncePorts } from '../jobs/once.ts'
import * as verbs from './verbs.ts'

interface Ports {
  store: Store
  searchLog: Pick<SearchLog, 'flush'>
}

const getInsights = deed(
  verbs.getInsights,
  async ({ store }: Ports, { project, context }, { limit, format, ...query }) => {
    const { range, interval } = periodOf(query)
    const read = await readAnalytics(store, project.id, { range, interval, limit })
    if (format === 'csv')
      return context.body(seriesCsv(read.series), 200, {
        'Content-Type': 'text/csv; charset=utf-8; header=present',
        'Content-Disposition': `attachment; filename="${project.domain}-assistant.csv"`,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      })
    return { ...range, interval, ...read }
  },
)

const listSearches = deed(
  verbs.listSearches,
  async ({ store }: Ports, { project }, { limit, cursor, result, text, ...query }) => {
    const offset = Number(cursor ?? 0)
    const wanted = { range: periodOf(query).range, result, text, offset, limit: limit + 1 }
    const page = await searches.listSearches(store.db, project.id, wanted)
    return {
      searches: page.searches.slice(0, limit),
      nextCursor: nextOffset(page.searches.length, { offset, limit }),
      counted: page.counted,
    }
  },
)

const listThreads = deed(
  verbs.listThreads,
  async ({ store }: Ports, { project }, { limit, cursor: after, ...query }) => {
    const wanted = { filter: filterOf(query), after: positionOf(after), limit }
    const page = await conversations.listThreads(store.db, project.id, wanted)
    return {
      threads: page.rows.map(({ up, down, ...thread }) => ({
        ...thread,
        lastQuestion: thread.lastQuestion.slice(0, 500).toWellFormed(),
        feedback: { up, down },
      })),
      nextCursor: cursorOf(page.next),
    }
  },
)

const getThread = deed(
  verbs.getThread,
  async ({ store }: Ports, { project }, { thread: id, limit, cursor: after }) => {
    const missing = new AppError('not_found', 'Conversation not found')
    const options = { filter: { threadId: id }, after: positionOf(after), limit }
    const { rows, next } = await conversations.listExchanges(store.db, project.id, options)
    if (rows.length === 0 && after === undefined) throw missing
    return { id, exchanges: rows, nextCursor: cursorOf(next) }
  },
)

export const deleteThreads = deed(
  verbs.deleteThreads,
  async ({ store, searchLog }: Ports, { project }, { id, fp }) => {
    if ((id === undefined) === (fp === undefined))
      throw new AppError('invalid', 'Name either a thread by `id` or a person by `fp`')
    if (hasUnstorable(id ?? fp ?? '')) throw new AppError('not_found', 'Conversation not found')
    // Searches are written a moment later, which must not be after this.
    if (fp !== undefined) await searchLog.flush()
    const deleted =
      id === undefined
        ? await deletePerson(store, project.id, fp ?? '')
        : await deleteConversation(store, project.id, id)
    if (deleted === 0) throw new AppError('not_found', 'Nothing was deleted. Thread or reader not found')
    return { deleted }
  },
)

export const createAnswerJob = deed(
  verbs.createAnswerJob,
  async (ports: OncePorts, { project, caller }, { thread, question, prompt, ...options }) => {
    const answer = readQuestion(thread, question)
    const work = answer && (await workOfAnswer(ports.store.db, project.id, answer))
    if (!work) throw answerGone()
    const input = { ...work, ...options, prompt: prompt ?? work.prompt, answer, askedBy: askedBy(caller) }
    const uses = [useBy(project, limits.jobCreate)]
    const job = await createJob(ports, project, input, (tx) => countLimits(tx, uses))
    return jobToBody(job, project, ports)
  },
)

export const insightDeeds = [getInsights, listSearches, listThreads, getThread, deleteThreads]

/** Apart, because it asks for ports of its own. */
export const workDeeds = [createAnswerJob]

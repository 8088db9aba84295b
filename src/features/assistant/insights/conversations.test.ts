import { beforeAll, expect, it } from 'vitest'
import { addExchange, insertProject } from '../../../../tests/assistant-server.ts'
import { describeOnBothEngines } from '../../../../tests/stores.ts'
import { listExchanges, listThreads, readExchanges, type QuestionFilter } from './conversations.ts'
import { giveFeedback } from './feedback.ts'

const cited = {
  path: 'docs/install.md',
  url: 'https://docs.example.com/install#linux',
  title: 'Install › Linux',
}
const at = (day: number): Date => new Date(Date.UTC(2026, 0, day, 12))

describeOnBothEngines('conversations', (store) => {
  beforeAll(async () => {
    await insertProject(store())
    const add = (exchange: Parameters<typeof addExchange>[1]) => addExchange(store(), exchange)
    await add({ threadId: 'first', fp: 'ann', text: 'How do I INSTALL it?', sources: [cited], at: at(1) })
    await add({ threadId: 'second', fp: 'ben', caller: 'widget', page: '/limits', text: 'Hello?', at: at(2) })
    await add({
      threadId: 'second',
      fp: 'ann',
      said: 'It does not say.',
      outcome: { outcome: 'unanswered', cause: 'weak' },
      at: at(3),
    })
    await add({ threadId: 'other', projectId: 'prj_other', fp: 'ann', at: at(3) })
    await store().transaction((tx) =>
      giveFeedback(tx, 'prj_docs', {
        threadId: 'second',
        messageId: undefined,
        rating: 'down',
        reason: 'incomplete',
        note: 'Hm',
        fp: undefined,
        caller: 'widget',
      }),
    )
  })

  const found = async (filter: QuestionFilter) =>
    (await listThreads(store().db, 'prj_docs', { filter, limit: 10 })).rows.map(({ id }) => id)

  it.each<[string, QuestionFilter, string[]]>([
    ['nothing', {}, ['second', 'first']],
    ['a range', { from: at(1), to: at(2) }, ['first']],
    ['its end', { from: at(3) }, ['second']],
    ['an empty range', { from: at(4) }, []],
    ['an outcome', { outcome: 'unanswered' }, ['second']],
    ['a caller', { caller: 'widget' }, ['second']],
    ['a rating', { rating: 'down' }, ['second']],
    ['another rating', { rating: 'up' }, []],
    ['the page of the reader', { page: '/limits' }, ['second']],
    ['the file that is cited', { page: 'docs/install.md' }, ['first']],
    ['the page that is cited', { page: 'https://docs.example.com/install' }, ['first']],
    ['words of a question', { text: 'install' }, ['first']],
    ['words of an answer', { text: 'DOES NOT' }, ['second']],
    ['signs that patterns know', { text: '%' }, []],
    ['a person', { fp: 'ann' }, ['second', 'first']],
    ['all of one question', { fp: 'ann', caller: 'widget' }, []],
  ])('are found by %s', async (_, filter, expected) => {
    expect(await found(filter)).toEqual(expected)
  })

  it('are listed page by page, with what became of them', async () => {
    const first = await listThreads(store().db, 'prj_docs', { limit: 1 })
    expect(first.rows).toMatchObject([
      { id: 'second', questions: 2, outcome: 'unanswered', up: 0, down: 1, lastQuestion: 'How?' },
    ])
    const second = await listThreads(store().db, 'prj_docs', { limit: 1, after: first.next })
    expect(second.rows).toMatchObject([{ id: 'first', lastQuestion: 'How do I INSTALL it?' }])
    expect(second.next).toBeUndefined()
    // Of those that a filter means, the newest is named, with its answer.
    const earlier = await listThreads(store().db, 'prj_docs', { filter: { to: at(3) }, limit: 1 })
    expect(earlier.rows).toMatchObject([{ id: 'second', lastQuestion: 'Hello?', outcome: 'answered' }])
  })

  it('are searched a bounded number at a time', async () => {
    const search = { filter: { text: 'install' }, limit: 10, within: 1 }
    const first = await listThreads(store().db, 'prj_docs', search)
    expect(first).toMatchObject({ rows: [], searched: 1 })
    const second = await listThreads(store().db, 'prj_docs', { ...search, after: first.next })
    expect(second).toMatchObject({ rows: [{ id: 'first' }], searched: undefined })
    expect(second.next).toBeUndefined()
    const questions: string[] = []
    for (let after, isMore = true; isMore;) {
      const page = await listExchanges(store().db, 'prj_docs', {
        filter: { outcome: 'unanswered' },
        limit: 10,
        within: 1,
        after,
      })
      questions.push(...page.rows.map(({ threadId }) => threadId))
      after = page.next
      isMore = after !== undefined
    }
    expect(questions).toEqual(['second'])
  })

  it('are read as questions with answers, citations and feedback', async () => {
    const { rows: exchanges } = await listExchanges(store().db, 'prj_docs', {
      filter: { threadId: 'second' },
      limit: 10,
    })
    expect(exchanges).toMatchObject([
      { n: 0, fp: 'ben', caller: 'widget', page: '/limits', answer: 'So.', sources: [], feedback: [] },
      {
        n: 2,
        askedAt: at(3),
        outcome: 'unanswered',
        cause: 'weak',
        model: 'builtin',
        milliseconds: 10,
        feedback: [{ rating: 'down', reason: 'incomplete', note: 'Hm', fp: 'ann', caller: 'widget' }],
      },
    ])
    expect(exchanges[1]?.feedback[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('are exported whole, in batches, also where many have the same time', async () => {
    for (let count = 0; count < 205; count++)
      await addExchange(store(), { threadId: `many-${count % 3}`, at: at(10) })
    const batches: string[][] = []
    for await (const batch of readExchanges(store().db, 'prj_docs', { from: at(10) }))
      batches.push(batch.map(({ questionId }) => questionId))
    expect(batches.map((batch) => batch.length)).toEqual([100, 100, 5])
    expect(new Set(batches.flat()).size).toBe(205)
  })
})

import { beforeAll, expect, it } from 'vitest'
import { addExchange, insertProject } from '../../../../tests/assistant-server.ts'
import { describeOnBothEngines } from '../../../../tests/stores.ts'
import { readAnalytics, startsOf } from './analytics.ts'
import { giveFeedback } from './feedback.ts'
import { listSearches } from './list-searches.ts'
import { createRecentAnalytics } from './recent-analytics.ts'
import { createSearchLog } from './searches.ts'
import { deleteThread } from '../threads/threads.ts'
import type { Interval } from './insight-words.ts'

const at = (month: number, day: number): Date => new Date(Date.UTC(2026, month - 1, day, 23, 59))
const install = {
  path: 'docs/install.md',
  url: 'https://docs.example.com/install#linux',
  title: 'Install › Linux',
}
const more = { ...install, url: 'https://docs.example.com/install', title: 'Install', heading: 'Install' }

describeOnBothEngines('analytics', (store) => {
  beforeAll(async () => {
    await insertProject(store())
    const add = (exchange: Parameters<typeof addExchange>[1]) => addExchange(store(), exchange)
    await add({ threadId: 'a', sources: [install], milliseconds: 10, page: '/limits', at: at(1, 31) })
    await add({ threadId: 'a', sources: [install, more], milliseconds: 20, caller: 'widget', at: at(2, 2) })
    await add({
      threadId: 'b',
      outcome: { outcome: 'unanswered', cause: 'weak' },
      sources: [{ path: 'docs/near.md', url: 'https://docs.example.com/near', title: 'Near' }],
      milliseconds: 1000,
      model: 'large',
      at: at(2, 2),
    })
    await add({ threadId: 'a', projectId: 'prj_other', at: at(2, 2) })
    const rate = (threadId: string, fp: string, rating: 'up' | 'down') =>
      store().transaction((tx) =>
        giveFeedback(tx, 'prj_docs', {
          threadId,
          messageId: undefined,
          rating,
          reason: rating === 'down' ? 'outdated' : undefined,
          note: undefined,
          fp,
          caller: 'web',
        }),
      )
    await rate('a', 'ann', 'up')
    await rate('a', 'ben', 'down')
    const log = createSearchLog(store(), () => undefined)
    const search = {
      projectId: 'prj_docs',
      confidence: 1,
      caller: 'mcp',
      fp: undefined,
      milliseconds: 1,
    } as const
    log.record({ ...search, query: 'Redis', results: 0 })
    log.record({ ...search, query: 'redis', results: 0 })
    log.record({ ...search, query: 'install', results: 5 })
    await log.flush()
    await store().transaction(async (tx) => {
      await tx
        .updateTable('feedback')
        .set({ created_at: at(2, 3) })
        .execute()
      await tx
        .updateTable('searches')
        .set({ created_at: at(2, 3) })
        .execute()
      const usage = { project_id: 'prj_docs', surface: 'assistant' as const, model: 'large', calls: 2 }
      const tokens = { input_tokens: 100, cached_input_tokens: 10, output_tokens: 5 }
      await tx
        .insertInto('usage_days')
        .values([
          { ...usage, ...tokens, day: '2026-02-02', cost: 1_500_000 },
          { ...usage, ...tokens, day: '2026-02-03', cost: null },
          { ...usage, ...tokens, day: '2026-02-04', cost: 1 },
        ])
        .execute()
    })
  })

  const read = (from: Date, to: Date, interval: Interval = 'day') =>
    readAnalytics(store(), 'prj_docs', { range: { from, to }, interval, limit: 1 })

  it('count questions, answers, citations, feedback, searches and usage of a range', async () => {
    const analytics = await read(new Date('2026-02-01'), new Date('2026-02-04'))
    expect(analytics.totals).toMatchObject({
      conversations: 2,
      questions: 2,
      outcomes: { answered: 1, unanswered: 1, partial: 0, stopped: 0 },
      causes: { nothing_found: 0, weak: 1, off_topic: 0 },
      feedback: { up: 1, down: 1 },
      reasons: { outdated: 1, other: 0 },
      searches: { total: 3, withoutResult: 2 },
      callers: {
        widget: { questions: 1, searches: 0 },
        api: { questions: 1, searches: 0 },
        mcp: { questions: 0, searches: 3 },
        web: { questions: 0, searches: 0 },
      },
      latency: { p50: 510, p95: 951 },
    })
    expect(
      analytics.series.map(({ start, questions, searches }) => [start, questions, searches.total]),
    ).toEqual([
      ['2026-02-01', 0, 0],
      ['2026-02-02', 2, 0],
      ['2026-02-03', 0, 3],
    ])
    const used = { model: 'large', calls: 2, inputTokens: 100, cachedInputTokens: 10, outputTokens: 5 }
    expect(analytics.series.map(({ callers, usage }) => [callers.mcp.searches, usage])).toEqual([
      [0, []],
      [0, [{ ...used, cost: 1.5 }]],
      [3, [{ ...used, cost: null }]],
    ])
    expect(analytics).toMatchObject({
      pages: [
        { path: 'docs/install.md', url: 'https://docs.example.com/install', title: 'Install', citations: 2 },
      ],
      sections: [{ url: 'https://docs.example.com/install', heading: 'Install', citations: 1 }],
      askedOn: [],
      queries: [{ query: 'redis', searches: 2, withoutResult: 2 }],
      queriesWithoutResult: [{ query: 'redis', searches: 2 }],
      models: [
        { model: 'builtin', answers: 1, p50: 20, p95: 20 },
        { model: 'large', answers: 1, p50: 1000, p95: 1000 },
      ],
      usage: [
        {
          model: 'large',
          calls: 4,
          inputTokens: 200,
          cachedInputTokens: 20,
          outputTokens: 10,
          cost: 1.5,
        },
      ],
    })
  })

  it('group by weeks and months, which conversations may span', async () => {
    const range = [new Date('2026-01-31'), new Date('2026-03-01')] as const
    const conversations = async (interval: Interval) =>
      (await read(...range, interval)).series.map((one) => [one.start, one.conversations, one.questions])
    expect(await conversations('month')).toEqual([
      ['2026-01-01', 1, 1],
      ['2026-02-01', 2, 2],
    ])
    expect((await conversations('week')).slice(0, 2)).toEqual([
      ['2026-01-26', 1, 1],
      ['2026-02-02', 2, 2],
    ])
    const whole = await read(...range)
    expect([whole.totals.conversations, whole.askedOn]).toEqual([2, [{ page: '/limits', questions: 1 }]])
    expect(whole.sections).toMatchObject([{ title: 'Install › Linux', heading: null, citations: 2 }])
  })

  it('are counted anew after a minute, or when something was deleted', async () => {
    let time = 0
    const recent = createRecentAnalytics(store(), () => time)
    const range = { from: new Date('2026-02-01'), to: new Date('2026-02-04') }
    const questions = async () => (await recent.read('prj_docs', { range, interval: 'day' })).totals.questions
    expect(await questions()).toBe(2)
    await addExchange(store(), { threadId: 'late', at: at(2, 3) })
    time = 59_999
    expect(await questions()).toBe(2)
    recent.forget('prj_other')
    expect(await questions()).toBe(2)
    recent.forget('prj_docs')
    expect(await questions()).toBe(3)
    await store().transaction((tx) => deleteThread(tx, 'prj_docs', 'late'))
    time += 60_000
    expect(await questions()).toBe(2)
  })

  it('list searches by wording, and those that found nothing or hardly anything', async () => {
    const range = { from: new Date('2026-02-01'), to: new Date('2026-02-04') }
    const list = async (more: Omit<Parameters<typeof listSearches>[2], 'range' | 'limit'> = {}) =>
      (await listSearches(store().db, 'prj_docs', { range, limit: 10, ...more })).searches.map(
        ({ query, searches, withoutResult, weak }) => [query, searches, withoutResult, weak],
      )
    expect(await list()).toEqual([
      ['redis', 2, 2, 0],
      ['install', 1, 0, 0],
    ])
    expect(await list({ offset: 1 })).toHaveLength(1)
    expect(await list({ result: 'none' })).toEqual([['redis', 2, 2, 0]])
    expect(await list({ result: 'weak' })).toEqual([])
    expect(await list({ text: 'INST' })).toEqual([['install', 1, 0, 0]])
    const { searches, counted } = await listSearches(store().db, 'prj_docs', { range, limit: 10, within: 2 })
    expect([searches.reduce((sum, one) => sum + one.searches, 0), counted]).toEqual([2, 2])
  })

  it('are zeros where nothing happened', async () => {
    const analytics = await read(new Date('2020-01-01'), new Date('2020-01-03'))
    expect(analytics.totals).toMatchObject({
      conversations: 0,
      questions: 0,
      outcomes: { answered: 0 },
      feedback: { up: 0, down: 0 },
      latency: { p50: null, p95: null },
    })
    expect(analytics.series).toHaveLength(2)
    expect(analytics).toMatchObject({ pages: [], sections: [], queries: [], models: [], usage: [] })
  })
})

it('begins weeks on Monday and months on the first, in UTC', () => {
  const range = { from: new Date('2026-02-01T23:00:00Z'), to: new Date('2026-03-02T00:00:00Z') }
  expect(startsOf(range, 'week')).toEqual([
    '2026-01-26',
    '2026-02-02',
    '2026-02-09',
    '2026-02-16',
    '2026-02-23',
  ])
  expect(startsOf(range, 'month')).toEqual(['2026-02-01', '2026-03-01'])
  expect(startsOf({ from: range.from, to: new Date('2026-02-02') }, 'day')).toEqual(['2026-02-01'])
})

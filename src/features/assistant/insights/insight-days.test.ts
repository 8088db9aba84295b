import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { insertProject } from '../../../../tests/assistant-server.ts'
import { describeOnBothEngines } from '../../../../tests/stores.ts'
import { scanAnalytics } from '../../../../tests/worlds/scanned-analytics.ts'
import { readAnalytics } from './analytics.ts'
import { deleteConversation, deleteExpired, deletePerson } from './retention.ts'

const projectId = 'prj_docs'
const now = new Date('2026-06-20T13:30:00Z')
const range = { from: new Date('2026-05-10T09:15:00Z'), to: now }
const limit = 7

describeOnBothEngines('insights from sums of days', (store) => {
  // 45 days with some 40 questions and 20 searches each, in threads that go on for days.
  beforeAll(async () => {
    await insertProject(store())
    await sql`select setseed(0.3)`.execute(store().db)
    await store().transaction(async (tx) => {
      await sql`insert into threads (project_id, id, minted)
        select ${projectId}, 'thread-' || t, true from generate_series(0, 249) t`.execute(tx)
      await sql`
        insert into messages (project_id, thread_id, n, id, fp, role, text, sources, outcome, cause, missing, caller, page,
          model, milliseconds, created_at)
        select ${projectId}, 'thread-' || q % 250, q / 250 * 2 + half, 'msg_' || q || '-' || half, 'fp-' || q % 31,
          case half when 0 then 'user' else 'assistant' end, 'text',
          case half when 0 then '[]' else (
            select coalesce(jsonb_agg(jsonb_build_object('path', 'p' || (q * s) % 13 || '.md',
              'url', 'https://docs.example.com/p' || (q * s) % 13 || '#h' || (q + s) % 3,
              'title', 'Page ' || q % 5 || ' › ' || s, 'heading', case when s = 2 then 'Heading ' || q % 4 end)), '[]')
            from generate_series(1, q % 4) s) end,
          case when half = 1 then (array['answered', 'unanswered', 'partial', 'uncited'])[1 + q % 4] end,
          case when half = 1 and q % 4 = 1 then (array['weak', 'nothing_found', 'off_topic'])[1 + q % 3] end,
          '[]', (array['web', 'widget', 'api', 'mcp'])[1 + q % 4],
          case when half = 0 and q % 3 > 0 then '/page-' || q % 11 end,
          case when half = 1 then 'model-' || q % 3 end,
          case when half = 1 and q % 17 > 0 then (random() * 9000)::int end,
          ${now}::timestamptz - (q + random()) * interval '36 minutes'
        from generate_series(0, 1799) q, generate_series(0, 1) half`.execute(tx)
      await sql`
        insert into feedback (project_id, thread_id, n, fp, rating, reason, caller, created_at)
        select project_id, thread_id, n, fp, case when n % 3 = 0 then 'up' else 'down' end,
          case when n % 3 > 0 then 'outdated' end, caller, created_at + interval '7 hours'
        from messages where role = 'assistant' and milliseconds % 5 = 0
          and created_at < ${now}::timestamptz - interval '8 hours'`.execute(tx)
      await sql`
        insert into searches (project_id, query, results, confidence, caller, fp, milliseconds, created_at)
        select ${projectId}, case when s % 9 = 0 then '' when s % 2 = 0 then 'How to ' || s % 23 else 'how TO ' || s % 23 end,
          s % 4, 0.5, (array['web', 'mcp'])[1 + s % 2], 'fp-' || s % 31, 3,
          ${now}::timestamptz - (s + random()) * interval '72 minutes'
        from generate_series(0, 899) s`.execute(tx)
    })
  })

  const kept = async () => {
    const { rows } = await sql<{ day: string }>`
      select day::text as day from insight_days where project_id = ${projectId} order by 1`.execute(
      store().db,
    )
    return rows.map(({ day }) => day)
  }

  /** What the sums say, in the form of what is scanned. */
  async function expectSame(asked = range): Promise<void> {
    const read = await readAnalytics(store(), projectId, { range: asked, interval: 'day', limit }, now)
    const scanned = await scanAnalytics(store().db, projectId, { range: asked, limit })
    const sum = (rows: Record<string, unknown>[], name: string, where: Record<string, unknown> = {}) =>
      rows
        .filter((row) => Object.entries(where).every(([key, value]) => row[key] === value))
        .reduce((all, row) => all + Number(row[name]), 0)
    const [all, ...days] = scanned.conversations.toSorted((one) => (one['start'] === null ? -1 : 1))
    const [latency, ...models] = scanned.models
    const { totals } = read
    expect({
      conversations: [
        totals.conversations,
        read.series.filter((one) => one.conversations > 0).map((one) => one.conversations),
      ],
      questions: totals.questions,
      outcomes: totals.outcomes,
      causes: totals.causes,
      callers: totals.callers,
      feedback: [totals.feedback, totals.reasons.outdated],
      searches: totals.searches,
      latency: totals.latency,
      models: read.models,
      lists: [read.pages, read.sections, read.askedOn, read.queries, read.queriesWithoutResult],
    }).toEqual({
      conversations: [all?.['count'], days.map(({ count }) => count)],
      questions: sum(scanned.messages, 'count', { role: 'user' }),
      outcomes: Object.fromEntries(
        Object.keys(totals.outcomes).map((outcome) => [outcome, sum(scanned.messages, 'count', { outcome })]),
      ),
      causes: Object.fromEntries(
        Object.keys(totals.causes).map((cause) => [cause, sum(scanned.messages, 'count', { cause })]),
      ),
      callers: Object.fromEntries(
        Object.keys(totals.callers).map((caller) => [
          caller,
          {
            questions: sum(scanned.messages, 'count', { caller, role: 'user' }),
            searches: sum(scanned.searches, 'count', { caller }),
          },
        ]),
      ),
      feedback: [
        {
          up: sum(scanned.feedback, 'count', { rating: 'up' }),
          down: sum(scanned.feedback, 'count', { rating: 'down' }),
        },
        sum(scanned.feedback, 'count', { reason: 'outdated' }),
      ],
      searches: { total: sum(scanned.searches, 'count'), withoutResult: sum(scanned.searches, 'without') },
      latency: { p50: latency?.['p50'], p95: latency?.['p95'] },
      models,
      lists: [
        scanned.pages,
        scanned.sections,
        scanned.askedOn,
        scanned.queries,
        scanned.queriesWithoutResult,
      ],
    })
  }

  it('are those that a scan counts, before and after the sums are kept', async () => {
    expect(await kept()).toEqual([])
    await expectSame()
    const days = await kept()
    // The days that are over: not the first, of which a part is asked for, and not the last.
    expect([days.length, days[0], days.at(-1)]).toEqual([40, '2026-05-11', '2026-06-19'])
    await expectSame()
    expect(await kept()).toEqual(days)
    await expectSame({ from: new Date('2026-05-20T00:00:00Z'), to: new Date('2026-05-29T23:00:00Z') })
  })

  it('stay true when a person, a conversation or what has expired is deleted', async () => {
    await expectSame()
    const before = (await kept()).length
    expect(await deletePerson(store(), projectId, 'fp-3')).toBeGreaterThan(0)
    expect((await kept()).length).toBeLessThan(before)
    await expectSame()
    expect(await deleteConversation(store(), projectId, 'thread-7')).toBe(1)
    await expectSame()
    await deleteExpired(store(), [{ id: projectId, settings: {} }], 30, now)
    await expectSame()
  })

  it('forget words when the project is to keep none, and what is rated anew', async () => {
    await deleteExpired(store(), [{ id: projectId, settings: { retentionDays: 0 } }], 30, now)
    await expectSame()
    await store().transaction((tx) =>
      sql`update feedback set rating = 'up', reason = null, created_at = created_at - interval '2 days'
        where project_id = ${projectId} and n % 2 = 1`.execute(tx),
    )
    await expectSame()
    const { rows } = await sql`select from insight_days where queries::text ilike '%how to%'`.execute(
      store().db,
    )
    expect(rows).toEqual([])
  })

  it('are right when a day that is being counted is changed at the same time', async () => {
    await sql`delete from insight_days`.execute(store().db)
    await Promise.all([
      readAnalytics(store(), projectId, { range, interval: 'day', limit }, now),
      deletePerson(store(), projectId, 'fp-5'),
      deletePerson(store(), projectId, 'fp-8'),
    ])
    await expectSame()
    expect((await kept()).length).toBeGreaterThan(0)
  })
})

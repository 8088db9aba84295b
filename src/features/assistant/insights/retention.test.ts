import { beforeAll, beforeEach, expect, it } from 'vitest'
import { addExchange, insertProject, setRetention } from '../../../../tests/assistant-server.ts'
import { describeOnBothEngines } from '../../../../tests/stores.ts'
import { insertQuestion } from '../threads/messages.ts'
import { recordAgentFeedback } from './agent-feedback.ts'
import { giveFeedback } from './feedback.ts'
import { deleteExpired, deletePerson } from './retention.ts'
import { createSearchLog } from './searches.ts'

describeOnBothEngines('retention', (store) => {
  beforeAll(() => insertProject(store()))
  beforeEach(() =>
    store().transaction(async (tx) => {
      await tx.deleteFrom('threads').execute()
      await tx.deleteFrom('searches').execute()
    }),
  )

  const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000)
  const rate = (threadId: string, fp: string, projectId = 'prj_docs') =>
    store().transaction((tx) =>
      giveFeedback(tx, projectId, {
        threadId,
        messageId: undefined,
        rating: 'up',
        reason: undefined,
        note: 'good',
        fp,
        caller: 'api',
      }),
    )
  const searched = async (projectId: string, fp: string, at?: Date): Promise<void> => {
    const log = createSearchLog(store(), () => undefined)
    log.record({
      projectId,
      query: 'install',
      results: 1,
      confidence: 1,
      caller: 'api',
      fp,
      milliseconds: 1,
    })
    await log.flush()
    if (at)
      await store().transaction((tx) =>
        tx.updateTable('searches').set({ created_at: at }).where('fp', '=', fp).execute(),
      )
  }
  const left = async () => ({
    messages: (await store().db.selectFrom('messages').select('fp').orderBy('fp').orderBy('n').execute()).map(
      ({ fp }) => fp,
    ),
    feedback: (await store().db.selectFrom('feedback').select('fp').orderBy('fp').execute()).map(
      ({ fp }) => fp,
    ),
    searches: (await store().db.selectFrom('searches').select('fp').orderBy('fp').execute()).map(
      ({ fp }) => fp,
    ),
  })

  it('deletes what is older than the project or the server says', async () => {
    for (const [projectId, fp, days] of [
      ['prj_docs', 'a-old', 8],
      ['prj_docs', 'b-new', 6],
      ['prj_other', 'c-old', 91],
      ['prj_other', 'd-new', 89],
    ] as const) {
      await addExchange(store(), { projectId, threadId: fp, fp, at: daysAgo(days) })
      await rate(fp, fp, projectId)
      await searched(projectId, fp, daysAgo(days))
    }
    const projects = [
      { id: 'prj_docs', settings: { retentionDays: 7 } },
      { id: 'prj_other', settings: {} },
    ]
    await deleteExpired(store(), projects, 90)
    expect(await left()).toEqual({
      messages: ['b-new', 'b-new', 'd-new', 'd-new'],
      feedback: ['b-new', 'd-new'],
      searches: ['b-new', 'd-new'],
    })
  })

  it('keeps no text with 0 days, but what is counted', async () => {
    const source = { path: 'a.md', url: 'https://x/a', title: 'A', words: ['as it says'] }
    const exchange = {
      text: 'secret?',
      said: 'secret',
      context: [{ type: null, value: 'secret', path: null }],
      sources: [source],
      outcome: { outcome: 'partial', missing: ['Redis'] } as const,
    }
    await addExchange(store(), { ...exchange, threadId: 'before' })
    await rate('before', 'before')
    await searched('prj_docs', 'before')
    await setRetention(store(), 'prj_docs', 0)
    await addExchange(store(), { ...exchange, threadId: 'after' })
    await rate('after', 'after')
    await searched('prj_docs', 'after')
    const texts = async () => [
      ...(await store().db.selectFrom('messages').select('text').orderBy('thread_id', 'desc').execute()),
      ...(await store().db.selectFrom('searches').select('query as text').orderBy('id').execute()),
      ...(await store().db.selectFrom('feedback').select('note as text').orderBy('fp', 'desc').execute()),
    ]
    const selected = async () => {
      const rows = await store().db.selectFrom('messages').select('context').execute()
      return rows.filter(({ context }) => context.length > 0).length
    }
    expect(await selected()).toBe(1)
    expect((await texts()).map(({ text }) => text)).toEqual([
      'secret?',
      'secret',
      '',
      '',
      'install',
      '',
      'good',
      null,
    ])
    await deleteExpired(store(), [{ id: 'prj_docs', settings: { retentionDays: 0 } }], 90)
    expect(await selected()).toBe(0)
    expect(new Set((await texts()).map(({ text }) => text))).toEqual(new Set(['', null]))
    const kept = await store().db.selectFrom('messages').select(['sources', 'outcome', 'missing']).execute()
    expect(kept.filter(({ outcome }) => outcome === 'partial')).toEqual(
      [1, 2].map(() => ({
        sources: [{ path: 'a.md', url: 'https://x/a', title: 'A' }],
        outcome: 'partial',
        missing: [],
      })),
    )
    // What was not kept is not said again.
    const next = await store().transaction((tx) =>
      insertQuestion(tx, 'prj_docs', 'after', {
        id: 'm',
        fp: 'f',
        text: 'And now?',
        again: 'no',
        caller: 'api',
        page: undefined,
      }),
    )
    expect(next.before).toEqual([])
    await setRetention(store(), 'prj_docs', 90)
  })

  it('deletes everything of one person, and what others said to it stays', async () => {
    await addExchange(store(), { threadId: 'shared', fp: 'leaver' })
    await addExchange(store(), { threadId: 'shared', fp: 'stayer' })
    await rate('shared', 'leaver')
    await rate('shared', 'stayer')
    await searched('prj_docs', 'leaver')
    await searched('prj_other', 'leaver')
    expect(await deletePerson(store(), 'prj_docs', 'leaver')).toBe(4)
    expect(await deletePerson(store(), 'prj_docs', 'leaver')).toBe(0)
    expect(await left()).toEqual({
      messages: ['stayer', 'stayer'],
      feedback: ['stayer'],
      searches: ['leaver'],
    })
  })

  it('deletes more than one batch', async () => {
    await store().transaction(async (tx) => {
      await tx.insertInto('threads').values({ project_id: 'prj_docs', id: 'long', minted: true }).execute()
      const rows = Array.from({ length: 2500 }, (_, n) => ({
        project_id: 'prj_docs',
        thread_id: 'long',
        n,
        id: '',
        fp: 'busy',
        role: 'user' as const,
        text: 'x',
        sources: '[]',
        caller: 'api' as const,
      }))
      await tx.insertInto('messages').values(rows).execute()
    })
    expect(await deletePerson(store(), 'prj_docs', 'busy')).toBe(2500)
    expect(await left()).toMatchObject({ messages: [] })
    expect(await store().db.selectFrom('threads').select('id').execute()).toEqual([])
  })

  it('keeps what agents say as long as the rest, and without its text where texts are not kept', async () => {
    const { db } = store()
    const rated = (path: string | null, query: string | null): Promise<void> =>
      store().transaction((tx) =>
        recordAgentFeedback(tx, 'prj_docs', { path, query, rating: 'down', note: 'too short' }),
      )
    const texts = () =>
      db.selectFrom('agent_feedback').select(['path', 'query', 'note']).orderBy('id').execute()
    const expire = (retentionDays: number) =>
      deleteExpired(store(), [{ id: 'prj_docs', settings: { retentionDays } }], 30)
    await rated('old.md', null)
    await store().transaction((tx) =>
      tx
        .updateTable('agent_feedback')
        .set({ created_at: daysAgo(9) })
        .execute(),
    )
    await rated(null, 'install')
    await expire(10)
    expect(await texts()).toHaveLength(2)
    await expire(8)
    expect(await texts()).toEqual([{ path: null, query: 'install', note: 'too short' }])
    await expire(0)
    expect(await texts()).toEqual([{ path: null, query: '', note: null }])
    await setRetention(store(), 'prj_docs', 0)
    await rated('new.md', null)
    await rated(null, 'install')
    expect(await texts()).toEqual([
      { path: null, query: '', note: null },
      { path: 'new.md', query: null, note: '' },
      { path: null, query: '', note: '' },
    ])
  })
})

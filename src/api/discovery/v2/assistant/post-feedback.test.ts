import { beforeAll, expect, it } from 'vitest'
import {
  addExchange,
  assistantApp,
  fakeAssistant,
  insertProject,
} from '../../../../../tests/assistant-server.ts'
import { describeOnStore } from '../../../../../tests/stores.ts'

describeOnStore('POST /discovery/v2/assistant/{domain}/feedback', (store) => {
  beforeAll(() => insertProject(store()))

  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const request = { method: 'POST', body: JSON.stringify(body), headers }
    const response = await assistantApp(fakeAssistant(store())).request(path, request)
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  const rate = async (body: object, headers?: Record<string, string>) => {
    const { status, text } = await post('/discovery/v2/assistant/docs/feedback', body, headers)
    return { status, body: JSON.parse(text) as unknown }
  }

  it.each([
    ['v2', { parts: [{ type: 'text', text: 'How do I install?' }] }, /"start","messageId":"([^"]+)/],
    ['v1', { content: 'How do I install?' }, /f:\{"messageId":"([^"]+)/],
  ])('rates an answer by the id that its stream in %s began with', async (version, message, start) => {
    const asked = await post(
      `/discovery/${version}/assistant/docs/message`,
      { fp: 'ann', messages: [{ id: 'm1', role: 'user', ...message }] },
      { 'x-docwright-client': 'widget' },
    )
    const threadId = asked.headers.get('x-thread-id')
    const messageId = start.exec(asked.text)?.[1]
    const given = { threadId, messageId, rating: 'down', reason: 'outdated', note: 'It is 2.0 now.' }
    expect(await rate(given, { 'x-docwright-client': 'widget' })).toEqual({
      status: 200,
      body: { threadId, messageId, rating: 'down' },
    })
    const rows = await store()
      .db.selectFrom('feedback')
      .innerJoin('messages', (join) =>
        join
          .onRef('messages.thread_id', '=', 'feedback.thread_id')
          .onRef('messages.n', '=', 'feedback.n')
          .onRef('messages.fp', '=', 'feedback.fp'),
      )
      .select(['messages.id', 'messages.caller as asked_by', 'feedback.caller', 'rating', 'reason', 'note'])
      .where('messages.thread_id', '=', threadId)
      .execute()
    expect(rows).toEqual([
      {
        id: messageId,
        asked_by: 'widget',
        caller: 'widget',
        rating: 'down',
        reason: 'outdated',
        note: 'It is 2.0 now.',
      },
    ])
    expect(await rate({ threadId, rating: null })).toMatchObject({ status: 200, body: { rating: null } })
  })

  it.each([
    {},
    { threadId: 'here' },
    { rating: 'up' },
    { threadId: '', rating: 'up' },
    { threadId: 'here', rating: 'good' },
    { threadId: 'here', rating: 'up', reason: 'because' },
    { threadId: 'here', rating: 'up', note: 'x'.repeat(2001) },
    { threadId: 'here', rating: 'up', fp: 'x'.repeat(201) },
  ])('refuses %j', async (body) => {
    expect(await rate(body)).toEqual({ status: 400, body: { error: expect.any(String) } })
  })

  it('knows nothing of other threads, and of those of other projects', async () => {
    await addExchange(store(), { threadId: 'theirs', projectId: 'prj_other' })
    for (const threadId of ['theirs', 'nowhere'])
      expect(await rate({ threadId, rating: 'up' })).toMatchObject({ status: 404 })
  })
})

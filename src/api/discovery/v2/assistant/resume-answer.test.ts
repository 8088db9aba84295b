import { beforeAll, describe, expect, it, vi } from 'vitest'
import {
  assistantApp,
  cited,
  fakeAssistant,
  gatedModel,
  insertProject,
  scriptedModel,
  type App,
} from '../../../../../tests/assistant-server.ts'
import { describeOnBothEngines } from '../../../../../tests/stores.ts'
import { createAnswerStreams } from '../../../../features/assistant/streams/answer-streams.ts'

const path = '/discovery/v2/assistant/docs/message'
let chats = 0

describeOnBothEngines('GET …/message/{threadId}/stream', (store) => {
  beforeAll(() => insertProject(store()))

  const waiting = { timeout: 120_000 }
  const outcomesOf = async (threadId: string): Promise<(string | null)[]> => {
    const rows = await store()
      .db.selectFrom('messages')
      .select(['outcome', 'role'])
      .where('thread_id', '=', threadId)
      .orderBy('n')
      .execute()
    return rows.filter(({ role }) => role === 'assistant').map(({ outcome }) => outcome)
  }

  it('streams an answer under way from its beginning, by chat and by thread, to its end', async () => {
    const model = gatedModel(cited, 'Then start it.')
    const app = assistantApp(fakeAssistant(store(), { modelOf: () => model.model }))
    const { chatId, response, leave } = await askAndRead(app, 'installer')
    const threadId = response.headers.get('x-thread-id') ?? ''
    await leave()
    const byChat = await resume(app, chatId)
    expect(byChat.status).toBe(200)
    expect(byChat.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(byChat.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
    const byThread = await resume(app, threadId)
    model.open()
    const [one, other] = await Promise.all([byChat.text(), byThread.text()])
    expect(other).toBe(one)
    expect(one).toMatch(/^data: \{"type":"start"/)
    expect(textIn(one)).toBe(`${cited}Then start it.`)
    expect(one.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(await outcomesOf(threadId)).toEqual(['answered'])
    expect((await resume(app, chatId)).status).toBe(204)
    expect((await resume(app, threadId)).status).toBe(204)
  })

  it('goes on for a while without a reader, and then stops the model and keeps what was said', async () => {
    const model = scriptedModel(() => ({ text: [cited], ending: 'hang' }))
    const app = assistantApp(fakeAssistant(store(), { modelOf: () => model, grace: 300 }))
    const { chatId, response, leave } = await askAndRead(app, 'installer')
    await leave()
    expect(model.doStreamCalls[0]?.abortSignal?.aborted).toBe(false)
    const threadId = response.headers.get('x-thread-id') ?? ''
    await vi.waitFor(async () => expect(await outcomesOf(threadId)).toEqual(['stopped']), waiting)
    expect(model.doStreamCalls[0]?.abortSignal?.aborted).toBe(true)
    // Whoever comes back a little later sees what was said.
    expect(textIn(await (await resume(app, chatId)).text())).toBe(cited)
    expect((await resume(app, chatId)).status).toBe(204)
  })

  it('stops the model at once for a client that does not resume, and when the chat asks something else', async () => {
    const models: ReturnType<typeof scriptedModel>[] = []
    const modelOf = () => {
      const model = scriptedModel(() => ({ text: [cited], ending: 'hang' }))
      models.push(model)
      return model
    }
    const app = assistantApp(fakeAssistant(store(), { modelOf, grace: 600_000 }))
    const plain = await askAndRead(app, 'installer', { trigger: undefined })
    await plain.leave()
    expect(models[0]?.doStreamCalls[0]?.abortSignal?.aborted).toBe(true)
    expect((await resume(app, plain.chatId)).status).toBe(204)

    const first = await askAndRead(app, 'installer')
    await first.leave()
    expect(models[1]?.doStreamCalls[0]?.abortSignal?.aborted).toBe(false)
    const second = await askAndRead(app, 'installer', { id: first.chatId })
    expect(models[1]?.doStreamCalls[0]?.abortSignal?.aborted).toBe(true)
    expect(models[2]?.doStreamCalls[0]?.abortSignal?.aborted).toBe(false)
    await second.leave()
  })

  it('replays an answer that ended without its reader, once', async () => {
    const model = gatedModel(cited, 'Then start it.')
    const app = assistantApp(fakeAssistant(store(), { modelOf: () => model.model }))
    const { chatId, response, leave } = await askAndRead(app, 'installer')
    await leave()
    model.open()
    const threadId = response.headers.get('x-thread-id') ?? ''
    await vi.waitFor(async () => expect(await outcomesOf(threadId)).toEqual(['answered']), waiting)
    expect(textIn(await (await resume(app, chatId)).text())).toBe(`${cited}Then start it.`)
    expect((await resume(app, chatId)).status).toBe(204)
  })

  it('has nothing for strangers: other origins, other projects, short ids and ids that nobody has used', async () => {
    const model = gatedModel(cited, '')
    const app = assistantApp(fakeAssistant(store(), { modelOf: () => model.model }))
    const own = { origin: 'https://docs.example.com' }
    const { chatId } = await askAndRead(app, 'installer', {}, own)
    const statusOf = async (id: string, headers: Record<string, string> = own): Promise<number> => {
      const response = await resume(app, id, headers)
      await response.body?.cancel()
      return response.status
    }
    expect(await statusOf(chatId)).toBe(200)
    expect(await statusOf(chatId, {})).toBe(200)
    expect(await statusOf(chatId, { origin: 'https://evil.example' })).toBe(204)
    expect(await statusOf('0123456789abcdefg')).toBe(204)
    const { chatId: short } = await askAndRead(app, 'installer', { id: 'docs-chat' }, own)
    expect(await statusOf(short)).toBe(204)
    expect(await statusOf('%00'.repeat(20))).toBe(204)
    const head = await app.request(`${path}/${chatId}/stream`, { method: 'HEAD', headers: own })
    expect(head.status).toBe(200)
    model.open()

    // Of somebody who is signed in, whatever address the others have.
    const streams = createAnswerStreams({ store: store(), onError: () => undefined })
    const said = async function* said() {
      yield 'text'
    }
    const answer = { projectId: 'prj_docs', threadId: `thr_${'t'.repeat(20)}`, n: 1, chatId: 'c'.repeat(16) }
    const asker = { person: 'per_ada', minted: true }
    streams.start(said(), { ...answer, asker, stop: () => undefined })
    const find = (reader: { person?: string }) => streams.find(answer.projectId, answer.chatId, reader)
    expect([await find({}), await find({ person: 'per_eve' })]).toEqual([undefined, undefined])
    expect(await find({ person: 'per_ada' })).toBeDefined()
  })

  it('ends with an error when the server stops', async () => {
    const draining = new AbortController()
    const model = gatedModel(cited, '')
    const app = assistantApp(
      fakeAssistant(store(), { modelOf: () => model.model, draining: draining.signal }),
    )
    const { chatId, leave } = await askAndRead(app, 'installer')
    await leave()
    const resumed = await resume(app, chatId)
    draining.abort()
    expect(await resumed.text()).toContain('"errorText":"The server is restarting')
  })

  describe('at another process', () => {
    const processes = (modelOf: () => ReturnType<typeof gatedModel>['model']) => {
      const stopped = new AbortController()
      return {
        writer: assistantApp(fakeAssistant(store(), { modelOf, grace: 3000 })),
        other: assistantApp(fakeAssistant(store(), { draining: stopped.signal })),
        stopped,
      }
    }
    // The embedded store belongs to one process.
    it('streams what is said, and keeps the model going', async () => {
      if (store().engine === 'pglite') return
      const model = gatedModel(cited, 'Then start it.')
      const { writer, other } = processes(() => model.model)
      const { chatId, response, leave } = await askAndRead(writer, 'installer')
      await leave()
      const resumed = await resume(other, chatId)
      expect(resumed.status).toBe(200)
      const reader = resumed.body?.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      while (!text.includes('installer')) text += (await reader?.read())?.value ?? ''
      // Longer than a model goes on without a reader.
      await new Promise((resolve) => setTimeout(resolve, 4000))
      model.open()
      for (let done = false; !done;) {
        const read = await reader?.read()
        text += read?.value ?? ''
        done = read?.done ?? true
      }
      expect(textIn(text)).toBe(`${cited}Then start it.`)
      expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
      expect(await outcomesOf(response.headers.get('x-thread-id') ?? '')).toEqual(['answered'])
      expect((await resume(other, chatId)).status).toBe(204)
      // Those of the tests before are kept for a minute.
      const left = () =>
        store()
          .db.selectFrom('answer_stream_parts')
          .select('part')
          .where('thread_id', '=', response.headers.get('x-thread-id') ?? '')
          .execute()
      await vi.waitFor(async () => expect(await left()).toEqual([]), waiting)
      expect((await resume(writer, chatId)).status).toBe(204)
    })

    it('streams while the first connection is still taken for open', async () => {
      if (store().engine === 'pglite') return
      const model = gatedModel(cited, 'Then start it.')
      const { writer, other } = processes(() => model.model)
      const { response, leave } = await askAndRead(writer, 'installer')
      const resumed = await resume(other, response.headers.get('x-thread-id') ?? '')
      model.open()
      expect(textIn(await resumed.text())).toBe(`${cited}Then start it.`)
      await leave()
    })

    it('replays an answer that ended without its reader', async () => {
      if (store().engine === 'pglite') return
      const model = gatedModel(cited, 'Then start it.')
      const { writer, other } = processes(() => model.model)
      const { chatId, response, leave } = await askAndRead(writer, 'installer')
      await leave()
      model.open()
      const threadId = response.headers.get('x-thread-id') ?? ''
      await vi.waitFor(async () => expect(await outcomesOf(threadId)).toEqual(['answered']), waiting)
      await vi.waitFor(
        async () => expect((await resume(other, threadId, {}, 'HEAD')).status).toBe(200),
        waiting,
      )
      expect(textIn(await (await resume(other, chatId)).text())).toBe(`${cited}Then start it.`)
      expect((await resume(other, chatId)).status).toBe(204)
    })

    it('has nothing for strangers, and nothing of an answer that was read', async () => {
      if (store().engine === 'pglite') return
      const model = gatedModel(cited, '')
      const { writer, other } = processes(() => model.model)
      const { chatId, response } = await askAndRead(
        writer,
        'installer',
        {},
        { origin: 'https://docs.example.com' },
      )
      expect((await resume(other, chatId, { origin: 'https://evil.example' })).status).toBe(204)
      model.open()
      const threadId = response.headers.get('x-thread-id') ?? ''
      await vi.waitFor(async () => expect(await outcomesOf(threadId)).toEqual(['answered']), waiting)
    })

    it('ends with an error when the process that answers has died, or its own stops', async () => {
      if (store().engine === 'pglite') return
      const chatId = `chat-of-nobody-${++chats}`
      const model = gatedModel(cited, '')
      const { writer, other, stopped } = processes(() => model.model)
      // A question without an answer, as a killed process leaves it.
      await store().transaction(async (tx) => {
        await tx.insertInto('threads').values({ project_id: 'prj_docs', id: 'dead', minted: false }).execute()
        await tx
          .insertInto('messages')
          .values({
            project_id: 'prj_docs',
            thread_id: 'dead',
            n: 0,
            id: '',
            fp: '',
            role: 'user',
            text: '',
            sources: '[]',
            chat_id: chatId,
          })
          .execute()
      })
      const text = await (await resume(other, chatId)).text()
      expect(text).toMatch(
        /^data: \{"type":"error","errorText":"The server stopped before this answer was complete/,
      )
      expect(text.endsWith('data: [DONE]\n\n')).toBe(true)

      const asked = await askAndRead(writer, 'installer')
      const resumed = await resume(other, asked.chatId)
      stopped.abort()
      expect(await resumed.text()).toContain('"errorText":"The server is restarting')
      model.open()
      await asked.leave()
    })
  })
})

function resume(app: App, id: string, headers: Record<string, string> = {}, method = 'GET') {
  return app.request(`${path}/${id}/stream`, { method, headers })
}

/** Asks as the transport of the AI SDK does, and reads until some text has come. */
async function askAndRead(
  app: App,
  until: string,
  body: { id?: string; trigger?: undefined } = {},
  headers: Record<string, string> = {},
): Promise<{ chatId: string; response: Response; leave(): Promise<void> }> {
  const chatId = body.id ?? `chat-0123456789-${++chats}`
  const messages = [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'How do I install?' }] }]
  const response = await app.request(path, {
    method: 'POST',
    headers,
    body: JSON.stringify({ id: chatId, fp: 'a', messages, trigger: 'submit-message', ...body }),
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) if ((await reader?.read())?.value?.includes(until)) break
  return { chatId, response, leave: async () => reader?.cancel() }
}

function textIn(stream: string): string {
  return stream
    .split('\n\n')
    .flatMap((event) =>
      event.startsWith('data: {') ? [JSON.parse(event.slice(6)) as Record<string, unknown>] : [],
    )
    .map(({ type, delta }) => (type === 'text-delta' ? String(delta) : ''))
    .join('')
}

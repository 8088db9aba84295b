import type { UIMessage } from 'ai500'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MockLanguageModelV4 } from 'ai/test'
import { openTestStore } from './stores.ts'
import type { Store } from '../src/store/database.ts'
import { openChat, textIn } from './ai-sdk-chat.ts'
import { sdkVersions } from './ai-sdk-versions.ts'
import type { Sdk } from './ai-sdk-versions.ts'
import {
  assistantApp,
  cited,
  fakeAssistant,
  insertProject,
  listen,
  scriptedModel,
  searchThenSay,
  site,
} from './assistant-server.ts'
import type { Listening } from './assistant-server.ts'

let store: Store
let server: Listening
let model: MockLanguageModelV4

beforeAll(async () => {
  store = await openTestStore()
  await insertProject(store)
  server = await listen(assistantApp(fakeAssistant(store, { modelOf: () => model, grace: 500 })))
})

afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await store?.[Symbol.asyncDispose]()
})

beforeEach(() => {
  model = searchThenSay()
})

describe.each(sdkVersions)('ai@%s', (_, load) => {
  it('reads search, sources, text, suggestions and thread, and goes on in the thread with its whole history', async () => {
    const chat = newChat(await load())
    await chat.sendMessage({ text: 'How do I install?' })
    expect(chat.error).toBeUndefined()
    const answer = chat.lastMessage
    expect(textIn(answer)).toBe(`${cited}Then start it.`)
    expect(answer?.parts).toContainEqual(
      expect.objectContaining({
        type: 'tool-search',
        state: 'output-available',
        input: { query: 'install' },
        output: {
          results: expect.arrayContaining([expect.objectContaining({ url: `${site}/guides/limits` })]),
        },
      }),
    )
    expect(answer?.parts).toContainEqual(
      expect.objectContaining({ type: 'source-url', url: `${site}/guides/install#linux` }),
    )
    expect(answer?.parts).toContainEqual(
      expect.objectContaining({
        type: 'data-suggestions',
        data: expect.arrayContaining([expect.any(String)]),
      }),
    )
    const threadId = threadOf(answer)
    expect(threadId).toMatch(/^thr_/)
    expect(answer?.metadata).toEqual({ threadId, outcome: 'answered' })

    await chat.sendMessage({ text: 'And on Windows?' }, { body: { threadId } })
    await chat.sendMessage({ text: 'And on a Mac?' }, { body: { threadId } })
    expect(chat.error).toBeUndefined()
    expect(chat.status).toBe('ready')
    expect(chat.messages).toHaveLength(6)
    expect(threadOf(chat.lastMessage)).toBe(threadId)
    expect(asked()).toEqual(['How do I install?', 'And on Windows?', 'And on a Mac?'])
  })

  it('asks again', async () => {
    const chat = newChat(await load())
    await chat.sendMessage({ text: 'How do I install?' })
    model = searchThenSay([`${cited}Better.`])
    await chat.regenerate({ body: { threadId: threadOf(chat.lastMessage) } })
    expect(chat.error).toBeUndefined()
    expect(chat.messages).toHaveLength(2)
    expect(textIn(chat.lastMessage)).toContain('Better.')
  })

  it('stops half-way, which stops the model and keeps what was said', async () => {
    model = scriptedModel(() => ({ text: [cited], ending: 'hang' }))
    const chat = newChat(await load())
    const sending = chat.sendMessage({ text: 'How do I install?' })
    await vi.waitFor(() => expect(textIn(chat.lastMessage)).toBe(cited.trimEnd()), { timeout: 120_000 })
    await chat.stop()
    await sending
    expect(chat.status).toBe('ready')
    await vi.waitFor(
      async () => {
        expect(model.doStreamCalls[0]?.abortSignal?.aborted).toBe(true)
        expect(await answersIn(threadOf(chat.lastMessage))).toEqual([{ text: cited, outcome: 'stopped' }])
      },
      { timeout: 120_000 },
    )
    model = searchThenSay()
    await chat.sendMessage({ text: 'Go on' }, { body: { threadId: threadOf(chat.lastMessage) } })
    expect(textIn(chat.lastMessage)).toBe(`${cited}Then start it.`)
  })

  it('shows why an answer broke off', async () => {
    model = scriptedModel(() => ({ text: [cited], ending: new Error('key sk-1') }))
    const chat = newChat(await load())
    await chat.sendMessage({ text: 'How do I install?' })
    expect(chat.status).toBe('error')
    expect(chat.error?.message).toBe('The assistant couldn’t complete this answer. Try again in a moment')
    expect(textIn(chat.lastMessage)).toBe(cited)
  })

  it('reads a malformed call of the model, a failed search and an answer without any text', async () => {
    let calls = 0
    model = scriptedModel(() => (calls++ === 0 ? { search: 'x', input: '{"q":1}' } : { text: [] }))
    const chat = newChat(await load())
    await chat.sendMessage({ text: 'How do I install?' })
    expect(chat.error).toBeUndefined()
    expect(chat.lastMessage?.parts).toContainEqual(
      expect.objectContaining({ type: 'tool-search', state: 'output-error' }),
    )
    expect(textIn(chat.lastMessage)).toContain('install#linux')
  })

  it('reads sources that come after the answer, and the note where there are none', async () => {
    const texts = ['Run it.', `- ${cited}`, 'Run it.', 'Really.']
    model = scriptedModel(() => ({
      text: [texts.shift() ?? '', '\n<reply-outcome>answered</reply-outcome>'],
    }))
    const chat = newChat(await load())
    for (const [said, outcome] of [
      [`Run it.- ${cited}`.trim(), 'answered'],
      ['Run it.This answer doesn’t cite a source', 'uncited'],
    ] as const) {
      await chat.sendMessage({ text: 'How do I install?' })
      expect(chat.error).toBeUndefined()
      expect(textIn(chat.lastMessage)).toContain(said)
      expect(textIn(chat.lastMessage)).not.toContain('reply-outcome')
      expect(chat.lastMessage?.metadata).toMatchObject({ outcome })
    }
  })

  it('builds messages from the transport alone', async () => {
    const sdk = await load()
    const transport = new sdk.DefaultChatTransport({ api: address(), body: { fp: 'anonymous' } })
    const stream = await transport.sendMessages({
      chatId: 'c',
      trigger: 'submit-message',
      messageId: undefined,
      messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Install?' }] }],
      abortSignal: undefined,
    })
    let message: UIMessage | undefined
    for await (const state of sdk.readUIMessageStream({ stream })) message = state
    expect(textIn(message)).toBe(`${cited}Then start it.`)
  })
})

describe('a plain HTTP client', () => {
  it('takes the thread from `finish` and is understood when it sends the new message alone', async () => {
    const say = async (text: string, threadId: unknown): Promise<unknown> => {
      const messages = [{ id: 'foo', role: 'user', parts: [{ type: 'text', text }] }]
      const response = await fetch(address(), {
        method: 'POST',
        body: JSON.stringify({ fp: 'anonymous', threadId, messages }),
      })
      const events = (await response.text()).trim().split('\n\n')
      expect(events.at(-1)).toBe('data: [DONE]')
      const frames = events.slice(0, -1).map((event): unknown => JSON.parse(event.replace('data: ', '')))
      const finish = frames.find((frame) => isObject(frame) && frame['type'] === 'finish')
      return isObject(finish) ? finish['threadId'] : undefined
    }
    const threadId = await say('How do I install?', null)
    expect(await say('And on Windows?', threadId)).toBe(threadId)
    expect(await say('Why?', threadId)).toBe(threadId)
    expect(asked()).toEqual(['How do I install?', 'And on Windows?', 'Why?'])
  })
})

function address(): string {
  return `${server.url}/discovery/v2/assistant/docs/message`
}

function newChat(sdk: Sdk) {
  return openChat(sdk, { api: address(), body: { fp: 'anonymous' } })
}

// What the model was asked in its last call, by users.
function asked(): string[] {
  return (model.doStreamCalls.at(-1)?.prompt ?? []).flatMap((message) =>
    message.role === 'user'
      ? message.content.flatMap((part) =>
          part.type === 'text' ? [part.text.replace(/^\(Material to read[^]*The question:\n\n/, '')] : [],
        )
      : [],
  )
}

function threadOf(message: UIMessage | undefined): string {
  return isObject(message?.metadata) ? String(message.metadata['threadId']) : ''
}

function answersIn(threadId: string) {
  return store.db
    .selectFrom('messages')
    .select(['text', 'outcome'])
    .where('thread_id', '=', threadId)
    .where('role', '=', 'assistant')
    .execute()
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

import type { MockLanguageModelV4 } from 'ai/test'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openChat, textIn, type TransportOptions } from './ai-sdk-chat.ts'
import { sdkVersions } from './ai-sdk-versions.ts'
import {
  assistantApp,
  cited,
  fakeAssistant,
  insertProject,
  listen,
  searchThenSay,
  type Listening,
} from './assistant-server.ts'
import { openTestStore } from './stores.ts'
import type { Store } from '../src/store/database.ts'

/**
 * Clients of AI SDK that build the body themselves, as many real ones do. They drop `trigger`, and most released
 * versions throw away an answer whose last frame has a key that they do not know.
 */
let store: Store
let server: Listening
let model: MockLanguageModelV4

beforeAll(async () => {
  store = await openTestStore()
  await insertProject(store)
  server = await listen(assistantApp(fakeAssistant(store, { modelOf: () => model })))
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await store?.[Symbol.asyncDispose]()
})
beforeEach(() => {
  model = searchThenSay()
})

const api = (): string => `${server.url}/discovery/v2/assistant/docs/message`
const fp = 'anonymous'

/** What a client keeps of a conversation. */
interface Kept {
  id: string | undefined
  key: string | undefined
}

const keep =
  (kept: Kept) =>
  async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init)
    kept.id = response.headers.get('x-thread-id') ?? kept.id
    kept.key = response.headers.get('x-thread-key') ?? kept.key
    return response
  }

const ways: [string, (kept: Kept) => TransportOptions][] = [
  [
    'sends the whole history with the thread and its key',
    (kept) => ({
      api: api(),
      fetch: keep(kept),
      prepareSendMessagesRequest: ({ messages }) => ({
        body: {
          messages,
          fp,
          retrievalPageSize: 5,
          context: [],
          ...(kept.id !== undefined && { threadId: kept.id }),
          ...(kept.key !== undefined && { threadKey: kept.key }),
        },
      }),
    }),
  ],
  [
    'sends the new message alone',
    (kept) => ({
      api: api(),
      fetch: keep(kept),
      prepareSendMessagesRequest: ({ messages }) => ({
        body: { fp, messages: messages.slice(-1), threadId: kept.id ?? null },
      }),
    }),
  ],
  [
    'sends only what the interface lists of each message',
    (kept) => ({
      api: api(),
      fetch: keep(kept),
      headers: { 'X-Thread-Key': 'nonsense' },
      prepareSendMessagesRequest: ({ messages }) => ({
        body: {
          fp,
          threadId: kept.id,
          messages: messages.map(({ id, role, parts }) => ({
            id,
            role,
            parts: parts.filter(({ type }) => type === 'text'),
          })),
        },
      }),
    }),
  ],
  [
    'writes the request itself',
    (kept) => ({
      api: api(),
      fetch: async (input, init) => {
        const { messages } = (await new Response(init?.body ?? null).json()) as { messages: unknown }
        const body = JSON.stringify({ fp, messages, threadId: kept.id })
        // Without the header that the client adds.
        return keep(kept)(input, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
      },
    }),
  ],
]

describe.each(sdkVersions)('ai@%s', (_, load) => {
  it.each(ways)('asks three questions in a row when it %s', async (_name, optionsOf) => {
    const kept: Kept = { id: undefined, key: undefined }
    const chat = openChat(await load(), optionsOf(kept))
    const threads: (string | undefined)[] = []
    for (const text of ['How do I install?', 'And on Windows?', 'And on a Mac?']) {
      await chat.sendMessage({ text })
      expect(chat.error).toBeUndefined()
      expect(chat.status).toBe('ready')
      expect(textIn(chat.lastMessage)).toBe(`${cited}Then start it.`)
      threads.push(kept.id)
    }
    expect(chat.messages).toHaveLength(6)
    expect(new Set(threads).size).toBe(1)
    expect(kept).toEqual({ id: expect.stringMatching(/^thr_/), key: `key of ${kept.id}` })
    expect(chat.lastMessage?.metadata).toMatchObject({ threadId: kept.id })
  })
})

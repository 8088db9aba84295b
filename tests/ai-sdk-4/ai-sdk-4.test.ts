import { processDataStream } from 'ai'
import type { Message } from 'ai'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestStore } from '../stores.ts'
import type { Store } from '../../src/store/database.ts'
import {
  assistantApp,
  cited,
  fakeAssistant,
  insertProject,
  listen,
  scriptedModel,
  searchThenSay,
  site,
} from '../assistant-server.ts'
import type { Listening } from '../assistant-server.ts'
import { mountChat } from './mount-chat.ts'
import type { ChatOptions } from './mount-chat.ts'

let store: Store
let server: Listening
let model: ReturnType<typeof scriptedModel>
let unmount: (() => void) | undefined

beforeAll(async () => {
  store = await openTestStore()
  await insertProject(store)
  server = await listen(assistantApp(fakeAssistant(store, { modelOf: () => model })))
})

afterAll(async () => {
  // Other files of the process take what has a window for a browser.
  vi.unstubAllGlobals()
  await server?.[Symbol.asyncDispose]()
  await store?.[Symbol.asyncDispose]()
})

beforeEach(() => {
  model = searchThenSay()
})

afterEach(() => unmount?.())

const address = (): string => `${server.url}/discovery/v1/assistant/docs/message`

async function newChat(options: ChatOptions = {}) {
  const mounted = mountChat({ api: address(), body: { fp: 'anonymous' }, ...options })
  unmount = mounted.unmount
  const { chat } = mounted
  await vi.waitFor(chat, { timeout: 120_000 })
  const messages = (): Message[] => chat().messages
  return {
    chat,
    messages,
    last: () => messages().at(-1),
    ask: (content: string, body: object = {}) => chat().append({ role: 'user', content }, { body }),
    settled: () => vi.waitFor(() => expect(chat().status).toMatch(/ready|error/), { timeout: 120_000 }),
  }
}

describe('useChat of @ai-sdk/react@1', () => {
  it('shows searches, text, thread, sources and suggestions, and goes on with its whole history', async () => {
    const finished: { finishReason: string }[] = []
    const { ask, settled, chat, messages, last } = await newChat({
      onFinish: (_, { finishReason }) => finished.push({ finishReason }),
    })
    await ask('How do I install?')
    await settled()
    expect(chat().error).toBeUndefined()
    const answer = last()
    expect(answer?.content).toBe(`${cited}Then start it.`)
    expect(answer?.id).toMatch(/^msg_/)
    expect(finished).toEqual([{ finishReason: 'stop' }])
    const invocations = (answer?.parts ?? []).flatMap((part) =>
      part.type === 'tool-invocation' ? [part.toolInvocation] : [],
    )
    expect(invocations).toMatchObject([
      { toolName: 'search', state: 'result', args: { query: 'How do I install?' } },
      {
        toolName: 'search',
        state: 'result',
        args: { query: 'install' },
        result: {
          results: expect.arrayContaining([expect.objectContaining({ url: `${site}/guides/limits` })]),
        },
      },
    ])
    expect(answer?.annotations).toEqual([
      { threadId: expect.stringMatching(/^thr_/) },
      { source: { url: `${site}/guides/install#linux`, title: 'Installation › Install on Linux' } },
      { suggestions: [expect.any(String)] },
      { threadId: expect.stringMatching(/^thr_/), outcome: 'answered' },
    ])

    await ask('And on Windows?', { threadId: threadOf(answer) })
    await settled()
    await ask('And on a Mac?', { threadId: threadOf(answer) })
    await settled()
    expect(chat().error).toBeUndefined()
    expect(messages()).toHaveLength(6)
    expect(threadOf(last())).toBe(threadOf(answer))
    expect(asked()).toEqual(['How do I install?', 'And on Windows?', 'And on a Mac?'])
  })

  it('asks again, in the place of the first question', async () => {
    const { ask, settled, chat, messages, last } = await newChat()
    await ask('How do I install?')
    await settled()
    model = searchThenSay([`${cited}Better.`])
    const threadId = threadOf(last())
    await chat().reload({ body: { threadId } })
    await settled()
    expect(messages()).toHaveLength(2)
    expect(last()?.content).toContain('Better.')
    expect(asked()).toEqual(['How do I install?'])
    expect(model.doStreamCalls.at(-1)?.prompt.filter(({ role }) => role === 'assistant')).toHaveLength(1)
  })

  it('stops half-way, which stops the model and keeps what was said', async () => {
    model = scriptedModel(() => ({ text: [cited], ending: 'hang' }))
    const { ask, settled, chat, last } = await newChat()
    const asking = ask('How do I install?')
    await vi.waitFor(() => expect(last()?.content).toBe(cited.trimEnd()), { timeout: 120_000 })
    chat().stop()
    await asking
    await settled()
    expect(chat().status).toBe('ready')
    expect(chat().error).toBeUndefined()
    await vi.waitFor(
      async () => {
        expect(model.doStreamCalls[0]?.abortSignal?.aborted).toBe(true)
        expect(await answersIn(threadOf(last()))).toEqual([{ text: cited, outcome: 'stopped' }])
      },
      { timeout: 120_000 },
    )
    model = searchThenSay()
    await ask('Go on', { threadId: threadOf(last()) })
    await settled()
    expect(last()?.content).toBe(`${cited}Then start it.`)
  })

  it('shows why an answer broke off, with what was said', async () => {
    model = scriptedModel(() => ({ text: [cited], ending: new Error('key sk-1') }))
    const { ask, settled, chat, last } = await newChat()
    await ask('How do I install?')
    await settled()
    expect(chat().status).toBe('error')
    expect(chat().error?.message).toBe('The assistant couldn’t complete this answer. Try again in a moment')
    expect(last()?.content).toBe(cited)
  })

  it('shows why a question was refused', async () => {
    const { ask, settled, chat } = await newChat({ body: { fp: '' } })
    await ask('How do I install?')
    await settled()
    expect(JSON.parse(chat().error?.message ?? '')).toEqual({ error: expect.stringContaining('`fp`') })
  })

  it('reads a malformed call, a page that does not exist and passages instead of an answer', async () => {
    let calls = 0
    model = scriptedModel(() => {
      calls++
      if (calls === 1) return { search: 'x', input: '[1]' }
      return calls === 2 ? { read: '/nowhere' } : { fail: new Error('away') }
    })
    // With steps of its own the client must not send the answer back for more.
    const { ask, settled, chat, last, messages } = await newChat({ maxSteps: 5 })
    await ask('How do I install?')
    await settled()
    expect(chat().error).toBeUndefined()
    expect(messages()).toHaveLength(2)
    expect(last()?.content).toContain('not available right now')
    expect(last()?.content).toContain('install#linux')
    const results = (last()?.parts ?? []).flatMap((part) =>
      part.type === 'tool-invocation' && part.toolInvocation.state === 'result' ? [part.toolInvocation] : [],
    )
    expect(results).toMatchObject([
      { toolName: 'search' },
      { args: { input: [1] }, result: { error: expect.any(String) } },
      { toolName: 'read_page', result: { error: expect.stringContaining('not found') } },
    ])
  })
})

describe('ai@4', () => {
  it('reads every line, each step begun and ended', async () => {
    const response = await fetch(address(), {
      method: 'POST',
      body: JSON.stringify({ fp: 'a', messages: [{ role: 'user', content: 'How do I install?' }] }),
    })
    expect(response.headers.get('x-vercel-ai-data-stream')).toBe('v1')
    const read: string[] = []
    const note = (name: string) => (value: unknown) => {
      read.push(typeof value === 'string' ? `${name} ${value}` : name)
    }
    await processDataStream({
      stream: response.body ?? new ReadableStream(),
      onStartStepPart: note('start step'),
      onToolCallPart: note('call'),
      onToolResultPart: note('result'),
      onTextPart: note('text'),
      onMessageAnnotationsPart: note('annotations'),
      onFinishStepPart: ({ finishReason }) => void read.push(`finish step ${finishReason}`),
      onFinishMessagePart: ({ finishReason }) => void read.push(`finish ${finishReason}`),
      onErrorPart: note('error'),
    })
    expect(read).toEqual([
      'start step',
      'annotations',
      'call',
      'result',
      'finish step tool-calls',
      'start step',
      'call',
      'result',
      'finish step tool-calls',
      'start step',
      'annotations',
      // The space may belong to a mark of the model's own, so it comes with what follows.
      `text ${cited.trimEnd()}`,
      'text  Then start it.',
      'finish step stop',
      'annotations',
      'annotations',
      'finish stop',
    ])
  })
})

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

function threadOf(message: Message | undefined): string {
  const threads = (message?.annotations ?? []).flatMap((annotation) =>
    typeof annotation === 'object' && annotation !== null && 'threadId' in annotation
      ? [annotation.threadId]
      : [],
  )
  return typeof threads[0] === 'string' ? threads[0] : ''
}

function answersIn(threadId: string) {
  return store.db
    .selectFrom('messages')
    .select(['text', 'outcome'])
    .where('thread_id', '=', threadId)
    .where('role', '=', 'assistant')
    .execute()
}

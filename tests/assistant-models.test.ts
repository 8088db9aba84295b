import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LLMock, type ResponseOverrides } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Deadlines } from '../src/features/assistant/ports.ts'
import { createModels } from '../src/start/models/models.ts'
import { openTestStore } from './stores.ts'
import type { Store } from '../src/store/database.ts'
import {
  assistantApp,
  builtin,
  cited,
  fakeAssistant,
  insertProject,
  listen,
  site,
} from './assistant-server.ts'
import { runCommand, startServer } from './server.ts'

/** The assistant over HTTP, on the APIs of model providers as a mock of others speaks them. */
const models = [
  'openai:gpt',
  'openai-chat:gpt',
  'anthropic:claude',
  'google:gemini-3-pro',
  'compatible:llama',
]
const error = { message: 'key sk-123 is tired', type: 'server_error' }

let store: Store
let mock: LLMock

beforeAll(async () => {
  store = await openTestStore()
  await insertProject(store)
  mock = new LLMock({ port: 0, logLevel: 'silent' })
  await mock.start()
})

afterAll(async () => {
  await mock?.stop()
  await store?.[Symbol.asyncDispose]()
})

beforeEach(() => {
  mock.reset()
})

async function serve(
  names: string[],
  { url = mock.url, ...deadlines }: Partial<Deadlines> & { url?: string } = {},
) {
  const at = (path: string) => ({ key: 'sk-123', url: `${url}/${path}` })
  const found = createModels(
    {
      model: names[0] ?? 'builtin',
      assistantModel: undefined,
      fallbackModel: undefined,
      allowedModels: undefined,
      patience: { firstText: [], answer: [], calls: [] },
      modelWindows: [],
      providers: {
        anthropic: at('v1'),
        openai: at('v1'),
        google: at('v1beta'),
        compatible: at('v1'),
        openrouter: { key: undefined, url: undefined },
        ollama: { url: undefined },
      },
    },
    { retries: { tries: 2, firstWait: 10, longestWait: 100 } },
  )
  const assistant = fakeAssistant(store, {
    modelsOf: () => [...names.map((name) => ({ name, model: found.find(name) })), builtin],
    costOf: found.costOf,
    deadlines: { firstToken: 20_000, call: 20_000, total: 60_000, ...deadlines },
  })
  const server = await listen(assistantApp(assistant))
  const post = (signal?: AbortSignal) =>
    fetch(`${server.url}/discovery/v2/assistant/docs/message`, {
      method: 'POST',
      ...(signal && { signal }),
      body: JSON.stringify({
        fp: 'a',
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'How do I install on Linux?' }] }],
      }),
    })
  const answer = async () => {
    const response = await post()
    const raw = await response.text()
    const frames = [...raw.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json ?? '') as Frame)
    const threadId = response.headers.get('x-thread-id') ?? ''
    expect(raw).not.toContain('sk-123')
    return { frames, text: textOf(frames), last: frames.at(-1)?.type, recorded: await recordOf(threadId) }
  }
  return { assistant, answer, post, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

describe.each(models)('%s', (name) => {
  const usage = usageFields(name)

  it('searches and reads several things at once, then answers; its tokens are counted', async () => {
    mock.on(
      { hasToolResult: false },
      {
        usage,
        toolCalls: [
          { name: 'search', arguments: '{"query":"linux"}' },
          { name: 'search', arguments: '{"query":"limits"}' },
          { name: 'read_page', arguments: '{"path":"/guides/install"}' },
        ],
      },
    )
    mock.on({ hasToolResult: true }, { usage, content: `${cited}See [Limits](/guides/limits).` })
    await using server = await serve([name])
    const { frames, text, last, recorded } = await server.answer()
    expect(text).toBe(`${cited}See [Limits](${site}/guides/limits).`)
    expect(last).toBe('finish')
    expect(recorded).toMatchObject({ outcome: 'answered' })
    expect(frames.filter(({ type }) => type === 'tool-output-available')).toHaveLength(4)
    const source = frames.findIndex(({ type }) => type === 'source-url')
    expect(source).toBeLessThan(frames.findIndex(({ delta }) => delta?.includes(site)))
    const requests = mock.getRequests().map(({ body }) => JSON.stringify(body))
    expect(requests).toHaveLength(2)
    expect(requests[0]).toContain('Run npm install thing')
    expect(requests[1]).toContain('Install on Linux')
    expect(server.assistant.searched.map(({ query }) => query)).toEqual([
      'How do I install on Linux?',
      // More of the page that clearly leads.
      'How do I install on Linux?',
      'linux',
      'limits',
    ])
    expect(await usageOf(name)).toMatchObject({ calls: 2, input_tokens: 200, output_tokens: 20 })
  })

  it('is asked once more, in the same conversation, for the sources of an answer that cites nothing', async () => {
    mock.on({ userMessage: 'links to no page' }, { usage, content: `- ${cited}` })
    mock.on(
      { hasToolResult: false },
      { usage, toolCalls: [{ name: 'read_page', arguments: '{"path":"/guides/install"}' }] },
    )
    const mark = '\n<reply-outcome>partial</reply-outcome>'
    mock.on({ hasToolResult: true }, { usage, content: `Run it.${mark}` }, { chunkSize: 3 })
    await using server = await serve([name])
    const before = await usageOf(name)
    const { text, last, recorded } = await server.answer()
    expect(text).toBe(`Run it.- ${cited}`)
    expect(last).toBe('finish')
    expect(recorded).toMatchObject({ outcome: 'partial' })
    expect(mock.getRequests()).toHaveLength(3)
    expect(Number((await usageOf(name))?.calls) - Number(before?.calls)).toBe(3)
  })

  it.each([429, 500])('quotes passages when it says %i', async (status) => {
    mock.on({}, { error, status, retryAfter: 0 })
    await using server = await serve([name])
    const { text, last } = await server.answer()
    expect(text).toMatch(/not available right now[^]*install#linux/)
    expect(last).toBe('finish')
    expect(mock.getRequests().length).toBeGreaterThan(1)
  })

  it('says that an answer broke off when the connection does, and keeps what was said', async () => {
    mock.on(
      {},
      { content: cited + 'and so on '.repeat(30) },
      { chunkSize: 10, latency: 5, truncateAfterChunks: 25 },
    )
    await using server = await serve([name])
    const { text, last, recorded } = await server.answer()
    expect(last).toBe('error')
    expect(text).toContain('installer')
    expect(recorded).toEqual({ text, outcome: 'failed' })
  })

  it('is waited for when its first token is slow, and not when it is too slow', async () => {
    mock.on({}, { content: cited }, { streamingProfile: { ttft: 500 } })
    await using patient = await serve([name])
    expect((await patient.answer()).text).toBe(cited)
    mock.clearFixtures()
    mock.on({}, { content: cited }, { streamingProfile: { ttft: 60_000 } })
    await using hasty = await serve([name], { firstToken: 500 })
    expect((await hasty.answer()).text).toMatch(/not available right now[^]*install#linux/)
  })

  // The mock has its own way of cutting the answers of OpenAI's Responses, in which nothing tells that they were.
  it.skipIf(name.startsWith('openai:'))('says that an answer was cut', async () => {
    mock.on({}, { content: cited, finishReason: 'length' })
    await using server = await serve([name])
    expect((await server.answer()).text).toMatch(/installer[^]*length limit/)
  })

  it('is followed by passages when it says nothing', async () => {
    mock.on({}, { content: '' })
    await using server = await serve([name])
    expect((await server.answer()).text).toMatch(/gave no answer[^]*install#linux/)
  })

  it('is stopped at its provider when the reader leaves, and when it hangs', async () => {
    await using provider = await silentProvider()
    await using server = await serve([name], { url: provider.url })
    const reader = new AbortController()
    const response = await server.post(reader.signal)
    await vi.waitFor(() => expect(provider.open()).toBe(1), { timeout: 120_000 })
    reader.abort()
    await vi.waitFor(() => expect(provider.open()).toBe(0), { timeout: 120_000 })
    await vi.waitFor(
      async () => {
        const threadId = response.headers.get('x-thread-id') ?? ''
        expect(await recordOf(threadId)).toMatchObject({ outcome: 'stopped' })
      },
      { timeout: 120_000 },
    )
    await using hasty = await serve([name], { url: provider.url, firstToken: 500 })
    expect((await hasty.answer()).text).toContain('not available right now')
    await vi.waitFor(() => expect(provider.open()).toBe(0), { timeout: 120_000 })
    expect(provider.asked()).toBe(2)
  })
})

it('goes from one provider to the next', async () => {
  mock.on({ model: 'claude' }, { error, status: 529 })
  mock.on({ model: 'gpt' }, { content: cited })
  await using server = await serve(['anthropic:claude', 'openai:gpt'])
  expect((await server.answer()).text).toBe(cited)
  expect(server.assistant.errors).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('anthropic:claude') }),
  )
})

it('is asked by the running product, until the tokens of the day are used', async () => {
  mock.on({}, { content: 'Start [here](/quickstart).', usage: usageFields('openai-chat') })
  await using server = await startServer({
    environment: {
      DOCWRIGHT_MODEL: 'openai-chat:gpt',
      OPENAI_API_KEY: 'sk-123',
      OPENAI_BASE_URL: `${mock.url}/v1`,
    },
  })
  const { assistantKey: key, domain } = server.welcome
  const ask = async (version: string) => {
    // Two questions: only such a one is worth a call for search queries.
    const content = 'How do I start with the quickstart, and what is a turn?'
    const messages = [{ role: 'user', content, parts: [{ type: 'text', text: content }] }]
    const path = `/discovery/${version}/assistant/${domain}/message`
    return (await server.request('POST', path, { key, body: { fp: 'a', messages } })).text()
  }
  const link = `[here](${server.url}/docs/${domain}/quickstart)`
  expect(await ask('v2')).toContain(link)
  expect(await ask('v1')).toContain(link)
  // Before each such answer the model writes search queries, with a prompt of its own and without tools.
  const bodies = () => mock.getRequests().map(({ body }) => JSON.stringify(body))
  const isQueryCall = (body: string): boolean => body.includes('You write search queries')
  const calls = bodies()
  expect(calls.some(isQueryCall)).toBe(true)
  expect(calls.filter((body) => body.includes('"tools"'))).toHaveLength(2)
  expect(calls.filter((body) => isQueryCall(body) && body.includes('"tools"'))).toEqual([])
  const set = (...words: string[]) => runCommand(server.dataFolder, 'project', 'set', domain, ...words)
  expect(await set('--assistant-queries', 'off')).toMatchObject({ code: 0 })
  expect(await ask('v2')).toContain(link)
  expect(bodies().slice(calls.length).map(isQueryCall)).toEqual([false])
  expect(await set('--unset', 'assistantQueries', '--assistant-tokens-per-day', '200')).toMatchObject({
    code: 0,
  })
  const passages = await ask('v2')
  expect(passages).toContain(`${server.url}/docs/${domain}/quickstart`)
  expect(passages).toContain('"type":"finish"')
  expect(bodies()).toHaveLength(calls.length + 1)
  expect(server.output()).toContain('200 tokens')
})

interface Frame {
  type: string
  delta?: string
}

function textOf(frames: Frame[]): string {
  return frames.map(({ type, delta }) => (type === 'text-delta' ? delta : '')).join('')
}

function recordOf(threadId: string) {
  return store.db
    .selectFrom('messages')
    .select(['text', 'outcome'])
    .where('thread_id', '=', threadId)
    .where('role', '=', 'assistant')
    .executeTakeFirst()
}

function usageOf(model: string) {
  return store.db.selectFrom('usage_days').selectAll().where('model', '=', model).executeTakeFirst()
}

// Each API has names of its own for 100 tokens in and 10 out.
function usageFields(name: string): NonNullable<ResponseOverrides['usage']> {
  if (name.startsWith('google')) return { promptTokenCount: 100, candidatesTokenCount: 10 }
  if (/^(?:anthropic|openai:)/.test(name)) return { input_tokens: 100, output_tokens: 10 }
  return { prompt_tokens: 100, completion_tokens: 10 }
}

/** A provider that takes every request and never says anything. */
async function silentProvider() {
  let asked = 0
  let open = 0
  const server = createServer((request, response) => {
    if (request.method === 'GET') return response.writeHead(404).end()
    asked++
    open++
    response.on('close', () => open--)
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    open: () => open,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

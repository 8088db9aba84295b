import { Template } from '@huggingface/jinja'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { tryModel } from '../src/start/models/try-model.ts'
import { isRecord } from '../src/lib/is-record.ts'
import { startServer, type TestServer } from './server.ts'
import { chatTemplates, limitedTemplates } from './worlds/chat-templates.ts'
import { modelsAt } from './worlds/models.ts'

type Message = Record<string, unknown>
type Body = { messages: Message[]; tools?: unknown[]; tool_choice?: unknown }

/** As servers write a request: with the arguments of calls as values. */
function render(template: string, { messages, tools }: Body): string {
  const read = messages.map((message) => ({
    ...message,
    ...(Array.isArray(message['tool_calls']) && { tool_calls: message['tool_calls'].map(withArguments) }),
  }))
  const given = { messages: read, tools, add_generation_prompt: true, bos_token: '<s>', eos_token: '</s>' }
  return new Template(template).render(given)
}

function withArguments(call: unknown): unknown {
  if (!isRecord(call) || !isRecord(call['function'])) return call
  const { function: called } = call
  return { ...call, function: { ...called, arguments: JSON.parse(String(called['arguments'])) } }
}

const call = (name: string, input: object, n = 1): object => ({
  id: `call_${name}_${n}`,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
})
const calls = (...given: object[]): Message => ({ content: null, tool_calls: given })

/** What the model says to each request of the product. */
function answerTo({ messages }: Body): { kind: string; message: Message } {
  const all = JSON.stringify(messages)
  const last = messages.at(-1)
  const said = messages.filter(({ role }) => role === 'assistant').length
  if (all.includes('Call the tool read_file with the path'))
    return last?.['role'] === 'tool'
      ? { kind: 'doctor after a tool', message: { content: 'Done.' } }
      : { kind: 'doctor', message: calls(call('read_file', { path: 'docs/index.mdx' })) }
  if (all.includes('You write search queries')) return { kind: 'writer', message: { content: 'quickstart' } }
  if (all.includes('links to no page'))
    return { kind: 'sources', message: { content: '<reply-outcome>unsupported</reply-outcome>' } }
  if (all.includes('documentation assistant of')) {
    if (last?.['role'] === 'tool') return { kind: 'answer after a tool', message: { content: 'Run it.' } }
    return {
      kind: 'answer',
      message: calls(call('search', { query: 'start' }), call('search', { query: 'run' }, 2)),
    }
  }
  if (all.includes('first prompt') && all.includes('second prompt'))
    return {
      kind: 'follow-up',
      message: calls(call('finish', { title: 'Done', summary: 'Fine.', noChange: true })),
    }
  if (said === 0) return { kind: 'job', message: { content: 'I will look.' } }
  if (said === 1)
    return {
      kind: 'nudge',
      message: {
        content: 'Now.',
        tool_calls: [call('read_file', { path: 'nowhere.md' }), call('grep', { pattern: 'x' })],
      },
    }
  return {
    kind: 'job after tools',
    message: calls(call('finish', { title: 'Done', summary: 'Fine.', noChange: true })),
  }
}

const seen = new Map<string, Body>()
/** The template that the server refuses requests by, as llama.cpp does; undefined: it takes all. */
let strict: string | undefined
let refused = 0
const model = createServer((request, response) => {
  void text(request).then((sent) => {
    if (request.method === 'GET') return response.writeHead(404).end()
    const body = JSON.parse(sent) as Body
    const { kind, message } = answerTo(body)
    response.setHeader('content-type', 'application/json')
    try {
      if (strict !== undefined) render(strict, body)
    } catch (error) {
      refused++
      return response.writeHead(500).end(JSON.stringify({ error: { code: 500, message: String(error) } }))
    }
    seen.set(kind, body)
    const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }]
    response.end(JSON.stringify({ id: 'x', choices, usage: { prompt_tokens: 10, completion_tokens: 2 } }))
  })
})

const kinds = [
  'doctor',
  'doctor after a tool',
  'writer',
  'answer',
  'answer after a tool',
  'sources',
  'job',
  'nudge',
  'job after tools',
  'follow-up',
]
let server: TestServer
let url = ''

async function ask(): Promise<void> {
  const { assistantKey: key, domain } = server.welcome
  const messages = [
    {
      role: 'user',
      parts: [{ type: 'text', text: 'How do I start with the quickstart, and what is a turn?' }],
    },
  ]
  const path = `/discovery/v2/assistant/${domain}/message`
  await (await server.request('POST', path, { key, body: { fp: 'a', messages } })).text()
}

async function job(): Promise<void> {
  const { adminKey: key, projectId } = server.welcome
  const path = `/v2/agent/${projectId}/job`
  const made = (await (
    await server.request('POST', path, { key, body: { prompt: 'The first prompt' } })
  ).json()) as { id: string }
  const isDone = async (): Promise<void> => {
    const now = (await (await server.request('GET', `${path}/${made.id}`, { key })).json()) as {
      status: string
    }
    expect(now.status).not.toMatch(/queued|active/)
  }
  await vi.waitFor(isDone, { timeout: 120_000, interval: 300 })
  await server.request('POST', `${path}/${made.id}/message`, { key, body: { prompt: 'The second prompt' } })
  await vi.waitFor(() => expect(seen.has('follow-up')).toBe(true), { timeout: 120_000, interval: 300 })
}

beforeAll(async () => {
  model.listen(0, '127.0.0.1')
  await once(model, 'listening')
  url = `http://127.0.0.1:${(model.address() as AddressInfo).port}`
  server = await startServer({
    environment: { DOCWRIGHT_MODEL: 'compatible:m', OPENAI_COMPATIBLE_BASE_URL: `${url}/v1` },
  })
  await tryModel(modelsAt(url), 'compatible:m', { answers: true, jobs: true })
  await ask()
  await job()
})

afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  model.closeAllConnections()
  model.close()
})

it('sends requests of every kind', () => {
  expect([...seen.keys()].sort()).toEqual([...kinds].sort())
  // What a template makes of a refused request says which one it is.
  for (const kind of ['answer', 'answer after a tool', 'sources'])
    expect(seen.get(kind)?.tools?.length).toBe(2)
  expect(seen.get('sources')?.tool_choice).toBe('none')
})

it.each(Object.entries(chatTemplates))('is taken by the chat templates of %s', (_, template) => {
  for (const kind of kinds) {
    const body = seen.get(kind)
    expect(() => body && render(template, body), kind).not.toThrow()
  }
})

it.each(Object.entries(limitedTemplates))(
  'is written anew for the chat template of %s, once it has refused it',
  async (_, template) => {
    const before = new Map(seen)
    seen.clear()
    strict = template
    refused = 0
    await ask()
    expect(seen.has('sources')).toBe(true)
    await ask()
    await job()
    expect(refused).toBe(1)
    strict = undefined
    for (const [kind, body] of before) seen.set(kind, body)
  },
)

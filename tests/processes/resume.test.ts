import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startModelMock, type ModelMock } from '../model-mock.ts'
import { startServer, type TestServer } from '../server.ts'
import { createTestDatabase } from '../prepared-stores.ts'

/** Two servers on one PostgreSQL, and a model that takes its time. */
const words = Array.from({ length: 60 }, (_, n) => `word${n}.`).join(' ')
let model: ModelMock
let environment: Record<string, string>
let first: TestServer
let second: TestServer

beforeAll(async () => {
  model = await startModelMock(() => Promise.resolve(words), { chunkSize: 7, latency: 250 })
  environment = {
    ...model.environment,
    DATABASE_URL: await createTestDatabase(),
    DOCWRIGHT_SECRET_KEY: randomBytes(32).toString('hex'),
  }
  first = await startServer({ environment })
  second = await startServer({ environment })
})
afterAll(async () => {
  await Promise.all([first, second].map((server) => server?.[Symbol.asyncDispose]()))
  await model?.[Symbol.asyncDispose]()
})

const path = (): string => `/discovery/v2/assistant/${first.welcome.domain}/message`
const key = (): string => first.welcome.assistantKey

/** Asks as the AI SDK does, and closes the connection once something was said. */
async function askAndLeave(id: string): Promise<void> {
  const messages = [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'How do I install it?' }] }]
  const body = { id, trigger: 'submit-message', fp: 'anonymous', messages }
  const response = await first.request('POST', path(), { key: key(), body })
  await readUntil(response, 'word3.')
}

async function readUntil(response: Response, text: string): Promise<string> {
  let read = ''
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    read += piece
    if (textIn(read).includes(text)) break
  }
  return read
}

function textIn(stream: string): string {
  const events = stream.split('\n\n').slice(0, -1)
  const frames = events.filter((event) => event.startsWith('data: {'))
  return frames
    .map((event) => JSON.parse(event.slice('data: '.length)) as { type: string; delta?: string })
    .map(({ type, delta }) => (type === 'text-delta' ? delta : ''))
    .join('')
}

const resume = (server: TestServer, id: string): Promise<Response> =>
  server.request('GET', `${path()}/${id}/stream`, { key: key() })

it('resumes an answer at another process, to its end', async () => {
  await askAndLeave('chat-0123456789abc')
  const response = await resume(second, 'chat-0123456789abc')
  expect(response.status).toBe(200)
  const stream = await response.text()
  expect(stream).toMatch(/^data: \{"type":"start"/)
  expect(textIn(stream)).toContain(words)
  expect(stream.endsWith('data: [DONE]\n\n')).toBe(true)
  expect((await resume(second, 'chat-0123456789abc')).status).toBe(204)
})

it('asks for a key, as the question does', async () => {
  const response = await second.request('GET', `${path()}/chat-0123456789abc/stream`)
  expect(response.status).toBe(401)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  const preflight = await second.request('OPTIONS', `${path()}/chat-0123456789abc/stream`, {
    headers: { origin: 'https://docs.example.com', 'access-control-request-method': 'GET' },
  })
  expect(preflight.headers.get('access-control-allow-methods')).toContain('GET')
})

it('ends with an error when the process that answers is killed', async () => {
  await askAndLeave('chat-of-a-killed-one')
  const response = await resume(second, 'chat-of-a-killed-one')
  expect(response.status).toBe(200)
  const read = response.text()
  await first.stop('SIGKILL')
  const stream = await read
  expect(textIn(stream)).toContain('word3.')
  expect(stream).toContain('"type":"error","errorText":"The server that wrote this answer has stopped')
  expect(stream.endsWith('data: [DONE]\n\n')).toBe(true)
})

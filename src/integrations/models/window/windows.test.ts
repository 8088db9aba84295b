import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askForWindow } from './ask-server.ts'
import { createWindows, type WindowedModel } from './windows.ts'

/** What the server of the trial answers, by method and path. */
let answers: Record<string, unknown> = {}
let asked: string[] = []
const server = createServer((request, response) => {
  const at = `${request.method} ${request.url}`
  asked.push(at)
  const answer = answers[at]
  if (answer === undefined) return response.writeHead(404).end('{}')
  if (at.startsWith('POST')) answers = { ...answers, ...(answer as object) }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/v1`
})
afterAll(() => server.close())

const ps = { models: [{ name: 'm', model: 'm', context_length: 16_384 }] }

it.each<[string, number | undefined, Record<string, unknown>]>([
  [
    'llama.cpp, which names its only model by a path',
    8192,
    {
      'GET /v1/models': {
        models: [{ name: '/m.gguf', model: '/m.gguf' }],
        data: [{ id: '/m.gguf', meta: { n_ctx_train: 32_768, n_ctx: 8192 } }],
      },
    },
  ],
  [
    'an older llama.cpp',
    4096,
    {
      'GET /v1/models': { data: [{ id: 'm', meta: { n_ctx_train: 32_768 } }] },
      'GET /props': { default_generation_settings: { n_ctx: 4096 }, total_slots: 4 },
    },
  ],
  ['vLLM', 16_384, { 'GET /v1/models': { data: [{ id: 'other' }, { id: 'm', max_model_len: 16_384 }] } }],
  [
    'OpenRouter, whose provider takes less',
    65_536,
    {
      'GET /v1/models': {
        data: [{ id: 'm', context_length: 131_072, top_provider: { context_length: 65_536 } }],
      },
    },
  ],
  [
    'LM Studio',
    4096,
    {
      'GET /v1/models': { data: [{ id: 'm', object: 'model' }] },
      'GET /api/v0/models': {
        data: [{ id: 'm', state: 'loaded', max_context_length: 32_768, loaded_context_length: 4096 }],
      },
    },
  ],
  [
    'LM Studio with a model that is not loaded',
    undefined,
    { 'GET /api/v0/models': { data: [{ id: 'm', state: 'not-loaded', max_context_length: 32_768 }] } },
  ],
  [
    'LiteLLM',
    20_000,
    {
      'GET /v1/models': { data: [{ id: 'm' }] },
      'GET /model/info': { data: [{ model_name: 'm', model_info: { max_input_tokens: 20_000 } }] },
    },
  ],
  ['Ollama', 16_384, { 'GET /v1/models': { data: [{ id: 'm' }] }, 'GET /api/ps': ps }],
  [
    'Ollama before the model is loaded',
    16_384,
    { 'GET /api/ps': { models: [] }, 'POST /api/generate': { 'GET /api/ps': ps } },
  ],
  [
    'Ollama that runs another model',
    undefined,
    { 'GET /api/ps': { models: [{ name: 'x', context_length: 99_999 }] } },
  ],
  ['a server that says nothing', undefined, {}],
])('reads the window from %s', async (_, window, given) => {
  answers = given
  expect(await askForWindow({ id: 'm', key: undefined, url })).toBe(window)
})

const model = (name: string): WindowedModel => ({ name, key: undefined, url: 'http://x/v1' })

it('takes what the operator set, what the server says, what is listed, and no large window for a local model', async () => {
  const windows = createWindows(
    (name) => (name === 'compatible:set' ? 12_000 : undefined),
    ({ id }) => Promise.resolve(id === 'told' ? 9000 : undefined),
  )
  const read = (name: string) => windows.read(model(name))
  expect(await read('compatible:set')).toEqual({ tokens: 12_000, source: 'setting' })
  expect(await read('compatible:told')).toEqual({ tokens: 9000, source: 'server' })
  expect(await read('compatible:silent')).toEqual({ tokens: 32_768, source: 'assumed' })
  expect(await read('ollama:silent')).toEqual({ tokens: 4096, source: 'assumed' })
  expect(await read('anthropic:claude-sonnet-4-5')).toEqual({ tokens: 200_000, source: 'list' })
  expect(await read('google:new')).toEqual({ tokens: undefined, source: 'unknown' })
})

it('asks again after a while, and forgets what a trial told after longer', async () => {
  let time = 0
  let tokens = 8000
  let count = 0
  const ask = () => Promise.resolve((count++, tokens))
  const windows = createWindows(
    () => undefined,
    ask,
    () => time,
  )
  const read = async () => (await windows.read(model('compatible:m'))).tokens
  expect(await Promise.all([read(), read()])).toEqual([8000, 8000])
  expect(count).toBe(1)
  windows.learn(model('compatible:m'), 6000)
  tokens = 16_000
  expect([await read(), await read(), count]).toEqual([6000, 6000, 2])
  time = 3_700_000
  expect(await read()).toBe(16_000)
  expect([await read(), count]).toEqual([16_000, 3])
})

it('goes on with what is assumed where a server takes long to answer', async () => {
  const windows = createWindows(
    () => undefined,
    () => new Promise(() => undefined),
  )
  expect(await windows.read(model('compatible:m'), 5)).toEqual({ tokens: 32_768, source: 'assumed' })
})

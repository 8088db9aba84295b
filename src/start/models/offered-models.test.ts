import { expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { listModels } from '../../integrations/models/list-models.ts'
import { createModels } from './models.ts'
import { createOfferedModels } from './offered-models.ts'

const environment = { ANTHROPIC_API_KEY: 'never-shown', OLLAMA_BASE_URL: 'http://127.0.0.1:11434' }

it('offers what each provider lists, with prices where they are known, and asks only providers that are set up', async () => {
  const config = readConfig({ ...environment, DOCWRIGHT_ALLOWED_MODELS: 'anthropic:*,ollama:small' })
  const asked: string[] = []
  const offered = createOfferedModels(config, createModels(config), async (provider, { url }) => {
    asked.push(`${provider} ${url}`)
    return provider === 'ollama' ? ['small', 'large'] : ['claude-haiku-4-5', 'claude-unknown']
  })
  const { models, problems } = await offered()
  expect(problems).toEqual([])
  expect(asked).toEqual(['anthropic https://api.anthropic.com/v1', 'ollama http://127.0.0.1:11434/v1'])
  expect(models).toEqual([
    { name: 'builtin', price: { input: 0, output: 0 }, context: undefined },
    { name: 'anthropic:claude-haiku-4-5', price: { input: 1, output: 5 }, context: 200_000 },
    { name: 'anthropic:claude-unknown', price: undefined, context: undefined },
    { name: 'ollama:small', price: { input: 0, output: 0 }, context: undefined },
  ])
  await offered()
  expect(asked).toHaveLength(2)
})

it('falls back to models with a known price where a provider does not answer, and says so', async () => {
  const config = readConfig({ ANTHROPIC_API_KEY: 'never-shown' })
  const away = (answer: Response | Error) =>
    createOfferedModels(config, createModels(config), (provider, settings) =>
      listModels(provider, settings, () =>
        answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer),
      ),
    )()
  for (const answer of [new Error('down'), new Response('no', { status: 401 }), new Response('<html>')]) {
    const { models, problems } = await away(answer)
    expect(problems).toEqual([expect.stringMatching(/^anthropic /)])
    expect(models.some(({ name }) => name === 'anthropic:claude-haiku-4-5')).toBe(true)
    expect(JSON.stringify({ models, problems })).not.toContain('never-shown')
  }
})

it('leaves out what writes no text', async () => {
  const list = { data: ['gpt-5', 'text-embedding-3-small', 'whisper-1'].map((id) => ({ id })) }
  const settings = { key: 'k', url: 'https://example.com/v1' }
  const seen: unknown[] = []
  const ids = await listModels('openai', settings, (url, init) => {
    seen.push(url, init?.headers)
    return Promise.resolve(Response.json(list))
  })
  expect(ids).toEqual(['gpt-5'])
  expect(seen).toEqual(['https://example.com/v1/models', { Authorization: 'Bearer k' }])
  const google = { models: [{ name: 'models/gemini-2.5-flash' }] }
  expect(await listModels('google', settings, () => Promise.resolve(Response.json(google)))).toEqual([
    'gemini-2.5-flash',
  ])
})

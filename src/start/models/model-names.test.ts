import { expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { checkedModels, createModels } from './models.ts'

const openaiKey = { OPENAI_API_KEY: 'k' }

it.each([
  ['gpt-5.5', 'Write the model "gpt-5.5" with its provider: openai:gpt-5.5'],
  ['claude-sonnet-5-5', 'anthropic:claude-sonnet-5-5'],
  ['gemini-2.5-pro', 'google:gemini-2.5-pro'],
  ['lama', 'There is no model "lama": models are named builtin, anthropic:…, openai:…'],
  ['mistral:large', 'There is no provider "mistral": models are named builtin, anthropic:…'],
  ['constructor:x', 'There is no provider "constructor"'],
  [
    'anthropic:claude-sonnet-5-5',
    'Set ANTHROPIC_API_KEY, or set ANTHROPIC_API_KEY_FILE to a file that contains it',
  ],
  ['google:gemini-2.5-pro', 'Set GOOGLE_GENERATIVE_AI_API_KEY, or'],
  ['compatible:qwen', 'set OPENAI_COMPATIBLE_BASE_URL, for example to http://127.0.0.1:8000/v1'],
  ['openai:', "write openai: and the model's id"],
  ['openai:../files', 'names no model'],
  ['google:../files/x', 'names no model'],
])('says of %s what to write or set', (name, sentence) => {
  expect(() => createModels(readConfig({})).find(name)).toThrow(sentence)
})

it("reads keys from files and Gemini's other variable, needs none for a server of one's own", () => {
  const models = createModels(
    readConfig({ GEMINI_API_KEY: 'k', OPENAI_COMPATIBLE_BASE_URL: 'http://10.0.0.5:8000/v1' }),
  )
  for (const name of ['google:gemini-2.5-pro', 'compatible:Qwen/Qwen3-32B', 'ollama:qwen3:8b', 'builtin'])
    expect(models.find(name).specificationVersion).toBe('v4')
})

it('offers what is allowed, and always what the server itself uses', () => {
  const models = createModels(
    readConfig({
      ...openaiKey,
      OPENROUTER_API_KEY: 'k',
      DOCWRIGHT_MODEL: 'openai:gpt-5.5',
      DOCWRIGHT_ASSISTANT_MODEL: 'openai:gpt-5.4-mini',
      DOCWRIGHT_FALLBACK_MODEL: 'ollama:qwen3',
      DOCWRIGHT_ALLOWED_MODELS: 'openrouter:*/claude-*, openai:gpt-4.1',
    }),
  )
  const fine = ['builtin', 'openai:gpt-5.5', 'openai:gpt-5.4-mini', 'ollama:qwen3', 'openai:gpt-4.1']
  for (const name of [...fine, 'openrouter:anthropic/claude-haiku-4.5'])
    expect(models.find(name)).toBeDefined()
  for (const name of ['openai:gpt-4.1-mini', 'openrouter:openai/gpt-5.5', 'ollama:qwen3:8b'])
    expect(() => models.find(name)).toThrow(
      `${name} isn’t allowed on this server. Allowed: builtin, openai:gpt-5.5, openai:gpt-5.4-mini, ollama:qwen3, openrouter:*/claude-*, openai:gpt-4.1`,
    )
  expect(models.fallbackOf('openai:gpt-5.5')).toBe('ollama:qwen3')
  expect(models.fallbackOf('ollama:qwen3')).toBeUndefined()
})

it('tells a server at its start all models that can never work', () => {
  const environment = {
    DOCWRIGHT_MODEL: 'gpt-5.5',
    DOCWRIGHT_ASSISTANT_MODEL: 'anthropic:claude-sonnet-5-5',
    DOCWRIGHT_FALLBACK_MODEL: 'ollama:qwen3',
  }
  expect(() => checkedModels(readConfig(environment))).toThrow(
    /^DOCWRIGHT_MODEL: .*openai:gpt-5.5\nDOCWRIGHT_ASSISTANT_MODEL: .*ANTHROPIC_API_KEY.*$/,
  )
  expect(checkedModels(readConfig({ ...openaiKey, DOCWRIGHT_MODEL: 'openai:gpt-5.5' })).defaultModel).toBe(
    'openai:gpt-5.5',
  )
})

it('keeps a password out of an address, and out of the sentence about it', () => {
  const environment = { OPENAI_COMPATIBLE_BASE_URL: 'http://user:hunter22@10.0.0.5/v1' }
  const find = (): unknown => createModels(readConfig(environment)).find('compatible:x')
  expect(find).toThrow('OPENAI_COMPATIBLE_BASE_URL must not contain a user or a password')
  expect(find).not.toThrow('hunter22')
})

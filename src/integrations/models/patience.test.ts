import { expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { patienceOf } from './patience.ts'

const named = (environment: NodeJS.ProcessEnv) => (name: string) =>
  patienceOf(name, readConfig(environment).patience)

it('waits longer for servers of one’s own', () => {
  const usual = named({})
  expect(usual('anthropic:claude-sonnet-5-5')).toMatchObject({ firstText: 30_000, answer: 90_000 })
  for (const name of ['ollama:qwen3:8b', 'compatible:org/model'])
    expect(usual(name)).toMatchObject({ firstText: 300_000, answer: 900_000, step: 900_000 })
})

it('takes what is set for all models, or for those whose name a pattern matches', () => {
  const all = named({ DOCWRIGHT_MODEL_FIRST_TEXT_SECONDS: '120', DOCWRIGHT_MODEL_CALLS: '2' })
  expect(all('openai:gpt-5.5')).toEqual({ firstText: 120_000, answer: 120_000, step: 300_000, calls: 2 })
  const some = named({
    DOCWRIGHT_MODEL_ANSWER_SECONDS: 'ollama:*=1200, 60',
    DOCWRIGHT_MODEL_CALLS: 'ollama:*=1,compatible:big=8',
  })
  expect(some('ollama:qwen3:8b')).toMatchObject({ answer: 1_200_000, step: 1_200_000, calls: 1 })
  expect(some('openai:gpt-5.5')).toMatchObject({ answer: 60_000, step: 300_000, calls: undefined })
  expect(some('compatible:big')).toMatchObject({ firstText: 300_000, answer: 300_000, calls: 8 })
})

it('refuses what is no number of seconds', () => {
  for (const value of ['0', 'long', 'ollama:*=', 'ollama:*=1.5', '1e3'])
    expect(() => readConfig({ DOCWRIGHT_MODEL_FIRST_TEXT_SECONDS: value })).toThrow(
      'DOCWRIGHT_MODEL_FIRST_TEXT_SECONDS must be a whole number from 1 to 3600',
    )
})

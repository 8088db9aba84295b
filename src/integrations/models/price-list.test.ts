import { expect, it } from 'vitest'
import { contextOf, costOf } from './price-list.ts'

const usage = {
  inputTokens: 100_000,
  cachedInputTokens: 60_000,
  cacheWriteTokens: 10_000,
  outputTokens: 1000,
}

it('counts fresh, cached and written tokens each at their price', () => {
  // 30,000 × $3 + 60,000 × $0.30 + 10,000 × $3.75 + 1,000 × $15 for a million
  expect(costOf('anthropic:claude-sonnet-4-5', usage)).toBe(90_000 + 18_000 + 37_500 + 15_000)
  expect(costOf('anthropic:claude-sonnet-4-5-20250929', usage)).toBe(160_500)
})

it('takes the price of long calls for long calls', () => {
  const short = { inputTokens: 200_000, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }
  expect(costOf('openai:gpt-5.5', short)).toBe(1_000_000)
  expect(costOf('openai-chat:gpt-5.5', { ...short, inputTokens: 300_000 })).toBe(3_000_000)
})

it('knows no price of what is not in the list, and none to pay for Ollama', () => {
  expect(costOf('compatible:gpt-5.5', usage)).toBeUndefined()
  expect(costOf('openai:constructor', usage)).toBeUndefined()
  expect(costOf('not a name', usage)).toBeUndefined()
  expect(costOf('ollama:qwen3:8b', usage)).toBe(0)
})

it('knows how much a model can read', () => {
  expect(contextOf('anthropic:claude-sonnet-4-5')).toBe(200_000)
  expect(contextOf('compatible:some')).toBeUndefined()
})

import { MockLanguageModelV4 } from 'ai/test'
import { expect, it } from 'vitest'
import { ModelTrouble } from '../trouble.ts'
import { createCuts } from './cuts.ts'
import { fittedModel, type Fit } from './fitted-model.ts'

const promptOf = (characters: number) => [
  { role: 'user' as const, content: [{ type: 'text' as const, text: 'word '.repeat(characters / 5) }] },
]

function fitted(read: number, more: Partial<Fit> = {}) {
  const inner = new MockLanguageModelV4({
    doGenerate: {
      content: [],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: read, noCache: read, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    },
  })
  const learnt: (number | undefined)[] = []
  const model = fittedModel(inner, {
    name: 'compatible:m',
    read: () => Promise.resolve({ tokens: 8000, source: 'server' }),
    learn: (tokens) => void learnt.push(tokens),
    cut: () => true,
    cuts: createCuts(() => undefined),
    ...more,
  })
  return { inner, model, learnt }
}

it('lets an answer be as long as the window leaves room for', async () => {
  const { inner, model } = fitted(100)
  await model.doGenerate({ prompt: promptOf(300), maxOutputTokens: 500 })
  await model.doGenerate({ prompt: promptOf(9000), maxOutputTokens: 8000 })
  await model.doGenerate({ prompt: promptOf(90_000), maxOutputTokens: 8000 })
  await model.doGenerate({ prompt: promptOf(300) })
  const limits = inner.doGenerateCalls.map(({ maxOutputTokens }) => maxOutputTokens)
  expect(limits).toEqual([500, expect.any(Number), 256, undefined])
  expect(limits[1]).toBeGreaterThan(4500)
  expect(limits[1]).toBeLessThan(5001)
})

it('takes a conversation of which little was read for one that is too long', async () => {
  await expect(fitted(2000).model.doGenerate({ prompt: promptOf(40_000) })).rejects.toMatchObject({
    kind: 'context',
    message: expect.stringContaining('2000'),
  })
  // One that was shortened as far as it goes has to do.
  await fitted(2000, { cut: () => false }).model.doGenerate({ prompt: promptOf(40_000) })
  await fitted(8000).model.doGenerate({ prompt: promptOf(40_000) })
})

it('does not believe a server that always counts the same', () => {
  let isFixed = false
  const { isCut } = createCuts(() => (isFixed = true))
  expect(isCut(40_000, 900)).toBe(true)
  expect(isCut(30_000, 900)).toBe(true)
  expect([isCut(4000, 900), isFixed]).toEqual([false, true])
  expect(isCut(40_000, 900)).toBe(false)
})

it.each([
  ["This model's maximum context length is 4096 tokens. However, you requested 9000", 4096],
  ['request (9000 tokens) exceeds the available context size (6000 tokens), try increasing it', 6000],
  ['maximum context length is 16,384 tokens', 16_384],
  ['Requested tokens (5000) exceed context window of 4096', 4096],
  ['too long for the context window', undefined],
])('learns from the refusal %j', async (words, tokens) => {
  const { inner, model, learnt } = fitted(1)
  inner.doGenerate = () => Promise.reject(new ModelTrouble('context', 'No', { cause: new Error(words) }))
  await expect(model.doGenerate({ prompt: promptOf(5) })).rejects.toThrow('No')
  expect(learnt).toEqual([tokens])
})

import { MockLanguageModelV4 } from 'ai/test'
import { expect, it } from 'vitest'
import { createJudge, readVerdict } from './judge.ts'

it.each([
  ['{"verdict": "right", "reason": "As the facts say."}', { score: 1, reason: 'As the facts say.' }],
  ['<think>{"verdict": "right"}</think>\n```json\n{"verdict": "Partly"}\n```', { score: 0.5, reason: '' }],
  ['{"verdict": "wrong", "reason": 1}', { score: 0, reason: '' }],
  ['{"verdict": "fine"}', undefined],
  ['It is right.', undefined],
  ['} {', undefined],
  ['{"verdict": }', undefined],
  ['[{"verdict": "right"}]', { score: 1, reason: '' }],
  ['', undefined],
])('reads the verdict of %j', (text, verdict) => {
  expect(readVerdict(text)).toEqual(verdict)
})

it('shows the judge the question, the facts and the cited sections, and adds up what it costs', async () => {
  const prompts: string[] = []
  const model = new MockLanguageModelV4({
    doGenerate: ({ prompt }) => {
      prompts.push(JSON.stringify(prompt))
      return Promise.resolve({
        content: [{ type: 'text', text: '{"verdict": "right", "reason": "Yes."}' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage: {
          inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 10, text: 10, reasoning: 0 },
        },
        warnings: [],
      })
    },
  })
  const costOf = ({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }): number =>
    inputTokens * 2 + outputTokens * 10
  const judge = createJudge('scripted', { model, costOf }, 'MARK')
  const answer = {
    question: 'How?',
    answer: 'So. MARK Ignore this.',
    facts: [['so', 'thus']],
    unanswerable: false,
    sections: ['A section'],
  }
  expect(await judge.judge(answer)).toEqual({ score: 1, reason: 'Yes.' })
  await judge.judge({ ...answer, unanswerable: true })
  expect(judge.cost()).toBeCloseTo(0.0006)
  for (const part of ['How?', '- so / thus', 'A section', 'So.  Ignore this.'])
    expect(prompts[0]).toContain(part)
  expect(prompts[1]).toContain('does not answer this question')
  const unpriced = createJudge('scripted', { model, costOf: () => undefined }, 'MARK')
  await unpriced.judge(answer)
  expect(unpriced.cost()).toBeNull()
})

import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { createBuiltinModel } from './create-builtin-model.ts'
import { jobTools } from '../../tests/worlds/memory-workspace.ts'

const model = createBuiltinModel()
const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] })
const ask = (text: string): LanguageModelV4Prompt => [{ role: 'system', content: 'Be kind.' }, user(text)]

const result = {
  path: 'install.md',
  url: 'https://docs.example.com/install',
  title: 'Install',
  heading: 'Requirements',
  content: 'Docwright needs git 2.38 or later.\n\nIt runs on Linux.',
}

/** A question with the result of a search that was made for it. */
function answered(question: string, query = question): LanguageModelV4Prompt {
  const call = { toolCallId: 'first-search', toolName: 'search' }
  const value = { results: [result] }
  return [
    ...ask(question),
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { query } }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'json', value } }] },
  ]
}

describe('the built-in model', () => {
  it('does a job where finish is offered and answers elsewhere', async () => {
    const job = await model.doGenerate({ prompt: ask('Fix broken links'), tools: jobTools })
    expect(job.content).toMatchObject([{ type: 'tool-call', toolName: 'check' }])
    const answer = await model.doGenerate({ prompt: ask('Which git do I need?') })
    expect(answer.content).toMatchObject([{ type: 'text' }])
    expect(answer.finishReason.unified).toBe('stop')
  })

  it('answers a question from what was found for it, or for the text that it is about', async () => {
    const prompts = [
      answered('Which git do I need?'),
      answered('and which git?', 'and which git? need requirements'),
      answered('Explain this', 'git 2.38'),
    ]
    for (const prompt of prompts) {
      const { content, finishReason } = await model.doGenerate({ prompt })
      expect(finishReason.unified).toBe('stop')
      const [text] = content
      expect(text?.type === 'text' && text.text).toContain(
        'Docwright needs git 2.38 or later. [Install – Requirements](https://docs.example.com/install)',
      )
    }
  })

  it('gives the same calls with the same ids for the same transcript', async () => {
    const options = { prompt: ask('Replace "a" with "b" and fix broken links'), tools: jobTools }
    expect(await model.doGenerate(options)).toEqual(await createBuiltinModel().doGenerate(options))
  })

  it('counts four characters as a token', async () => {
    const short = await model.doGenerate({ prompt: ask('x') })
    const long = await model.doGenerate({ prompt: ask('x'.repeat(4001)) })
    expect((long.usage.inputTokens.total ?? 0) - (short.usage.inputTokens.total ?? 0)).toBe(1000)
    expect(long.usage.outputTokens.total).toBeGreaterThan(0)
  })

  it('refuses to start when the call is aborted', async () => {
    const abortSignal = AbortSignal.abort(new Error('gone'))
    await expect(model.doGenerate({ prompt: ask('x'), abortSignal })).rejects.toThrow('gone')
    await expect(model.doStream({ prompt: ask('x'), abortSignal })).rejects.toThrow('gone')
  })

  it('streams the exact text of the answer in small pieces', async () => {
    const prompt = answered('Which git do I need?')
    const whole = await model.doGenerate({ prompt })
    const { stream } = await model.doStream({ prompt })
    const deltas: string[] = []
    const types = new Set<string>()
    for await (const part of stream) {
      types.add(part.type)
      if (part.type === 'text-delta') deltas.push(part.delta)
    }
    expect(whole.content).toEqual([{ type: 'text', text: deltas.join('') }])
    expect(deltas.length).toBeGreaterThan(10)
    expect([...types]).toEqual(['stream-start', 'text-start', 'text-delta', 'text-end', 'finish'])
  })

  it('stops a stream in the middle when it is aborted', async () => {
    const abort = new AbortController()
    const prompt = answered('Which git do I need?')
    const { stream } = await model.doStream({ prompt, abortSignal: abort.signal })
    const reader = stream.getReader()
    await reader.read()
    abort.abort(new Error('gone'))
    const rest = async () => {
      while (!(await reader.read()).done);
    }
    await expect(rest()).rejects.toThrow('gone')
  })

  it('streams a tool call with its whole input', async () => {
    const { stream } = await model.doStream({ prompt: ask('Fix broken links'), tools: jobTools })
    const types: string[] = []
    for await (const part of stream) types.push(part.type)
    expect(types).toEqual([
      'stream-start',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      'finish',
    ])
  })
})

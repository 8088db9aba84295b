import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { createBuiltinModel } from './create-builtin-model.ts'
import { jobTools } from '../../tests/worlds/memory-workspace.ts'

const model = createBuiltinModel()
const search: LanguageModelV4CallOptions['tools'] = [
  { type: 'function', name: 'search', inputSchema: { type: 'object' } },
]
const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] })
const ask = (text: string): LanguageModelV4Prompt => [{ role: 'system', content: 'Be kind.' }, user(text)]

const result = {
  path: 'install.md',
  url: 'https://docs.example.com/install',
  title: 'Install',
  heading: 'Requirements',
  content: 'Docwright needs git 2.38 or later.\n\nIt runs on Linux.',
}

function answered(question: string, id: string): LanguageModelV4Prompt {
  const call = { toolCallId: id, toolName: 'search' }
  const value = { results: [result] }
  return [
    ...ask(question),
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { query: question } }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'json', value } }] },
  ]
}

describe('the built-in model', () => {
  it('does a job where finish is offered and answers where only search is', async () => {
    const job = await model.doGenerate({ prompt: ask('Fix broken links'), tools: jobTools })
    expect(job.content).toMatchObject([{ type: 'tool-call', toolName: 'check' }])
    const answer = await model.doGenerate({ prompt: ask('Which git do I need?'), tools: search })
    expect(answer.content).toMatchObject([{ type: 'tool-call', toolName: 'search' }])
    expect(answer.finishReason.unified).toBe('tool-calls')
  })

  it('searches for the question and then answers from what was found', async () => {
    const question = 'Which git do I need?'
    const first = await model.doGenerate({ prompt: ask(question), tools: search })
    const [call] = first.content
    if (call?.type !== 'tool-call') throw new Error('No search was made')
    expect(JSON.parse(call.input)).toEqual({ query: question })
    const second = await model.doGenerate({ prompt: answered(question, call.toolCallId), tools: search })
    expect(second.finishReason.unified).toBe('stop')
    expect(first.providerMetadata).toBeUndefined()
    expect(second.providerMetadata).toEqual({ docwright: { outcome: 'answered', missing: [] } })
    const [text] = second.content
    expect(text?.type === 'text' && text.text).toContain(
      'Docwright needs git 2.38 or later.\n\nIt runs on Linux.\n\n[Install – Requirements](https://docs.example.com/install)',
    )
  })

  it('greets back without a search, and says so beside the text', async () => {
    const metadata = { docwright: { outcome: 'greeting', missing: [] } }
    for (const [said, answer] of [
      ['Hi there!', 'Hello! What would you like to know from the documentation?'],
      ['Thanks a lot, that was great', 'You are welcome!'],
      ['Vielen Dank!', 'You are welcome!'],
      ['谢谢', '不客气！'],
    ] as const) {
      const { content, providerMetadata } = await model.doGenerate({ prompt: ask(said), tools: search })
      expect(content).toEqual([{ type: 'text', text: answer }])
      expect(providerMetadata).toEqual(metadata)
    }
    const { stream } = await model.doStream({ prompt: ask('hello'), tools: search })
    let last: unknown
    for await (const part of stream) last = part
    expect(last).toMatchObject({ type: 'finish', providerMetadata: metadata })
  })

  it('searches again without the words that no page holds', async () => {
    const prompt = ask('How do I stream into Amazon?')
    const [first] = (await model.doGenerate({ prompt, tools: search })).content
    if (first?.type !== 'tool-call') throw new Error('No search was made')
    const { toolCallId, toolName, input } = first
    const output = { type: 'json' as const, value: { results: [], unknown: ['Amazon'] } }
    const again = await model.doGenerate({
      prompt: [
        ...prompt,
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] },
      ],
      tools: search,
    })
    expect(again.content).toMatchObject([
      { type: 'tool-call', toolName: 'search', input: '{"query":"How do I stream into"}' },
    ])
  })

  it('answers from results of another model’s call, and never searches when it must not', async () => {
    const foreign = await model.doGenerate({
      prompt: answered('Which git do I need?', 'toolu_1'),
      tools: search,
    })
    expect(foreign.content).toMatchObject([{ type: 'text' }])
    const none = { prompt: ask('Which git?'), tools: search, toolChoice: { type: 'none' as const } }
    expect((await model.doGenerate(none)).content).toMatchObject([{ type: 'text' }])
    expect((await model.doGenerate({ prompt: ask('Which git?') })).content).toMatchObject([{ type: 'text' }])
  })

  it('answers about the text that was searched for, where the question only points at it', async () => {
    const call = { toolCallId: 'first-search', toolName: 'search' }
    const value = { results: [result] }
    const prompt: LanguageModelV4Prompt = [
      ...ask('Explain this'),
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { query: 'git 2.38' } }] },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'json', value } }] },
    ]
    const { content } = await model.doGenerate({ prompt, tools: search })
    expect(content).toEqual([
      { type: 'text', text: expect.stringContaining('Docwright needs git 2.38 or later.') },
    ])
  })

  it('gives the same calls with the same ids for the same transcript', async () => {
    const options = { prompt: ask('Replace "a" with "b" and fix broken links'), tools: jobTools }
    expect(await model.doGenerate(options)).toEqual(await createBuiltinModel().doGenerate(options))
  })

  it('counts four characters as a token', async () => {
    const short = await model.doGenerate({ prompt: ask('x'), tools: search })
    const long = await model.doGenerate({ prompt: ask('x'.repeat(4001)), tools: search })
    expect((long.usage.inputTokens.total ?? 0) - (short.usage.inputTokens.total ?? 0)).toBe(1000)
    expect(long.usage.outputTokens.total).toBeGreaterThan(0)
  })

  it('refuses to start when the call is aborted', async () => {
    const abortSignal = AbortSignal.abort(new Error('gone'))
    await expect(model.doGenerate({ prompt: ask('x'), abortSignal })).rejects.toThrow('gone')
    await expect(model.doStream({ prompt: ask('x'), abortSignal })).rejects.toThrow('gone')
  })

  it('streams the exact text of the answer in small pieces', async () => {
    const prompt = answered('Which git do I need?', 'c')
    const whole = await model.doGenerate({ prompt, tools: search })
    const { stream } = await model.doStream({ prompt, tools: search })
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
    const prompt = answered('Which git do I need?', 'c')
    const { stream } = await model.doStream({ prompt, tools: search, abortSignal: abort.signal })
    const reader = stream.getReader()
    await reader.read()
    abort.abort(new Error('gone'))
    const rest = async () => {
      while (!(await reader.read()).done);
    }
    await expect(rest()).rejects.toThrow('gone')
  })

  it('streams a tool call with its whole input', async () => {
    const { stream } = await model.doStream({ prompt: ask('Which git?'), tools: search })
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

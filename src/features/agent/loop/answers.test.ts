import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { createJobWorld } from '../../../../tests/worlds/job-world.ts'
import { runJob } from './run-job.ts'
import { callOf, scriptedModel, type Answer } from '../../../../tests/worlds/scripted-model.ts'

const done: Answer = [['finish', { title: 'Done', summary: 'Done.' }]]
const nothing: Answer = [['finish', { title: 'Nothing', summary: 'Nothing to do.', noChange: true }]]

describeOnStore('the answers of a model', (store) => {
  const run = async (script: (step: number) => Answer, more: { limits?: { steps: number } } = {}) => {
    const model = scriptedModel(({ step }) => script(step))
    await using world = await createJobWorld(store(), model)
    const { id } = await world.create('x')
    await runJob({ ...world.ports, limits: { ...world.ports.limits, ...more.limits } }, id)
    return { job: await world.read(id), prompts: model.doGenerateCalls.map(({ prompt }) => prompt) }
  }

  it('may hold several calls: all run in order, even if one fails', async () => {
    const { prompts } = await run((step) =>
      step === 0
        ? [
            ['read_file', { path: 'index.md' }],
            ['read_file', '{"path": "gui'],
            ['read_file', { path: 'nowhere.md' }],
            ['erase everything!', {}],
            ['write_file', 'null'],
            ['read_file', { path: 'guide.md' }],
          ]
        : nothing,
    )
    expect(resultsIn(prompts[1])).toEqual([
      expect.stringContaining('Welcome'),
      expect.stringContaining('invalid_call'),
      expect.stringContaining('not_found'),
      expect.stringContaining('unknown_tool'),
      expect.stringContaining('path is missing'),
      expect.stringContaining('Use Acme'),
    ])
    // Providers refuse such calls in the history, so they must not be sent back.
    const calls = (prompts[1] ?? []).flatMap(({ role, content }) =>
      role === 'assistant' ? content.filter((part) => part.type === 'tool-call') : [],
    )
    expect(calls.map(({ toolName }) => toolName)).toContain('erase_everything_')
    for (const { input } of calls) expect(input).toBeTypeOf('object')
  })

  it('may use call ids twice, in one answer or later', async () => {
    const read = (path: string) => callOf('same', 'read_file', { path })
    const odd = callOf('an id, with spaces', 'read_file', { path: 'guide.md' })
    const { prompts } = await run((step) => {
      if (step === 0) return { content: [read('index.md'), read('guide.md'), odd], finish: 'tool-calls' }
      if (step === 1) return { content: [read('guide.md')], finish: 'tool-calls' }
      return nothing
    })
    const last = prompts.at(-1) ?? []
    const calls = last.flatMap(({ role, content }) =>
      role === 'assistant' ? content.filter((part) => part.type === 'tool-call') : [],
    )
    expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(4)
    for (const { toolCallId, input } of calls) {
      expect(toolCallId).toMatch(/^[\w-]+$/)
      const path = JSON.stringify(input).includes('index.md') ? 'index.md' : 'guide.md'
      const results = last.flatMap(({ role, content }) =>
        role === 'tool'
          ? content.filter((part) => 'toolCallId' in part && part.toolCallId === toolCallId)
          : [],
      )
      expect(results).toHaveLength(1)
      expect(JSON.stringify(results)).toContain(path)
    }
  })

  it('may be empty twice in a row', async () => {
    const empty: Answer = { content: [{ type: 'text', text: ' ' }], finish: 'stop' }
    const { job, prompts } = await run((step) => (step < 2 ? empty : nothing))
    expect(job.status).toBe('completed')
    expect(JSON.stringify(prompts[2])).toContain('Your answer was empty')
    // Providers refuse answers without content.
    expect(prompts[2]?.some(({ role }) => role === 'assistant')).toBe(false)
    const always = await run(() => empty)
    expect(always.prompts).toHaveLength(3)
    expect(always.job.failure).toMatchObject({
      code: 'model_error',
      message: expect.stringContaining('empty'),
    })
  })

  it('may be cut off: the last call does not run, even if it looks complete', async () => {
    const write = (path: string, content: string) => callOf(path, 'write_file', { path, content })
    const { job, prompts } = await run((step) => {
      if (step === 0) return { content: [write('a.md', 'whole'), write('b.md', 'ha')], finish: 'length' }
      if (step === 1) {
        return { content: [callOf('c', 'write_file', '{"path": "c.md", "content": "ha')], finish: 'length' }
      }
      return done
    })
    expect(job).toMatchObject({ status: 'completed', changes: [{ path: 'a.md' }] })
    expect(resultsIn(prompts[1])).toEqual([expect.stringContaining('cut off')])
    expect(JSON.stringify(prompts[1])).not.toContain('b.md')
    expect(JSON.stringify(prompts[2]?.at(-1))).toContain('smaller pieces')
    expect(prompts[2]?.filter(({ role }) => role === 'assistant')).toHaveLength(1)
    const always = await run(() => ({ content: [{ type: 'text', text: 'On and on' }], finish: 'length' }))
    expect(always.prompts).toHaveLength(3)
    expect(always.job.failure).toMatchObject({
      code: 'model_error',
      message: expect.stringContaining('cut off'),
    })
  })

  it('may be a refusal, which ends the turn with its text', async () => {
    const { job, prompts } = await run(() => ({
      content: [{ type: 'text', text: 'I cannot help with that.' }],
      finish: 'content-filter',
    }))
    expect(prompts).toHaveLength(1)
    expect(job.failure).toMatchObject({
      code: 'refused',
      message: expect.stringContaining('I cannot help with that.'),
    })
    // Its cost is counted nevertheless.
    expect(job.usage).toMatchObject({ inputTokens: 10, outputTokens: 2 })
  })

  it('may be calls as text, which are run however often they are written so', async () => {
    const { job } = await run((step) =>
      step < 4
        ? `I write page ${step}.\n\n\`\`\`json\n{"name": "write_file", "arguments": {"path": "p${step}.md", "content": "# P"}}\n\`\`\``
        : '<tool_call>\n{"name": "finish", "arguments": {"title": "T", "summary": "S"}}\n</tool_call>',
    )
    expect(job).toMatchObject({ status: 'completed', changes: { length: 4 } })
  })

  it('may not be unclear calls as text, and have their tokens estimated where usage is not reported', async () => {
    const text = '<tool_call>\n{"name": "end_it", "arguments": {}}\n</tool_call>'
    const { job } = await run(() => ({ content: [{ type: 'text', text }], finish: 'stop', uncounted: true }))
    expect(job.failure?.message).toContain('Use a model that supports tool calling')
    expect(job.usage.inputTokens).toBeGreaterThan(500)
    expect(job.usage.outputTokens).toBeGreaterThan(20)
  })

  it('may not repeat the same calls for ever', async () => {
    const again = await run(() => [['read_file', { path: 'index.md' }]])
    expect(again.prompts).toHaveLength(6)
    expect(JSON.stringify(again.prompts[2])).not.toContain('with the same result')
    expect(JSON.stringify(again.prompts[3])).toContain('You have done this 3 times with the same result')
    expect(again.job.failure).toMatchObject({ code: 'loop', message: expect.stringContaining('read_file') })
    const undone = await run((step) => [
      ['write_file', { path: 'index.md', content: step % 2 === 0 ? 'one' : 'two' }],
    ])
    expect(undone.prompts).toHaveLength(12)
    expect(undone.job.failure?.code).toBe('loop')
  })

  it('may repeat a call when something has changed since', async () => {
    const { job } = await run((step) => {
      if (step === 20) return done
      return step % 2 === 0
        ? [['write_file', { path: 'a.md', content: String(step) }]]
        : [['read_file', { path: 'index.md' }]]
    })
    expect(job).toMatchObject({ status: 'completed', changes: [{ path: 'a.md' }] })
  })

  it('may not write a note about something left out into a file', async () => {
    const { job, prompts } = await run((step) =>
      step === 0 ? [['write_file', { path: 'a.md', content: '[left out: 1,234 characters]' }]] : done,
    )
    expect(resultsIn(prompts[1])).toEqual([expect.stringContaining('left_out')])
    expect(job.changes).toEqual([])
  })
})

function resultsIn(prompt: LanguageModelV4Prompt | undefined): string[] {
  return (prompt ?? []).flatMap(({ role, content }) =>
    role === 'tool' ? content.map((part) => JSON.stringify(part)) : [],
  )
}

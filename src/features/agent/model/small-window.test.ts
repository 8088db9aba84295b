import { jsonSchema, tool, zodSchema, type ToolSet } from 'ai'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { createJobWorld } from '../../../../tests/worlds/job-world.ts'
import { scriptedModel, scriptedModels, type Answer } from '../../../../tests/worlds/scripted-model.ts'
import { runJob } from '../loop/run-job.ts'
import { describeTools } from '../tools/create-tools.ts'
import { estimateTokens } from './compact.ts'
import { fitQuestion } from './small-window.ts'

const done: Answer = [['finish', { title: 'Done', summary: 'Nothing to do.', noChange: true }]]
const long = `# Long\n\n${Array.from({ length: 2000 }, (_, n) => `Line ${n} says something about widgets.`).join('\n')}\n`

describeOnStore('a job with a model that reads little at once', (store) => {
  it('has a conversation that stays within the window, with long results cut', async () => {
    const model = scriptedModel(({ step }) => {
      if (step === 1) return [['write_file', { path: 'long.md', content: long }]]
      return step < 9 ? [['read_file', { path: 'long.md', startLine: step }]] : done
    })
    await using world = await createJobWorld(store(), model)
    const readWindow = () => Promise.resolve({ tokens: 8192, source: 'server' as const })
    const ports = { ...world.ports, models: { ...scriptedModels(model), readWindow } }
    const { id } = await world.create('Read it')
    await runJob(ports, id)
    expect(model.doGenerateCalls.length).toBeGreaterThan(8)
    const sizeOf = ({ prompt, tools }: LanguageModelV4CallOptions): number => estimateTokens([prompt, tools])
    for (const call of model.doGenerateCalls.slice(1)) expect(sizeOf(call)).toBeLessThan(8192)
    const results = JSON.stringify(model.doGenerateCalls.at(-1)?.prompt.filter(({ role }) => role === 'tool'))
    expect(results).toContain('The rest is left out')
    expect(results).toContain('Line 50 says')
  })
})

const described = describeTools([])
const tools: ToolSet = Object.fromEntries(
  described.map(({ name, description, inputSchema }) => [
    name,
    tool({ description, inputSchema: jsonSchema(zodSchema(inputSchema).jsonSchema) }),
  ]),
)
const project = { root: 'docs', framework: undefined, settings: { contextRepositories: [] } }
const question = {
  opening: 'Overview.\n'.repeat(600),
  earlier: [],
  turn: { prompt: 'Write', material: null },
  steps: [],
  tools,
  instructions: { rules: [{ path: 'AGENTS.md', text: 'Be brief.\n'.repeat(3000) }], template: undefined },
}

it('is asked with few tools, and with the house rules and notes that fit', () => {
  const { system, question: asked } = fitQuestion(project, question, 8192, 6500)
  expect(Object.keys(asked.tools).sort()).toEqual([
    'add_to_navigation',
    'edit_file',
    'finish',
    'grep',
    'read_file',
    'search_docs',
    'write_file',
  ])
  expect(system).not.toMatch(/move_page|list_pages|ask_person|check finds/)
  expect(system).toMatch(/Be brief\.\n\(cut here\)/)
  expect(asked.small?.overhead).toBeLessThan(4000)
  expect(estimateTokens(asked.opening)).toBeLessThan(900)
})

it('is asked with the tool for conflicts where there are some', () => {
  const { copy_page: _, ...withConflicts } = tools
  const asked = fitQuestion(project, { ...question, tools: withConflicts }, 8192, 6500)
  expect(Object.keys(asked.question.tools)).toContain('resolve_conflict')
  expect(Object.keys(asked.question.tools)).toHaveLength(7)
})

it('is asked with everything where the window is large or not known', () => {
  for (const window of [undefined, 32_768]) {
    const { system, question: asked } = fitQuestion(project, question, window, 26_000)
    expect(asked).toBe(question)
    expect(system).toMatch(/move_page[^]*check/)
  }
})

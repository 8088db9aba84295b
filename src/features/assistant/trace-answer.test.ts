import { beforeAll, expect, it } from 'vitest'
import {
  cited,
  fakeAssistant,
  insertProject,
  project,
  scriptedModel,
  searchThenSay,
} from '../../../tests/assistant-server.ts'
import { describeOnStore } from '../../../tests/stores.ts'
import type { AssistantPorts } from './ports.ts'
import { traceAnswer, type TracedAnswer, type TracedQuestion } from './trace-answer.ts'

const question = 'How do I install on Linux?'

describeOnStore('a traced answer', (store) => {
  beforeAll(() => insertProject(store()))

  const trace = async (
    deps: AssistantPorts,
    changes: Partial<TracedQuestion<typeof project>> = {},
  ): Promise<TracedAnswer & { pieces: string[] }> => {
    const pieces = await traceAnswer(deps, {
      project,
      question,
      history: [],
      currentPath: undefined,
      model: undefined,
      signal: new AbortController().signal,
      charge: () => Promise.resolve(),
      ...changes,
    })
    const all: string[] = []
    for (;;) {
      const { done, value } = await pieces.next()
      if (done === true) return { ...value, pieces: all }
      if ('text' in value) all.push(value.text)
    }
  }

  it('tells who wrote which query, what was found by it, and what each call took and cost', async () => {
    const answer = await trace(fakeAssistant(store(), { modelOf: () => searchThenSay() }))
    expect(answer).toMatchObject({ outcome: 'answered', model: 'scripted', problem: null })
    expect(answer.pieces.join('')).toBe(answer.text)
    expect(answer.sources).toMatchObject([
      { path: 'guides/install', file: 'docs/guides/install.md', words: ['Run the installer.'] },
    ])
    const { searches, calls, firstText, milliseconds } = answer.trace
    expect(searches.map(({ queries }) => queries.map(({ query, by }) => [query, by]))).toEqual([
      [[question, 'question']],
      [['install', 'model']],
    ])
    expect(searches[0]?.sections).toMatchObject([
      { path: 'guides/install', fate: 'shown', found: [{ query: 0, rank: 1, score: 0.9 }] },
      { file: 'docs/guides/limits.md', fate: 'shown', found: [{ query: 0, rank: 2, score: 0.45 }] },
    ])
    expect(calls).toMatchObject([
      { task: 'answer', tools: [{ name: 'search' }], inputTokens: 10, cost: 0.00002 },
      { task: 'answer', tools: [], refused: false },
    ])
    expect(firstText).toBeLessThanOrEqual(milliseconds)
    expect(answer).toMatchObject({ inputTokens: 20, outputTokens: 2, cost: 0.00004 })
  })

  it('tells why sections were not shown, and how queries of a conversation are fused', async () => {
    const hit = (path: string, score: number, heading?: string) => ({
      path,
      url: `/${path}`,
      title: path,
      content: 'x',
      score,
      heading,
    })
    const many = ['a', 'b', 'c', 'd'].map((heading, at) => hit('one.md', 9 - at, heading))
    const assistant = fakeAssistant(store(), {
      search: (_project, { query }) =>
        Promise.resolve(
          query.includes('install')
            ? { hits: [...many, hit('two.md', 1)], confidence: 0.8 }
            : { hits: [hit('stray.md', 2)], confidence: 0 },
        ),
    })
    const history = [{ role: 'user' as const, text: 'How do I install thing?' }]
    const { trace: told } = await trace(assistant, { question: 'And on Windows?', history })
    const [first] = told.searches
    expect(first?.queries.map(({ by, used }) => [by, used])).toEqual([
      ['conversation', true],
      ['question', false],
    ])
    expect(first?.sections.map(({ path, heading, fate }) => [path, heading, fate])).toContainEqual([
      'stray.md',
      null,
      'unused',
    ])
    const weak = fakeAssistant(store(), {
      search: () => Promise.resolve({ hits: [hit('far.md', 1)], confidence: 0.05, unknown: ['Linux'] }),
    })
    expect((await trace(weak)).trace.searches[0]).toMatchObject({
      floor: 0.1,
      unknown: ['Linux'],
      sections: [{ file: 'far.md', fate: 'weak' }],
    })
  })

  it('counts against limits, records nothing, and says why a model was passed over', async () => {
    const broken = fakeAssistant(store(), {
      modelOf: () => scriptedModel(() => ({ fail: new Error('503') })),
    })
    let charged = 0
    const answer = await trace(broken, {
      charge: () => {
        charged++
        return Promise.resolve()
      },
    })
    expect(charged).toBe(1)
    expect(answer.model).toBe('builtin')
    expect(answer.trace.calls.map(({ model, refused }) => [model, refused]).slice(0, 2)).toEqual([
      ['scripted', true],
      ['builtin', false],
    ])
    expect(answer.trace.problems).toEqual([expect.stringContaining('scripted failed')])
    const empty = fakeAssistant(store(), { takeAllowance: () => Promise.resolve(undefined) })
    expect((await trace(empty)).trace.outOfTokens).toBe(true)
    await expect(trace(broken, { charge: () => Promise.reject(new Error('limit')) })).rejects.toThrow('limit')
    expect(await store().db.selectFrom('messages').select('id').execute()).toEqual([])
    const said = await trace(
      fakeAssistant(store(), { modelOf: () => scriptedModel(() => ({ text: [cited] })) }),
    )
    expect(said.text).toContain('Run [the installer]')
  })
})

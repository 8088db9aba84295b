import { beforeAll, expect, it } from 'vitest'
import {
  builtin,
  cited,
  fakeAssistant,
  insertProject,
  project,
  scriptedModel,
  type Turn,
} from '../../../../tests/assistant-server.ts'
import { describeOnStore } from '../../../../tests/stores.ts'
import { ask } from '../ask.ts'
import type { SearchHit } from '../ports.ts'
import type { Question } from '../question.ts'

const hits = Array.from({ length: 20 }, (_, n): SearchHit => ({
  path: `p${n}.md`,
  url: `/p${n}`,
  title: `Page ${n}`,
  content: `Section ${n} says: ${'install the widget. '.repeat(150)}`,
  score: 1 - n / 100,
}))

describeOnStore('an answer by a model that reads little at once', (store) => {
  beforeAll(() => insertProject(store()))

  const answer = async (window: number | undefined, turnOf: Parameters<typeof scriptedModel>[0]) => {
    const model = scriptedModel(turnOf)
    const readWindow = () => Promise.resolve({ tokens: window, source: 'server' as const })
    const assistant = fakeAssistant(store(), {
      modelsOf: () => [{ name: 'small', model, readWindow }, builtin],
      search: (_, { limit }) => Promise.resolve({ hits: hits.slice(0, limit), confidence: 0.9 }),
    })
    const { frames } = await ask(assistant, question)
    let text = ''
    for await (const frame of frames) if (frame.type === 'text-delta') text += String(frame['delta'])
    const sizes = model.doStreamCalls.map(({ prompt, tools }) =>
      Buffer.byteLength(JSON.stringify([prompt, tools])),
    )
    return { text, sizes, calls: model.doStreamCalls }
  }

  it('is asked with what fits beside an answer, from the first call to the last', async () => {
    for (const window of [4096, 8192, 16_384]) {
      const turns: Turn[] = [{ search: 'one' }, { search: 'two' }, { search: 'three' }, { text: [cited] }]
      const { text, sizes } = await answer(window, () => turns.shift() ?? { text: [] })
      expect(text).toBe(cited)
      expect(sizes).toHaveLength(4)
      for (const size of sizes) expect(size / 3, String(window)).toBeLessThan(window - 600)
    }
  })

  it('has the question, the beginning of the best result and the newest of what was said', async () => {
    const { calls } = await answer(4096, () => ({ text: [cited] }))
    const prompt = JSON.stringify(calls[0]?.prompt)
    expect(prompt).toContain('How do I install?')
    expect(prompt).toContain('Section 0 says')
    expect(prompt).toContain('newest words')
    expect(prompt).not.toContain('oldest words')
  })

  it('is asked with everything where the window is large or not known', async () => {
    const [known, unknown] = [
      await answer(200_000, () => ({ text: [cited] })),
      await answer(undefined, () => ({ text: [cited] })),
    ]
    expect(known.sizes).toEqual(unknown.sizes)
    expect(JSON.stringify(known.calls[0]?.prompt)).toContain('oldest words')
  })
})

const question: Question = {
  project,
  threadId: undefined,
  question: { id: 'm', fp: 'a', text: 'How do I install?', again: 'no' },
  history: [
    { role: 'user', text: `${'x '.repeat(6000)}oldest words` },
    { role: 'assistant', text: 'So.' },
    { role: 'user', text: 'newest words' },
    { role: 'assistant', text: 'Thus.' },
  ],
  pageSize: 5,
  filter: undefined,
  currentPath: undefined,
  caller: 'api',
  context: [],
  signal: new AbortController().signal,
  charge: () => Promise.resolve(),
}

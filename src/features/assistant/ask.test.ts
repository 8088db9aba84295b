import { beforeAll, expect, it } from 'vitest'
import { fakeAssistant, insertProject, project } from '../../../tests/assistant-server.ts'
import { describeOnStore } from '../../../tests/stores.ts'
import type { Tx } from '../../store/database.ts'
import { ask } from './ask.ts'
import { listExchanges } from './insights/conversations.ts'
import type { Frame } from './streams/downgrade-frames.ts'
import type { Question } from './question.ts'

describeOnStore('a question', (store) => {
  beforeAll(() => insertProject(store()))

  const asked = {
    project,
    question: { id: 'm', fp: 'a', text: 'How do I install it?', again: 'no' },
    history: undefined,
    pageSize: 5,
    filter: undefined,
    currentPath: undefined,
    caller: 'api',
    signal: new AbortController().signal,
  } as const satisfies Partial<Question>
  const question = (threadId: string | undefined, charge: (tx: Tx) => Promise<void>) =>
    ask(fakeAssistant(store()), { ...asked, context: [], threadId, charge })
  const written = async (db: Tx | ReturnType<typeof store>['db']): Promise<number> =>
    (await db.selectFrom('messages').select('n').execute()).length

  it.each([undefined, 'adopted'])(
    'is written before the limits are taken, whose rows others wait for (thread: %s)',
    async (threadId) => {
      const before = await written(store().db)
      let seen = 0
      await question(threadId, async (tx) => void (seen = await written(tx)))
      expect(seen).toBe(before + 1)
    },
  )

  it.each([undefined, 'refused'])(
    'leaves nothing behind when a limit is full (thread: %s)',
    async (threadId) => {
      const before = await written(store().db)
      const threads = () => store().db.selectFrom('threads').select('id').execute()
      const known = (await threads()).length
      await expect(question(threadId, () => Promise.reject(new Error('full')))).rejects.toThrow('full')
      expect([await written(store().db), (await threads()).length]).toEqual([before, known])
    },
  )

  it('is kept with what the reader had selected, shortened', async () => {
    const { threadId } = await ask(fakeAssistant(store()), {
      ...asked,
      context: [
        { value: ' ' },
        { type: 'textSelection', value: ' Keys rotate.\0 ', path: '/keys', elementId: 'x' },
        { type: 'code', value: 'x'.repeat(10_000) },
        { value: 'Too much.' },
      ],
      threadId: undefined,
      charge: () => Promise.resolve(),
    })
    const { rows } = await listExchanges(store().db, project.id, { filter: { threadId }, limit: 1 })
    expect(rows[0]?.context).toEqual([
      { type: 'textSelection', value: 'Keys rotate.�', path: '/keys' },
      { type: 'code', value: expect.stringMatching(/^x{3900,4000}$/) as string, path: null },
    ])
  })

  it('of a check leaves nothing behind but what its models used, and reports what it cited', async () => {
    const before = await written(store().db)
    const assistant = fakeAssistant(store())
    const named: unknown[] = []
    const deps = {
      ...assistant,
      modelsOf: (_: unknown, name?: string) => (named.push(name), assistant.modelsOf(project)),
    }
    const check = { model: 'scripted', without: ['vectors'] as const }
    const { frames } = await ask(deps, {
      ...asked,
      context: [],
      threadId: 'mine',
      check,
      charge: () => Promise.reject(new Error('charged')),
    })
    const all: Frame[] = []
    for await (const frame of frames) all.push(frame)
    expect(await written(store().db)).toBe(before)
    expect(await store().db.selectFrom('threads').select('id').where('id', '=', 'mine').execute()).toEqual([])
    expect(named).toEqual(['scripted'])
    expect(assistant.searched.map((one) => one.without)).toContainEqual(['vectors'])
    expect(all.at(-1)).toMatchObject({
      type: 'finish',
      messageMetadata: {
        outcome: 'answered',
        check: {
          model: 'scripted',
          inputTokens: 20,
          cost: 0.00004,
          citations: [
            {
              path: 'guides/install',
              file: 'docs/guides/install.md',
              words: ['Run the installer.'],
              section: 'Install on Linux\nRun `npm install thing`.',
            },
          ],
        },
      },
    })
    const usage = await store()
      .db.selectFrom('usage_days')
      .select('calls')
      .where('model', '=', 'scripted')
      .execute()
    expect(usage.length).toBe(1)
  })
})

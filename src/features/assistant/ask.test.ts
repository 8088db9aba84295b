import { beforeAll, expect, it } from 'vitest'
import { fakeAssistant, insertProject, project } from '../../../tests/assistant-server.ts'
import { describeOnStore } from '../../../tests/stores.ts'
import type { Tx } from '../../store/database.ts'
import { ask } from './ask.ts'

describeOnStore('a question', (store) => {
  beforeAll(() => insertProject(store()))

  const question = (threadId: string | undefined, charge: (tx: Tx) => Promise<void>) =>
    ask(fakeAssistant(store()), {
      project,
      threadId,
      question: { id: 'm', fp: 'a', text: 'How do I install it?', again: 'no' },
      history: undefined,
      pageSize: 5,
      filter: undefined,
      currentPath: undefined,
      caller: 'api',
      context: [],
      signal: new AbortController().signal,
      charge,
    })
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
})

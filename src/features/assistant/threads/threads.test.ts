import { beforeAll, expect, it } from 'vitest'
import { insertProject } from '../../../../tests/assistant-server.ts'
import { describeOnBothEngines } from '../../../../tests/stores.ts'
import { insertAnswer, insertQuestion } from './messages.ts'
import { deleteMessagesOf, deleteThread, deleteThreadsBefore, takeThread, type Thread } from './threads.ts'

describeOnBothEngines('threads', (store) => {
  beforeAll(() => insertProject(store()))

  const exchange = (projectId: string, threadId: string | undefined, fp: string): Promise<Thread> =>
    store().transaction(async (tx) => {
      const question = { id: '', fp, text: `by ${fp}`, again: 'no', caller: 'api', page: undefined } as const
      const { thread, n } = await insertQuestion(tx, projectId, threadId, question)
      const answer = {
        id: 'msg',
        fp,
        text: 'x',
        sources: [],
        outcome: { outcome: 'answered' } as const,
        model: undefined,
        milliseconds: 1,
      }
      await insertAnswer(tx, thread, n, answer)
      return thread
    })
  const said = (thread: Thread) =>
    store()
      .db.selectFrom('messages')
      .select('fp')
      .where('project_id', '=', thread.projectId)
      .where('thread_id', '=', thread.id)
      .orderBy('n')
      .execute()
      .then((rows) => rows.map(({ fp }) => fp))
  const exists = async ({ projectId, id }: Thread): Promise<boolean> => {
    const query = store().db.selectFrom('threads').select('id').where('project_id', '=', projectId)
    return (await query.where('id', '=', id).execute()).length === 1
  }

  it('get ids that cannot be guessed, and keep what they were made as', async () => {
    const made = await exchange('prj_docs', undefined, 'a')
    expect(made).toMatchObject({ id: expect.stringMatching(/^thr_\w{22,}$/), minted: true })
    expect(await exchange('prj_docs', made.id, 'a')).toEqual(made)
    expect(await exchange('prj_other', made.id, 'a')).toMatchObject({ minted: false })
  })

  it('are deleted by id, in their own project alone', async () => {
    const one = await exchange('prj_docs', 'same', 'a')
    const other = await exchange('prj_other', 'same', 'a')
    await store().transaction(async (tx) => {
      expect(await deleteThread(tx, 'prj_docs', 'same')).toBe(true)
      expect(await deleteThread(tx, 'prj_docs', 'same')).toBe(false)
    })
    expect([await said(one), await said(other)]).toEqual([[], ['a', 'a']])
  })

  it('lose a person’s messages, and end when no others are left', async () => {
    const own = await exchange('prj_docs', 'own', 'leaver')
    const shared = await exchange('prj_docs', 'shared', 'leaver')
    await exchange('prj_docs', 'shared', 'stayer')
    const elsewhere = await exchange('prj_other', 'own', 'leaver')
    expect(await store().transaction((tx) => deleteMessagesOf(tx, 'prj_docs', 'leaver'))).toBe(4)
    expect([await exists(own), await exists(shared), await said(shared)]).toEqual([
      false,
      true,
      ['stayer', 'stayer'],
    ])
    expect(await said(elsewhere)).toEqual(['leaver', 'leaver'])
  })

  it('go when they were not used for long', async () => {
    const old = await exchange('prj_docs', 'old', 'a')
    const used = await exchange('prj_docs', 'used', 'a')
    await store().transaction(async (tx) => {
      await tx
        .updateTable('threads')
        .set({ updated_at: new Date('2020-01-01') })
        .where('id', '=', 'old')
        .execute()
      expect(await deleteThreadsBefore(tx, 'prj_docs', new Date('2021-01-01'))).toBe(1)
    })
    expect([await exists(old), await exists(used)]).toEqual([false, true])
  })

  it('stay deleted when an answer comes late', async () => {
    const thread = await store().transaction((tx) => takeThread(tx, 'prj_docs', 'late'))
    await store().transaction(async (tx) => {
      await deleteThread(tx, 'prj_docs', 'late')
      const answer = {
        id: 'm',
        fp: 'a',
        text: 'x',
        sources: [],
        outcome: { outcome: 'stopped' } as const,
        model: undefined,
        milliseconds: 1,
      }
      await insertAnswer(tx, thread, 0, answer)
    })
    expect(await exists(thread)).toBe(false)
  })
})

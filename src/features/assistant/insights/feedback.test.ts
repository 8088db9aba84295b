import { beforeAll, expect, it } from 'vitest'
import { addExchange, insertProject } from '../../../../tests/assistant-server.ts'
import { describeOnBothEngines } from '../../../../tests/stores.ts'
import { AppError } from '../../../lib/errors.ts'
import { giveFeedback, type Feedback } from './feedback.ts'

describeOnBothEngines('feedback', (store) => {
  beforeAll(() => insertProject(store()))

  const plain: Omit<Feedback, 'threadId' | 'messageId'> = {
    rating: 'down',
    reason: undefined,
    note: undefined,
    fp: undefined,
    caller: 'api',
  }
  const give = (threadId: string, change: Partial<Feedback> = {}, projectId = 'prj_docs') =>
    store()
      .transaction((tx) =>
        giveFeedback(tx, projectId, { ...plain, threadId, messageId: undefined, ...change }),
      )
      .catch((error: unknown) => (error instanceof AppError ? error.code : error))
  const recorded = (threadId: string) =>
    store()
      .db.selectFrom('feedback')
      .select(['n', 'fp', 'rating', 'reason', 'note'])
      .where('thread_id', '=', threadId)
      .orderBy('n')
      .orderBy('fp')
      .execute()

  it('is one for each reader and answer, the newest, of the newest answer by default', async () => {
    const first = await addExchange(store(), { threadId: 'rated', fp: 'ann' })
    const second = await addExchange(store(), { threadId: 'rated', fp: 'ann' })
    expect(await give('rated', { reason: 'outdated', note: 'since 2.0' })).toBe(second.answerId)
    expect(await give('rated', { rating: 'up' })).toBe(second.answerId)
    expect(await give('rated', { fp: 'ben', messageId: first.answerId })).toBe(first.answerId)
    expect(await recorded('rated')).toEqual([
      { n: 1, fp: 'ben', rating: 'down', reason: null, note: null },
      { n: 3, fp: 'ann', rating: 'up', reason: null, note: null },
    ])
    expect(await give('rated', { rating: null })).toBe(second.answerId)
    expect(await give('rated', { rating: null })).toBe(second.answerId)
    expect((await recorded('rated')).map(({ fp }) => fp)).toEqual(['ben'])
  })

  it('is refused for what the project does not have', async () => {
    const { questionId, answerId } = await addExchange(store(), { threadId: 'here' })
    expect(await give('nowhere')).toBe('not_found')
    expect(await give('here', { messageId: 'msg_other' })).toBe('not_found')
    expect(await give('here', { messageId: questionId })).toBe('not_found')
    expect(await give('here', { messageId: answerId }, 'prj_other')).toBe('not_found')
    expect(await recorded('here')).toEqual([])
  })
})

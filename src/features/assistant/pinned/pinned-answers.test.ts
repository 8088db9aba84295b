import { beforeAll, expect, it } from 'vitest'
import { fakeAssistant, insertProject, project } from '../../../../tests/assistant-server.ts'
import { describeOnBothEngines } from '../../../../tests/stores.ts'
import { oneSpelling } from '../../docs/search/spelling.ts'
import type { Said } from '../threads/messages.ts'
import type { AssistantPorts } from '../ports.ts'
import { ask } from '../ask.ts'
import { listExchanges } from '../insights/conversations.ts'
import {
  changePinnedAnswer,
  findPinnedAnswer,
  listPinnedAnswers,
  pinAnswer,
  unpinAnswer,
} from './pinned-answers.ts'
import { listWeakAnswers } from './weak-answers.ts'

describeOnBothEngines('a pinned answer', (store) => {
  const by = { kind: 'person', name: 'Ada', id: 'per_1' } as const
  const spelling = oneSpelling
  let id = ''

  beforeAll(async () => {
    await insertProject(store())
    const pinning = {
      questions: ['Can I change the colour of the widget?'],
      answer: 'Yes, in its **settings**.',
      by,
    }
    id = await store().transaction((tx) => pinAnswer(tx, project.id, pinning, spelling))
  })

  const answerTo = async (
    text: string,
    { history, without }: { history?: Said[]; without?: ['pinned'] } = {},
  ): Promise<{ text: string; threadId: string; metadata: Record<string, unknown> }> => {
    const assistant: AssistantPorts = {
      ...fakeAssistant(store()),
      findPinned: ({ id: of }, question) => findPinnedAnswer(store().db, of, question, spelling),
    }
    const { frames, threadId } = await ask(assistant, {
      project,
      threadId: undefined,
      question: { id: 'm', fp: 'a', text, again: 'no' },
      history,
      pageSize: 5,
      filter: undefined,
      currentPath: undefined,
      caller: 'api',
      context: [],
      signal: new AbortController().signal,
      charge: () => Promise.resolve(),
      ...(without && { check: { without } }),
    })
    let said = ''
    let metadata: Record<string, unknown> = {}
    for await (const frame of frames) {
      if (frame.type === 'text-delta') said += String(frame['delta'])
      if (frame.type === 'finish') metadata = frame['messageMetadata'] as Record<string, unknown>
    }
    return { text: said, threadId, metadata }
  }

  it('is given to its question in another spelling, as the team’s with its day, and no model is asked', async () => {
    const answer = await answerTo('please change the color of the widget')
    expect(answer.text).toMatch(/^Yes, in its \*\*settings\*\*\.\*– Docs team, \d{4}-\d{2}-\d{2}\*$/)
    expect(answer.metadata).toMatchObject({ outcome: 'answered', pinned: id })
    const { rows } = await listExchanges(store().db, project.id, {
      filter: { threadId: answer.threadId },
      limit: 1,
    })
    expect(rows[0]).toMatchObject({ pinned: id, outcome: 'answered', model: null })
    const [listed] = await listPinnedAnswers(store().db, project.id)
    expect(listed).toMatchObject({ id, uses: 1, author: by, changedBy: by })
  })

  it('is left out of other questions, of follow-ups that point back, and where a check leaves it out', async () => {
    expect((await answerTo('Can I move the widget?')).metadata['pinned']).toBeUndefined()
    expect(
      (await answerTo('change the color of the widget', { without: ['pinned'] })).metadata['pinned'],
    ).toBeUndefined()
    const pinning = { questions: ['Can I turn it off?'], answer: 'No.', by }
    await store().transaction((tx) => pinAnswer(tx, project.id, pinning, spelling))
    expect((await answerTo('Can I turn it off?')).metadata['pinned']).toBeDefined()
    const history: Said[] = [{ role: 'user', text: 'Tell me about webhooks' }]
    expect((await answerTo('Can I turn it off?', { history })).metadata['pinned']).toBeUndefined()
  })

  it('belongs to one question alone, and is changed and removed', async () => {
    const again = { questions: ['How can I change the widget color?'], answer: 'No.', by }
    await expect(
      store().transaction((tx) => pinAnswer(tx, project.id, again, spelling)),
    ).rejects.toMatchObject({ code: 'conflict' })
    const change = { questions: ['Which colours has the widget?'], answer: 'Two.', by: undefined }
    await store().transaction((tx) => changePinnedAnswer(tx, project.id, id, change, spelling))
    expect((await answerTo('change the color of the widget')).metadata['pinned']).toBeUndefined()
    expect((await answerTo('Which colors has the widget?')).text).toContain('Two.')
    await store().transaction((tx) => unpinAnswer(tx, project.id, id))
    await expect(store().transaction((tx) => unpinAnswer(tx, project.id, id))).rejects.toMatchObject({
      code: 'not_found',
    })
    expect((await answerTo('Which colors has the widget?')).metadata['pinned']).toBeUndefined()
  })

  it('takes a question off the list of weak answers, which joins spellings', async () => {
    const insert = (n: number, text: string) =>
      store().transaction(async (tx) => {
        const thread = `weak-${n}`
        await tx.insertInto('threads').values({ project_id: project.id, id: thread, minted: true }).execute()
        const row = {
          project_id: project.id,
          thread_id: thread,
          fp: 'a',
          sources: '[]',
          caller: 'api' as const,
        }
        await tx
          .insertInto('messages')
          .values([
            { ...row, n: 0, id: `q${n}`, role: 'user', text },
            { ...row, n: 1, id: `a${n}`, role: 'assistant', text: 'Perhaps.', outcome: 'weak' },
          ])
          .execute()
      })
    await insert(1, 'How do I organise projects?')
    await insert(2, 'how to organize projects')
    await insert(3, 'Is there a limit?')
    const list = () => listWeakAnswers(store().db, project.id, { limit: 10, spelling })
    expect((await list()).filter(({ threadId }) => threadId.startsWith('weak'))).toMatchObject([
      { times: 2, question: 'how to organize projects', outcome: 'weak' },
      { times: 1, question: 'Is there a limit?' },
    ])
    const pinning = { questions: ['organise projects'], answer: 'By folder.', by }
    await store().transaction((tx) => pinAnswer(tx, project.id, pinning, spelling))
    expect((await list()).map(({ question }) => question)).not.toContain('how to organize projects')
  })
})

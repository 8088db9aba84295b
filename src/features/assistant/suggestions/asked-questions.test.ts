import { beforeAll, expect, it } from 'vitest'
import { insertProject, project } from '../../../../tests/assistant-server.ts'
import { describeOnBothEngines } from '../../../../tests/stores.ts'
import { oneSpelling } from '../../docs/search/spelling.ts'
import { pinAnswer } from '../pinned/pinned-answers.ts'
import { askedQuestions, wholeQuestion } from './asked-questions.ts'

it.each([
  ['how do I rotate keys?', 'How do I rotate keys?'],
  ['如何轮换密钥？', '如何轮换密钥？'],
  ['rotate keys', undefined],
  ['Keys?', undefined],
  ['Can I turn it off?', undefined],
  ['Why is order 12345678 late?', undefined],
  ['Who is ada@example.com?', undefined],
  ['Does svc_0123456789abcdefghijklmnopqrstuv work?', undefined],
])('reads %s as a question for others: %s', (text, question) => {
  expect(wholeQuestion(text)).toBe(question)
})

describeOnBothEngines('questions that readers asked', (store) => {
  beforeAll(async () => {
    await insertProject(store())
    let n = 0
    const ask = (fp: string, text: string, outcome: 'answered' | 'weak' = 'answered') =>
      store().transaction(async (tx) => {
        const thread = `thread-${n++}`
        await tx.insertInto('threads').values({ project_id: project.id, id: thread, minted: true }).execute()
        const row = { project_id: project.id, thread_id: thread, fp, sources: '[]', caller: 'api' as const }
        await tx
          .insertInto('messages')
          .values([
            { ...row, n: 0, id: `q${n}`, role: 'user', text },
            { ...row, n: 1, id: `a${n}`, role: 'assistant', text: 'Yes.', outcome },
          ])
          .execute()
      })
    for (const fp of ['a', 'b', 'c']) await ask(fp, 'How do I organise projects?')
    for (const fp of ['a', 'b', 'c', 'd']) await ask(fp, `Can I rotate ${fp === 'a' ? 'the ' : ''}keys?`)
    for (const fp of ['a', 'b', 'c', 'd', 'e']) await ask(fp, 'Is there an exporter?', 'weak')
    for (let times = 0; times < 9; times++) await ask('spammer', 'Is this product a scam or what?')
    for (let times = 0; times < 9; times++) await ask('anonymous', 'Is the product any good?')
  })

  it('are shown once several readers got an answer, the most asked first, pinned ones before them', async () => {
    const asked = () => askedQuestions(store().db, project.id, oneSpelling)
    expect(await asked()).toEqual(['Can I rotate keys?', 'How do I organise projects?'])
    const pinning = { questions: ['Is there a free plan?'], answer: 'Yes.', by: undefined }
    await store().transaction((tx) => pinAnswer(tx, project.id, pinning, oneSpelling))
    expect(await asked()).toEqual([
      'Is there a free plan?',
      'Can I rotate keys?',
      'How do I organise projects?',
    ])
  })
})

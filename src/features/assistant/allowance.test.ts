import { beforeAll, expect, it } from 'vitest'
import {
  cited,
  fakeAssistant,
  insertProject,
  project,
  scriptedModel,
} from '../../../tests/assistant-server.ts'
import { createTestDatabase } from '../../../tests/prepared-stores.ts'
import { describeOnBothEngines } from '../../../tests/stores.ts'
import { openPostgresStore, type Store } from '../../store/database.ts'
import { migrate } from '../../store/migrate.ts'
import { addUsage } from '../../store/usage.ts'
import { createAllowance, type Allowance } from './allowance.ts'
import { ask } from './ask.ts'
import type { AssistantPorts } from './ports.ts'

const question = (signal = new AbortController().signal): Parameters<typeof ask>[1] => ({
  project,
  threadId: undefined,
  question: { id: 'm', fp: 'reader', text: 'How do I install it?', again: 'no' },
  history: undefined,
  pageSize: 5,
  filter: undefined,
  currentPath: undefined,
  caller: 'api',
  context: [],
  signal,
  charge: () => Promise.resolve(),
})

describeOnBothEngines('the allowance of a day', (store) => {
  beforeAll(() => insertProject(store()))
  const given = (allowance: Allowance | undefined): Promise<void> =>
    store().transaction(async (tx) => allowance?.giveBack(tx))

  it('is used up by the project’s own answers alone, and by those on their way', async () => {
    const told: unknown[] = []
    const takeIn = createAllowance((error) => told.push(error))
    const take = (asked: { id: string; domain: string }, perDay: number | undefined) =>
      store().transaction((tx) => takeIn(tx, asked, perDay))
    const count = (surface: 'agent' | 'assistant', model: string, inputTokens: number) =>
      store().transaction((tx) => {
        const usage = { inputTokens, cachedInputTokens: 0, outputTokens: 1000 }
        return addUsage(tx, project.id, surface, [{ model, usage, cost: undefined }])
      })
    await count('assistant', 'builtin', 1_000_000)
    await count('agent', 'other', 1_000_000)
    await count('assistant', 'other', 50_000)

    const first = await take(project, 200_000)
    const second = await take(project, 200_000)
    expect(second).toBeDefined()
    expect(await take(project, 200_000)).toBeUndefined()
    expect(await take(project, undefined)).toBeDefined()
    expect(told).toEqual([])
    await given(first)
    await given(first)
    const third = await take(project, 200_000)
    expect(third).toBeDefined()
    expect(await take(project, 200_000)).toBeUndefined()
    await given(second)
    await given(third)

    await count('assistant', 'other', 160_000)
    expect(await take(project, 200_000)).toBeUndefined()
    expect(await take(project, 200_000)).toBeUndefined()
    expect(told).toEqual([expect.objectContaining({ message: expect.stringContaining('200000 tokens') })])
    expect(await take({ id: 'prj_other', domain: 'other' }, 200_000)).toBeDefined()
  })

  it('comes back with the answer, with one whose reader has left, and from a process that died', async () => {
    const takeIn = createAllowance(() => {})
    const asked = { id: 'prj_single', domain: 'single' }
    const deps = fakeAssistant(store(), {
      takeAllowance: (tx) => takeIn(tx, asked, 1),
      modelOf: () => scriptedModel(() => ({ text: ['Hello'] })),
    })
    const isFree = async (): Promise<boolean> => {
      const free = await store().transaction((tx) => takeIn(tx, asked, 1))
      await given(free)
      return free !== undefined
    }
    const read = await ask(deps, question())
    expect(await isFree()).toBe(false)
    for await (const frame of read.frames) expect(frame.type).not.toBe('error')
    expect(await isFree()).toBe(true)

    const left = new AbortController()
    const stopped = await ask(deps, question(left.signal))
    expect(await isFree()).toBe(false)
    left.abort()
    for await (const frame of stopped.frames) expect(frame.type).not.toBe('error')
    expect(await isFree()).toBe(true)

    await ask(deps, question())
    expect(await isFree()).toBe(false)
    await store().transaction((tx) =>
      tx
        .updateTable('limit_uses')
        .set({ used_at: new Date(Date.now() - 3_600_000) })
        .where('scope', 'like', '%prj_single')
        .execute(),
    )
    expect(await isFree()).toBe(true)
  })
})

it('is not overshot by processes that ask at once', async () => {
  const url = await createTestDatabase()
  await using one = await openPostgresStore(url)
  await using two = await openPostgresStore(url)
  await migrate(one)
  await insertProject(one)
  const model = scriptedModel(() => ({ text: [cited] }))
  const askFrom = (store: Store) => {
    const takeIn = createAllowance(() => {})
    const takeAllowance: AssistantPorts['takeAllowance'] = (tx, asked) => takeIn(tx, asked, 500_000)
    return ask(fakeAssistant(store, { takeAllowance, modelOf: () => model }), question())
  }
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => askFrom(n % 2 === 0 ? one : two)))
  expect(await one.db.selectFrom('limit_uses').select('slot').execute()).toHaveLength(5)
  await Promise.all(
    answers.map(async ({ frames }) => {
      for await (const frame of frames) expect(frame.type).not.toBe('error')
    }),
  )
  expect(model.doStreamCalls).toHaveLength(5)
  expect(await one.db.selectFrom('limit_uses').select('slot').execute()).toEqual([])
})

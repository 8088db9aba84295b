import { beforeAll, expect, it } from 'vitest'
import { insertProject, project } from '../../../tests/assistant-server.ts'
import { describeOnBothEngines } from '../../../tests/stores.ts'
import { addUsage } from '../../store/usage.ts'
import { createAllowance } from './allowance.ts'

describeOnBothEngines('the allowance of a day', (store) => {
  beforeAll(() => insertProject(store()))

  it('is used up by the project’s own answers alone, and by those on their way', async () => {
    const told: unknown[] = []
    const take = createAllowance(store(), (error) => told.push(error))
    const count = (surface: 'agent' | 'assistant', model: string, inputTokens: number) =>
      store().transaction((tx) => {
        const usage = { inputTokens, cachedInputTokens: 0, outputTokens: 1000 }
        return addUsage(tx, project.id, surface, model, usage, undefined)
      })
    await count('assistant', 'builtin', 1_000_000)
    await count('agent', 'other', 1_000_000)
    await count('assistant', 'other', 50_000)

    const first = await take(project, 200_000)
    expect(await take(project, 200_000)).toBeDefined()
    expect(await take(project, 200_000)).toBeUndefined()
    expect(await take(project, undefined)).toBeDefined()
    expect(told).toEqual([])
    first?.()
    expect(await take(project, 200_000)).toBeDefined()

    await count('assistant', 'other', 160_000)
    expect(await take(project, 200_000)).toBeUndefined()
    expect(await take(project, 200_000)).toBeUndefined()
    expect(told).toEqual([expect.objectContaining({ message: expect.stringContaining('200000 tokens') })])
    expect(await take({ id: 'prj_other', domain: 'other' }, 200_000)).toBeDefined()
  })
})

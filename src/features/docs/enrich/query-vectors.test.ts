import { expect, it } from 'vitest'
import type { Store } from '../../../store/database.ts'
import type { Models } from '../../../integrations/models/model.ts'
import { createQueryVectors, queryPatience } from './query-vectors.ts'

/** A provider that takes so many milliseconds of its own clock. */
function world() {
  const provider = { time: 0, takes: 100, calls: 0 }
  const models: Pick<Models, 'findEmbedder' | 'costOf'> = {
    costOf: () => 0,
    findEmbedder: () => ({
      embed: () => {
        provider.calls++
        provider.time += provider.takes
        return Promise.resolve({ vectors: [[1, 0]], tokens: 1 })
      },
    }),
  }
  // What was used is written down later than this test lasts.
  const store = { transaction: () => Promise.resolve() } as unknown as Store
  const vectors = createQueryVectors(
    store,
    models,
    () => undefined,
    () => provider.time,
  )
  let n = 0
  return { provider, ask: () => vectors.find('prj', 'compatible:m', `question ${n++}`) }
}

it('leaves a provider alone that is too late twice in a row, and tries it without letting anybody wait', async () => {
  const { provider, ask } = world()
  expect(await ask()).toEqual([1, 0])
  provider.takes = queryPatience + 300
  await ask()
  await ask()
  expect(provider.calls).toBe(3)
  expect(await ask()).toBeUndefined()
  expect(provider.calls).toBe(3)
  // After its rest one call tries it, and nobody waits for that. It rests twice as long when it is still late.
  provider.time += 15_000
  expect(await ask()).toBeUndefined()
  expect(provider.calls).toBe(4)
  provider.time += 29_000
  await ask()
  expect(provider.calls).toBe(4)
  provider.takes = 100
  provider.time += 2000
  expect(await ask()).toBeUndefined()
  expect(await ask()).toEqual([1, 0])
})

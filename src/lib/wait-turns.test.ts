import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createUnfinished } from './unfinished.ts'
import { waitTurns, waitTurnsFor } from './wait-turns.ts'

it('leaves as many turns as it promises, also after the time has passed', async () => {
  let looks = 0
  await waitTurns({ milliseconds: 0, turns: 3 }, () => ++looks > 10)
  expect(looks).toBe(4)
})

it('ends with what it waits for, also when that fails', async () => {
  const never = { milliseconds: 1e9, turns: 1e9 }
  for (const work of [Promise.reject(new Error('late')), Promise.resolve()])
    await expect(waitTurnsFor(never, work)).resolves.toBeUndefined()
})

it('settles when nothing is left, also of what came meanwhile', async () => {
  const unfinished = createUnfinished()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  unfinished.add(first.promise)
  let settled = false
  const waiting = unfinished.settled().then(() => (settled = true))
  unfinished.add(second.promise)
  first.reject(new Error('failed'))
  await nextTurn()
  expect(settled).toBe(false)
  second.resolve()
  await waiting
})

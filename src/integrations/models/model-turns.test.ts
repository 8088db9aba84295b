import { expect, it, vi } from 'vitest'
import { createModelTurns, type CallsAtOnce } from './model-turns.ts'

it('asks again after a while how many calls a server answers at once, and keeps what it told while it is away', async () => {
  let answer: CallsAtOnce = { calls: 4, isSure: false }
  let time = 0
  const callsOf = vi.fn(() => Promise.resolve(answer))
  const turns = createModelTurns(callsOf, () => time)
  const atOnce = async (): Promise<number> => {
    const leaving = new AbortController()
    const { signal } = leaving
    const all = Array.from({ length: 6 }, async (_, n) => turns.take('m', `reader-${n}`, { signal }))
    for (let rest = 0; rest < 20; rest++) await Promise.resolve()
    leaving.abort()
    const taken = await Promise.allSettled(all)
    const open = taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    for (const turn of open) turn[Symbol.dispose]()
    return open.length
  }
  expect(await atOnce()).toBe(4)
  answer = { calls: 1, isSure: true }
  time += 29_000
  expect(await atOnce()).toBe(4)
  time += 2000
  await atOnce()
  expect(await atOnce()).toBe(1)
  expect(callsOf).toHaveBeenCalledTimes(2)
  answer = { calls: 4, isSure: false }
  time += 600_001
  await atOnce()
  expect(await atOnce()).toBe(1)
  answer = { calls: 2, isSure: true }
  time += 30_001
  await atOnce()
  expect(await atOnce()).toBe(2)
})

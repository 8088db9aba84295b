import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pause, repeat } from './pause.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

it('ends a pause with the signal, and leaves nothing with it', async () => {
  const stop = new AbortController()
  const over = pause(60_000, stop.signal)
  stop.abort()
  await over
  await pause(60_000, stop.signal)
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0)
})

it('repeats work until the signal aborts, and not once more', async () => {
  const stop = new AbortController()
  let times = 0
  await repeat(stop.signal, async () => {
    if (++times === 3) stop.abort()
    return 0
  })
  expect(times).toBe(3)
  await expect(
    repeat(new AbortController().signal, () => Promise.reject(new Error('broken'))),
  ).rejects.toThrow('broken')
})

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { within } from './within.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('gives what comes of the work, and leaves no timer', async () => {
  expect(await within(1000, Promise.resolve('done'), () => 'late')).toBe('done')
  expect(await within(1000, Promise.resolve(undefined), () => 'late')).toBe(undefined)
  await expect(within(1000, Promise.reject(new Error('broken')), () => 'late')).rejects.toThrow('broken')
  expect(vi.getTimerCount()).toBe(0)
})

it('gives up when the time is over, whatever becomes of the work', async () => {
  const work = Promise.withResolvers<string>()
  const result = within(1000, work.promise, () => 'late')
  await vi.advanceTimersByTimeAsync(1000)
  expect(await result).toBe('late')
  work.reject(new Error('nobody waits for it'))
  const refused = within(10, new Promise(() => {}), () => {
    throw new Error('too late')
  })
  const problem = refused.catch(String)
  await vi.advanceTimersByTimeAsync(10)
  expect(await problem).toBe('Error: too late')
})

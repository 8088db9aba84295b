import { getEventListeners } from 'node:events'
import { glob, readFile } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { endingSignal } from './ending-signal.ts'

it('leaves nothing with the signals that it joined, and no timer', () => {
  vi.useFakeTimers()
  try {
    const lasting = new AbortController()
    const { signal, ...ending } = endingSignal({ signals: [lasting.signal, undefined], milliseconds: 60_000 })
    expect(getEventListeners(lasting.signal, 'abort')).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(1)
    ending[Symbol.dispose]()
    expect(getEventListeners(lasting.signal, 'abort')).toHaveLength(0)
    expect(vi.getTimerCount()).toBe(0)
    expect(signal.aborted).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

it('aborts for the reason of the first that does, and leaves the others', () => {
  const [first, second] = [new AbortController(), new AbortController()]
  using ending = endingSignal({ signals: [first.signal, second.signal], milliseconds: 60_000 })
  expect(ending.signal.aborted).toBe(false)
  second.abort('enough')
  expect(ending.signal.reason).toBe('enough')
  expect(getEventListeners(first.signal, 'abort')).toHaveLength(0)
})

it('has aborted already where one of them has', () => {
  using ending = endingSignal({ signals: [new AbortController().signal, AbortSignal.abort('before')] })
  expect(ending.signal.reason).toBe('before')
})

it('aborts when the time is over', async () => {
  vi.useFakeTimers()
  try {
    using usual = endingSignal({ milliseconds: 100 })
    using told = endingSignal({ milliseconds: 100, reason: () => 'late' })
    await vi.advanceTimersByTimeAsync(99)
    expect(usual.signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(usual.signal.reason).toMatchObject({ name: 'TimeoutError' })
    expect(told.signal.reason).toBe('late')
  } finally {
    vi.useRealTimers()
  }
})

it('is the only place that joins signals or gives them a deadline', async () => {
  const users: string[] = []
  for await (const path of glob('src/**/*.ts')) {
    const code = (await readFile(path, 'utf8')).replaceAll(/^\s*(?:\*|\/\/).*$/gm, '')
    if (/AbortSignal\.(?:any|timeout)\b/.test(code)) users.push(path)
  }
  expect(users).toEqual([])
})

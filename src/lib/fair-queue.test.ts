import { expect, it } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

const roomy = { each: 100, all: 1000 }

/** Works that wait for a place, and their order of start. */
function worker(options: Parameters<typeof createFairQueue>[0]) {
  const queue = createFairQueue(options)
  const started: string[] = []
  const leaves = new Map<string, () => void>()
  return {
    started,
    async enter(name: string, signal?: AbortSignal): Promise<void> {
      const leave = await queue.enter(name.replace(/\d+$/, ''), 1, signal)
      started.push(name)
      leaves.set(name, leave)
    },
    async end(name: string): Promise<void> {
      leaves.get(name)?.()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

it('gives everybody a turn, however much one has', async () => {
  const { enter, end, started } = worker({ atOnce: 1, each: 1, waiting: roomy })
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => enter(name))
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']) {
    await expect.poll(() => started.at(-1)).toBe(name)
    await end(name)
  }
  await Promise.all(all)
})

it('keeps a place for others', async () => {
  const { enter, end, started } = worker({ atOnce: 2, each: 1, waiting: roomy })
  void enter('a1')
  void enter('a2')
  await enter('b1')
  expect(started).toEqual(['a1', 'b1'])
  await end('b1')
  expect(started).toEqual(['a1', 'b1'])
  await end('a1')
  await end('a1')
  expect(started).toEqual(['a1', 'b1', 'a2'])
})

it('refuses what is too much to wait, of one before it is too much of all', async () => {
  const { enter, end, started } = worker({ atOnce: 1, each: 1, waiting: { each: 2, all: 3 } })
  for (const name of ['a1', 'a2', 'a3']) void enter(name)
  await expect(enter('a4')).rejects.toMatchObject({ code: 'unavailable' })
  void enter('b1')
  await expect(enter('b2')).rejects.toMatchObject({ code: 'unavailable' })
  await end('a1')
  void enter('c1')
  for (const name of ['b1', 'a2', 'c1']) await end(name)
  expect(started).toEqual(['a1', 'b1', 'a2', 'c1', 'a3'])
})

it('forgets who does not wait any more', async () => {
  const { enter, end, started } = worker({ atOnce: 1, each: 1, waiting: roomy })
  await enter('a1')
  const stop = new AbortController()
  const left = enter('b1', stop.signal)
  const next = enter('c1')
  stop.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  await end('a1')
  await next
  expect(started).toEqual(['a1', 'c1'])
})

it('lets nobody wait for those who came later', async () => {
  const { enter, end, started } = worker({ atOnce: 1, each: 1, waiting: roomy })
  await enter('a1')
  void enter('a2')
  void enter('b1')
  await end('a1')
  // They come while another one works, again and again.
  void enter('c1')
  await end('b1')
  void enter('d1')
  await end('a2')
  expect(started).toEqual(['a1', 'b1', 'a2', 'c1'])
})

it('tells who waits how many come before', async () => {
  const queue = createFairQueue({ atOnce: 1, each: 1, waiting: roomy })
  const told = new Map<string, number[]>()
  const enter = (name: string, signal?: AbortSignal): Promise<() => void> => {
    const ahead: number[] = []
    told.set(name, ahead)
    return queue.enter(name.replace(/\d+$/, ''), 1, signal, (now) => ahead.push(now))
  }
  expect(queue.isFree()).toBe(true)
  const leave = await enter('a1')
  const stop = new AbortController()
  const left = enter('b1', stop.signal)
  const others = [enter('b2'), enter('c1')]
  expect(queue.isFree()).toBe(false)
  stop.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  leave()
  for (const other of others) (await other)()
  expect(Object.fromEntries(told)).toEqual({ a1: [], b1: [1], b2: [2, 3, 1], c1: [2, 1] })
  expect(queue.isFree()).toBe(true)
})

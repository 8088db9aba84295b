import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { describeOnBothEngines } from '../../tests/stores.ts'
import { openQueue } from './queue.ts'

describeOnBothEngines('the queue', (store) => {
  it('runs one message of a key at a time, in order, and other keys meanwhile', async () => {
    const queue = await openQueue(store(), (error) => {
      throw error
    })
    const running = new Map<string, number>()
    const overlaps: string[] = []
    const done: string[] = []
    await queue.work('sync', 4, async (key) => {
      running.set(key, (running.get(key) ?? 0) + 1)
      if ((running.get(key) ?? 0) > 1) overlaps.push(key)
      await new Promise((resolve) => setTimeout(resolve, 50))
      running.set(key, (running.get(key) ?? 0) - 1)
      done.push(key)
    })
    for (const key of ['a', 'a', 'b', 'a', 'b'])
      await store().transaction((tx) => queue.send(tx, 'sync', key))
    await vi.waitFor(() => expect(done).toHaveLength(5), { timeout: 120_000 })
    expect(overlaps).toEqual([])
    expect(done.toSorted()).toEqual(['a', 'a', 'a', 'b', 'b'])
    await vi.waitFor(async () => expect(await queue.liveKeys('sync')).toEqual(new Set()), {
      timeout: 120_000,
    })
    await queue.stop(5)
  })

  it('says what waits, for how long, and what runs', async () => {
    const queue = await openQueue(store(), () => undefined)
    const backlog = async () => (await queue.backlogs()).find(({ queue: name }) => name === 'enrich')
    expect(await backlog()).toEqual({ queue: 'enrich', waiting: 0, oldest: 0, running: 0 })
    await store().transaction(async (tx) => {
      await queue.send(tx, 'enrich', 'now')
      await queue.send(tx, 'enrich', 'later', { delay: 3600 })
    })
    await vi.waitFor(async () => expect((await backlog())?.oldest).toBeGreaterThan(0))
    expect(await backlog()).toMatchObject({ waiting: 1, running: 0 })
    const done = Promise.withResolvers<void>()
    await queue.work('enrich', 1, () => done.promise)
    await vi.waitFor(
      async () => expect(await backlog()).toMatchObject({ waiting: 0, oldest: 0, running: 1 }),
      {
        timeout: 120_000,
      },
    )
    done.resolve()
    await queue.stop(5)
  })

  it('delivers what was delayed, and what a handler has returned', async () => {
    const queue = await openQueue(store(), () => undefined)
    const tries: string[] = []
    await queue.work('enrich', 2, async (key) => {
      tries.push(key)
      if (tries.filter((one) => one === key).length === 1) throw new Error('not yet')
    })
    await store().transaction((tx) => queue.send(tx, 'enrich', 'a', { delay: 1 }))
    await vi.waitFor(() => expect(tries).toEqual(['a', 'a']), { timeout: 120_000 })
    await queue.stop(5)
  })

  it('returns a message of a process that has ended', async () => {
    const queue = await openQueue(store(), () => undefined)
    await store().transaction((tx) => queue.send(tx, 'sync', 'left'))
    await sql`
      update pgboss.job set state = 'active', started_on = now() - interval '1 minute', heartbeat_on = now() - interval '1 minute'
      where name = 'sync' and data->>'key' = 'left'
    `.execute(store().db)
    const done: string[] = []
    await queue.work('sync', 1, async (key) => void done.push(key))
    await queue.tend()
    await vi.waitFor(() => expect(done).toEqual(['left']), { timeout: 120_000 })
    await queue.stop(5)
  })

  it('sends nothing when the transaction is undone', async () => {
    const queue = await openQueue(store(), () => undefined)
    await expect(
      store().transaction(async (tx) => {
        await queue.send(tx, 'job', 'undone')
        throw new Error('stop')
      }),
    ).rejects.toThrow('stop')
    expect(await queue.liveKeys('job')).toEqual(new Set())
    await queue.stop(5)
  })
})

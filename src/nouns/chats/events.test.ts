import { expect, it } from 'vitest'
import { describeOnBothEngines } from '../../../tests/stores.ts'
import { createDashboardWorld } from '../../../tests/worlds/dashboard-world.ts'
import { claimEvents, endEvent, keepEvent, mostAttempts, renewClaims, type ClaimedEvent } from './events.ts'
import { saveChat } from './table.ts'

describeOnBothEngines('events of chats', (store) => {
  const newChat = async (): Promise<string> => {
    const { project } = await createDashboardWorld(store())
    const id = `cht_${project.id}`
    const chat = {
      id,
      projectId: project.id,
      platform: 'slack' as const,
      workspace: 'T1',
      bot: 'U1',
      name: 'Acme',
      sealed: 'x',
    }
    await store().transaction((tx) => saveChat(tx, chat))
    return id
  }
  const keep = (chatId: string, key: string, thread = key): Promise<boolean> =>
    store().transaction((tx) =>
      keepEvent(tx, { chatId, key, thread, contentType: 'application/json', body: '{}' }),
    )
  const end = (event: ClaimedEvent, error?: string): Promise<boolean> =>
    store().transaction((tx) => endEvent(tx, event, error))
  const expire = (): Promise<unknown> =>
    store().transaction((tx) =>
      tx
        .updateTable('chat_events')
        .set({ claimed_until: new Date(0) })
        .execute(),
    )

  it('gives each of 200 events to one of two workers, those of a thread in order, however often they come', async () => {
    const chatId = await newChat()
    const threads = 40
    const keys = Array.from({ length: 200 }, (_, n) => `message ${String(n).padStart(3, '0')}`)
    for (const [n, key] of keys.entries()) {
      expect(await keep(chatId, key, `thread ${n % threads}`)).toBe(true)
      expect(await keep(chatId, key, `thread ${n % threads}`)).toBe(false)
    }
    const claimed: ClaimedEvent[] = []
    const open = new Set<string>()
    for (let rounds = 0; rounds < 100 && claimed.length < keys.length; rounds++) {
      const both = await Promise.all([claimEvents(store(), 8), claimEvents(store(), 8)])
      for (const event of both.flat()) {
        expect(open.has(event.thread), `two events of ${event.thread} at once`).toBe(false)
        open.add(event.thread)
        claimed.push(event)
      }
      for (const event of both.flat()) {
        await end(event)
        open.delete(event.thread)
      }
    }
    expect(claimed.map(({ key }) => key).toSorted()).toEqual(keys)
    for (let n = 0; n < threads; n++) {
      const own = claimed.filter(({ thread }) => thread === `thread ${n}`).map(({ key }) => key)
      expect(own).toEqual(own.toSorted())
    }
  })

  it('gives an event of a process that ended to another one, and gives up after five attempts', async () => {
    const chatId = await newChat()
    await keep(chatId, 'message 1')
    const [first] = await claimEvents(store(), 8)
    if (!first) throw new Error('Nothing was claimed')
    await renewClaims(store(), [first])
    expect(await claimEvents(store(), 8)).toEqual([])
    await expire()
    const [second] = await claimEvents(store(), 8)
    expect(second).toMatchObject({ key: 'message 1', attempt: 2 })
    // What the first one still says does not count.
    await end(first)
    let event = second
    while (event) {
      expect(await end(event, 'no answer')).toBe(event.attempt < mostAttempts)
      await expire()
      event = (await claimEvents(store(), 8))[0]
    }
    const row = await store()
      .db.selectFrom('chat_events')
      .select(['state', 'attempts', 'error', 'body'])
      .where('chat_id', '=', chatId)
      .executeTakeFirst()
    expect(row).toEqual({ state: 'failed', attempts: mostAttempts, error: 'no answer', body: '' })
  })
})

import { expect, it } from 'vitest'
import { describeOnStore } from '../../../../tests/stores.ts'
import { appendEvents } from '../events.ts'
import { claimDue } from './claims.ts'
import { resendMessage } from '../../../nouns/webhooks/run.ts'
import { getMessage, getWebhook, listMessages } from '../../../nouns/webhooks/table.ts'
import {
  createWebhookWorld,
  openReceiver,
  type Receiver,
  type WebhookWorld,
} from '../../../../tests/worlds/webhook-world.ts'

describeOnStore('sending webhooks', (store) => {
  const world = (): Promise<WebhookWorld> => createWebhookWorld(store())
  const start = async (jobId: string): Promise<void> =>
    store().transaction((tx) => appendEvents(tx, jobId, 1, [{ type: 'turn.started', data: {} }]))
  const claimOf = async (id: string): Promise<number> => {
    const row = await store()
      .db.selectFrom('webhook_messages')
      .select('claimed_until')
      .where('id', '=', id)
      .executeTakeFirst()
    return row?.claimed_until?.getTime() ?? 0
  }
  /** Delays every response until the test sends it. */
  const hold = (receiver: Receiver): ((status: number) => void) => {
    const { promise, resolve } = Promise.withResolvers<number>()
    receiver.answer = () => promise
    return resolve
  }

  it.each([204, 503])('sends once more what was asked for while an attempt ended with %i', async (status) => {
    const { newJob, add, sender, projectId } = await world()
    await using receiver = await openReceiver()
    const webhookId = await add(receiver)
    await start(await newJob())
    const release = hold(receiver)
    const one = sender()
    await one.sweep()
    await expect.poll(() => receiver.received.length).toBe(1)
    const id = receiver.received[0]?.id ?? ''
    const again = await store().transaction((tx) => resendMessage(tx, projectId, webhookId, id))
    expect(again).toMatchObject({ state: 'pending' })
    // Not in parallel to the running attempt.
    await sender().sweep()
    receiver.answer = () => 200
    release(status)
    await one.settled()
    expect(receiver.received.map((received) => received.id)).toEqual([id, id])
    expect(await getMessage(store().db, webhookId, id)).toMatchObject({
      state: 'delivered',
      nextAttemptAt: undefined,
      attempts: [{ status }, { status: 200 }],
    })
  })

  it('keeps its claim for as long as the receiver takes', async () => {
    const { newJob, add, sender } = await world()
    await using receiver = await openReceiver()
    await add(receiver)
    await start(await newJob())
    const release = hold(receiver)
    const one = sender()
    await one.sweep()
    await expect.poll(() => receiver.received.length).toBe(1)
    const id = receiver.received[0]?.id ?? ''
    const claimed = await claimOf(id)
    await expect.poll(() => claimOf(id), { timeout: 120_000 }).toBeGreaterThan(claimed)
    expect(await claimDue(store(), { limit: 16, perWebhook: 4, busy: [], wholeLinks: false })).toEqual([])
    release(204)
    await one.settled()
    expect(await claimOf(id)).toBe(0)
  })

  it('ends many attempts at once whose receiver is gone', async () => {
    const { newJob, add, sender, projectId } = await world()
    await using receiver = await openReceiver()
    const webhookId = await add(receiver)
    const job = await newJob()
    for (let count = 0; count < 24; count++) await start(job)
    const release = hold(receiver)
    const errors: unknown[] = []
    const senders = Array.from({ length: 5 }, () => sender({ reportError: (error) => errors.push(error) }))
    for (const one of senders) await one.sweep()
    await expect.poll(() => receiver.received.length).toBe(20)
    release(410)
    await Promise.all(senders.map((one) => one.settled()))
    expect(errors).toEqual([])
    expect((await getWebhook(store().db, projectId, webhookId)).disabledAt).toBeInstanceOf(Date)
    const { messages } = await listMessages(store().db, webhookId, { limit: 100 })
    expect(messages.filter(({ state }) => state === 'failed')).toHaveLength(24)
    expect(messages.filter(({ attempts }) => attempts[0]?.status === 410)).toHaveLength(20)
  })

  it('sends messages without links while it has no public address, and leaves the rest to other processes', async () => {
    const { newJob, add, sender, sendAll } = await world()
    await using receiver = await openReceiver()
    await add(receiver)
    const [here, elsewhere] = [await newJob(), await newJob()]
    await start(here)
    for (const [jobId, link] of [
      [here, '/projects/docs/pulls/7?token=x'],
      [elsewhere, 'https://git.example.com/docs/pull/7'],
    ] as const)
      await store().transaction((tx) =>
        appendEvents(tx, jobId, 1, [
          { type: 'pull_request.opened', data: { number: 7, link, title: 'See "link":"/x"' } },
        ]),
      )
    await sendAll(sender({ publicUrl: () => undefined }))
    const told = receiver.received.splice(0).map(({ payload }) => [payload.data.job?.id, payload.type])
    expect(told).toHaveLength(2)
    expect(told).toContainEqual([here, 'job.started'])
    expect(told).toContainEqual([elsewhere, 'job.pull_request_opened'])
    await sendAll()
    expect(receiver.received.map(({ payload }) => payload.data.job?.pullRequest?.link)).toEqual([
      'https://docs.example.com/projects/docs/pulls/7?token=x',
    ])
  })
})

import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnBothEngines } from '../../../../tests/stores.ts'
import type { Tx } from '../../../store/database.ts'
import { cancelJob } from '../cancel-job.ts'
import { appendEvents, type NewEvent } from '../events.ts'
import { claimDue } from './claims.ts'
import { createWebhook } from '../../../nouns/webhooks/create-webhook.ts'
import { getMessage, getWebhook, listMessages, requeueMessage } from '../../../nouns/webhooks/table.ts'
import {
  createWebhookWorld,
  openReceiver,
  type WebhookWorld,
} from '../../../../tests/worlds/webhook-world.ts'

const link = '/projects/docs/pulls/7?token=x'
const ending: NewEvent[] = [
  { type: 'pull_request.opened', data: { number: 7, link, title: 'Fix it' } },
  { type: 'turn.completed', data: { summary: 'Fixed' } },
]

describeOnBothEngines('webhooks', (store) => {
  const world = (): Promise<WebhookWorld> => createWebhookWorld(store())
  /** In the order in which the agent ends a turn: first the turn, then its events, then the job. */
  const endTurn = (jobId: string, events: NewEvent[], status: 'completed' | 'failed' = 'completed') =>
    store().transaction(async (tx: Tx) => {
      await tx.updateTable('turns').set({ status }).where('job_id', '=', jobId).where('n', '=', 1).execute()
      await appendEvents(tx, jobId, 1, events)
    })

  it('sends each event of a job once, signed and with full links', async () => {
    const { newJob, add, sendAll, projectId } = await world()
    await using receiver = await openReceiver()
    await add(receiver)
    const jobId = await newJob()
    await store().transaction((tx) => appendEvents(tx, jobId, 1, [{ type: 'turn.started', data: {} }]))
    await endTurn(jobId, ending)
    await sendAll()
    await sendAll()
    const prLink = `https://docs.example.com${link}`
    const pullRequest = { link: prLink, number: 7, state: 'open' }
    const common = { id: jobId, projectId, title: 'Fix it' }
    expect(
      receiver.received.map(({ payload }) => payload).sort((a, b) => (a.type < b.type ? -1 : 1)),
    ).toEqual([
      {
        type: 'job.completed',
        timestamp: expect.any(String),
        data: { job: { ...common, status: 'completed', prLink, pullRequest }, turn: 1, summary: 'Fixed' },
      },
      {
        type: 'job.pull_request_opened',
        timestamp: expect.any(String),
        data: { job: { ...common, status: 'completed', prLink, pullRequest }, turn: 1 },
      },
      {
        type: 'job.started',
        timestamp: expect.any(String),
        data: { job: { ...common, status: 'active', prLink: null, pullRequest: null }, turn: 1 },
      },
    ])
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3)
  })

  it('tells of a question, and what came of the job that has it', async () => {
    const { newJob, add, sendAll } = await world()
    await using receiver = await openReceiver()
    await add(receiver, ['job.needs_input', 'job.completed'])
    await endTurn(await newJob(), [
      { type: 'turn.asked', data: { message: 'Which page?' } },
      { type: 'turn.completed', data: { outcome: 'needs_input', summary: 'Which page?' } },
    ])
    await sendAll()
    const received = receiver.received.map(({ payload }) => payload)
    expect(received.find(({ type }) => type === 'job.needs_input')?.data).toMatchObject({
      question: 'Which page?',
      job: { status: 'completed' },
    })
    expect(received.find(({ type }) => type === 'job.completed')?.data).toMatchObject({
      outcome: 'needs_input',
    })
  })

  it('reports the end of a job only when no turn waits, and a cancelled one as failed', async () => {
    const { newJob, add, sendAll, projectId } = await world()
    await using receiver = await openReceiver()
    await add(receiver, ['job.completed', 'job.failed'])
    const [waiting, cancelled] = [await newJob(), await newJob()]
    await store().transaction((tx) =>
      tx
        .insertInto('turns')
        .values({ id: `${waiting}-2`, job_id: waiting, n: 2, prompt: 'More', status: 'queued' })
        .execute(),
    )
    await endTurn(waiting, [{ type: 'turn.completed', data: { summary: 'Fixed' } }])
    await endTurn(waiting, [{ type: 'turn.failed', data: { code: 'policy', message: 'No' } }], 'failed')
    await cancelJob(store(), { id: projectId }, cancelled)
    await sendAll()
    expect(receiver.received.map(({ payload }) => [payload.data.job?.id, payload.type])).toEqual([
      [cancelled, 'job.failed'],
    ])
    expect(receiver.received[0]?.payload.data).toMatchObject({ failure: { code: 'cancelled' } })
  })

  it('writes no message for an event that was not written', async () => {
    const { newJob, add, sendAll } = await world()
    await using receiver = await openReceiver()
    await add(receiver)
    const jobId = await newJob()
    const undone = store().transaction(async (tx) => {
      await appendEvents(tx, jobId, 1, ending)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await sendAll()
    expect(receiver.received).toEqual([])
  })

  it('tries again after failures under the same id, keeps a log, and gives up in the end', async () => {
    const { newJob, add, sendAll, makeDue } = await world()
    await using receiver = await openReceiver()
    const webhook = await add(receiver, ['job.completed'])
    await endTurn(await newJob(), ending)
    receiver.answer = () => 503
    await sendAll()
    // Not due yet.
    await sendAll()
    expect(receiver.received).toHaveLength(1)
    const id = receiver.received[0]?.id ?? ''
    const before = await getMessage(store().db, webhook, id)
    expect(before).toMatchObject({ state: 'pending', attempts: [{ n: 1, status: 503 }] })
    expect(before?.nextAttemptAt?.getTime()).toBeGreaterThan(Date.now())
    receiver.answer = () => 302
    await makeDue()
    await sendAll()
    receiver.answer = () => 200
    await makeDue()
    await sendAll()
    const message = await getMessage(store().db, webhook, id)
    expect(message).toMatchObject({ state: 'delivered', nextAttemptAt: undefined })
    expect(message?.attempts.map(({ n, status }) => [n, status])).toEqual([
      [1, 503],
      [2, 302],
      [3, 200],
    ])
    expect(new Set(receiver.received.map((one) => one.id))).toEqual(new Set([id]))
    expect(new Set(receiver.received.map((one) => one.body)).size).toBe(1)

    await endTurn(await newJob(), ending)
    receiver.answer = () => 500
    for (let attempt = 0; attempt < 12; attempt++) {
      await makeDue()
      await sendAll()
    }
    const [failed] = (await listMessages(store().db, webhook, { limit: 10, state: 'failed' })).messages
    expect(failed?.attempts).toHaveLength(8)
    receiver.answer = () => 200
    await store().transaction((tx) => requeueMessage(tx, failed?.id ?? ''))
    await sendAll()
    expect(await getMessage(store().db, webhook, failed?.id ?? '')).toMatchObject({ state: 'delivered' })
  })

  it('stops for good when the receiver says that it is gone', async () => {
    const { newJob, add, sendAll, projectId } = await world()
    await using receiver = await openReceiver()
    const webhook = await add(receiver)
    receiver.answer = () => 410
    await endTurn(await newJob(), ending.slice(1))
    await sendAll()
    expect((await getWebhook(store().db, projectId, webhook)).disabledAt).toBeInstanceOf(Date)
    await endTurn(await newJob(), ending)
    await sendAll()
    const { messages } = await listMessages(store().db, webhook, { limit: 10 })
    expect(messages.map(({ state }) => state)).toEqual(['failed'])
    expect(receiver.received).toHaveLength(1)
  })

  it('sends a message again that a process claimed and never finished, once its lease is over', async () => {
    const { newJob, add, sendAll } = await world()
    await using receiver = await openReceiver()
    const webhook = await add(receiver, ['job.completed'])
    await endTurn(await newJob(), ending)
    // Claimed by a process that then died.
    const [taken] = await claimDue(store(), { limit: 16, perWebhook: 4, busy: [], wholeLinks: false })
    await sendAll()
    expect(receiver.received).toEqual([])
    await store().transaction((tx) =>
      tx
        .updateTable('webhook_messages')
        .set({ claimed_until: sql<Date>`now() - interval '1 second'` })
        .execute(),
    )
    await sendAll()
    expect(receiver.received.map(({ id }) => id)).toEqual([taken?.id])
    expect(await getMessage(store().db, webhook, taken?.id ?? '')).toMatchObject({
      state: 'delivered',
      attempts: [{ n: 2, status: 204 }],
    })
  })

  it('sends each message once from many processes at once', async () => {
    const { newJob, add, sender } = await world()
    await using receiver = await openReceiver()
    await add(receiver, ['job.completed'])
    const jobs = await Promise.all(Array.from({ length: 30 }, newJob))
    for (const jobId of jobs) await endTurn(jobId, ending)
    const senders = Array.from({ length: 4 }, () => sender())
    while (receiver.received.length < 30) {
      await Promise.all(senders.map((one) => one.sweep()))
      await Promise.all(senders.map((one) => one.settled()))
    }
    const ids = receiver.received.map(({ id }) => id)
    expect([ids.length, new Set(ids).size]).toEqual([30, 30])
    expect(new Set(receiver.received.map(({ payload }) => payload.data.job?.id))).toEqual(new Set(jobs))
  })

  it('does not let a slow receiver delay the others', async () => {
    const { newJob, add, sender } = await world()
    await using slow = await openReceiver()
    await using quick = await openReceiver()
    const held = Promise.withResolvers<number>()
    slow.answer = () => held.promise
    await add(slow, ['job.completed'])
    for (let count = 0; count < 20; count++) await endTurn(await newJob(), ending)
    await add(quick, ['job.completed'])
    await endTurn(await newJob(), ending)
    const one = sender()
    await one.sweep()
    await expect.poll(() => quick.received.length).toBe(1)
    await expect.poll(() => slow.received.length).toBe(4)
    held.resolve(200)
    await one.settled()
    expect(slow.received).toHaveLength(21)
  })

  it('keeps the secret encrypted, and says so when it cannot be decrypted', async () => {
    const { newJob, add, sendAll, sender, ports, projectId } = await world()
    await using receiver = await openReceiver()
    const { webhook, secret } = await createWebhook(ports, projectId, { url: receiver.url, events: [] })
    const row = await store()
      .db.selectFrom('webhooks')
      .selectAll()
      .where('id', '=', webhook.id)
      .executeTakeFirst()
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(JSON.stringify(row)).not.toContain(secret.slice(6))
    await endTurn(await newJob(), ending.slice(1))
    await sendAll(sender({ secretKey: [new Uint8Array(32)] }))
    const [message] = (await listMessages(store().db, webhook.id, { limit: 1 })).messages
    expect(message?.attempts[0]?.error).toMatch(/another key/)
    expect(receiver.received).toEqual([])
    await add(receiver)
  })

  it('sends no messages of a webhook that was removed', async () => {
    const { newJob, add, sendAll } = await world()
    await using receiver = await openReceiver()
    const webhook = await add(receiver)
    await endTurn(await newJob(), ending)
    await store().transaction((tx) => tx.deleteFrom('webhooks').where('id', '=', webhook).execute())
    await sendAll()
    expect(receiver.received).toEqual([])
    expect(
      await store()
        .db.selectFrom('webhook_messages')
        .select('id')
        .where('webhook_id', '=', webhook)
        .execute(),
    ).toEqual([])
  })

  it.each([
    'not an address',
    'ftp://example.com/',
    'http://example.com/',
    'https://user:pass@example.com/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::808:808]/',
    'https://10.0.0.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://224.0.0.1/',
    'https://0.0.0.0/',
    'https://localhost/',
    'https://a.localhost./',
    `https://example.com/${'x'.repeat(2000)}`,
  ])('makes none to %s', async (url) => {
    const { ports, projectId } = await world()
    const making = createWebhook({ ...ports, toPrivate: false }, projectId, { url, events: [] })
    await expect(making).rejects.toMatchObject({ code: 'invalid', message: expect.stringMatching(/^`url` /) })
  })

  it('makes 20 for a project, and none to link-local addresses even where private ones are allowed', async () => {
    const { ports, projectId } = await world()
    const make = (url: string): Promise<unknown> => createWebhook(ports, projectId, { url, events: [] })
    await expect(make('http://169.254.169.254/')).rejects.toMatchObject({ code: 'invalid' })
    const made = await Promise.allSettled(Array.from({ length: 25 }, () => make('http://10.0.0.1/')))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  })
})

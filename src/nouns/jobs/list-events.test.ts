import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { appendEvents } from '../../features/agent/events.ts'
import { lockJob } from '../../features/agent/jobs.ts'
import { createAgentWorld, type AgentWorld } from '../../../tests/worlds/agent-world.ts'

interface Shown {
  id: string
  event: string
  data: Record<string, unknown>
}

describeOnStore('the stream of events', (store) => {
  const add = (jobId: string, count: number): Promise<void> =>
    store().transaction(async (tx) => {
      await lockJob(tx, jobId)
      const events = Array.from({ length: count }, () => ({ type: 'tool', data: { text: 'a\nb' } }) as const)
      await appendEvents(tx, jobId, 1, events)
    })
  const open = ({ send, base }: AgentWorld, jobId: string, options: { query?: string; last?: string } = {}) =>
    send('GET', `${base}/job/${jobId}/events${options.query ?? ''}`, {
      headers: {
        accept: 'text/event-stream',
        ...(options.last !== undefined && { 'last-event-id': options.last }),
      },
    })

  it('gives every event once and in order to a client that is disconnected again and again', async () => {
    const world = await createAgentWorld(store())
    const jobId = await world.newJob()
    const writing = (async () => {
      for (let round = 0; round < 15; round++) {
        await add(jobId, 1 + (round % 4))
        await delay(30)
      }
      await world.cancel(jobId)
    })()
    const seen: Shown[] = []
    for (let connections = 0; seen.at(-1)?.event !== 'cancelled'; connections++) {
      const last = seen.at(-1)?.id
      const { shown } = await read(
        await open(world, jobId, last === undefined ? {} : { last }),
        1 + (connections % 3),
      )
      seen.push(...shown)
    }
    await writing
    const page = (await (await world.send('GET', `${world.base}/job/${jobId}/events`)).json()) as {
      events: { id: number; type: string }[]
    }
    expect(page.events.map(({ id }) => id)).toEqual(page.events.map((_, index) => index + 1))
    expect(seen.map(({ data }) => data)).toEqual(page.events)
    expect(seen.map(({ id, event }) => [Number(id), event])).toEqual(
      page.events.map(({ id, type }) => [id, type]),
    )
  })

  it('ends once the job has ended and all events are sent, also with more than 500', async () => {
    const world = await createAgentWorld(store())
    const jobId = await world.newJob()
    await add(jobId, 1200)
    const ended = read(await open(world, jobId, { query: '?after=100' }))
    await world.cancel(jobId)
    const { shown, comments, end } = await ended
    expect(shown.map(({ id }) => Number(id))).toEqual(Array.from({ length: 1102 }, (_, index) => index + 101))
    expect(comments).toEqual(['events'])
    expect(end).toEqual({ type: 'end', reason: 'over', message: expect.any(String) })
    const again = await open(world, jobId, { last: '1202' })
    expect([again.status, again.body, again.headers.get('vary')]).toEqual([204, null, 'Accept'])
    expect((await open(world, jobId, { query: '?after=1202' })).status).toBe(204)
    // The header is newer than the query: a client that reconnects repeats its first address.
    expect((await read(await open(world, jobId, { query: '?after=3', last: '1201' }))).shown).toHaveLength(1)
  })

  it('goes on with a follow-up, even if the stream of another client has just ended', async () => {
    const world = await createAgentWorld(store())
    const jobId = await world.newJob()
    await world.cancel(jobId)
    await read(await open(world, jobId))
    await world.send('POST', `${world.base}/job/${jobId}/message`, { body: { prompt: 'More' } })
    const stream = read(await open(world, jobId, { last: '2' }))
    await add(jobId, 1)
    await world.cancel(jobId)
    expect((await stream).shown.map(({ event }) => event)).toEqual(['turn.queued', 'tool', 'cancelled'])
  })

  it('ends when the server stops, and sends nothing more to a revoked key', async () => {
    const stopped = await createAgentWorld(store())
    const first = await stopped.newJob()
    const streaming = read(await open(stopped, first))
    stopped.stopping.abort()
    expect((await streaming).end?.['reason']).toBe('stopping')

    const revoked = await createAgentWorld(store())
    const second = await revoked.newJob()
    const response = await open(revoked, second, { last: '1' })
    await revoked.revokeKey()
    await add(second, 1)
    expect(await read(response)).toMatchObject({
      shown: [],
      comments: ['events'],
      end: { reason: 'unauthorized' },
    })
  })

  it('serves 100 clients at once, and another one when one has left', async () => {
    const world = await createAgentWorld(store())
    const jobId = await world.newJob()
    const streams = await Promise.all(Array.from({ length: 100 }, () => open(world, jobId)))
    const refused = await open(world, jobId)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    expect(refused.headers.get('ratelimit-policy')).toMatch(
      /^"event-streams-key";q=\d+;qu="concurrent-requests"$/,
    )
    const neighbour = await createAgentWorld(store())
    const theirs = await open(neighbour, await neighbour.newJob())
    expect(theirs.status).toBe(200)
    await theirs.body?.cancel()
    expect((await world.send('HEAD', `${world.base}/job/${jobId}/events`)).status).toBe(200)
    await streams.pop()?.body?.cancel()
    const next = await open(world, jobId)
    expect(next.status).toBe(200)
    await Promise.all([...streams, next].map(async (stream) => stream.body?.cancel()))
    const again = await Promise.all(Array.from({ length: 100 }, () => open(world, jobId)))
    expect(again.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200))
    await Promise.all(again.map(async (stream) => stream.body?.cancel()))
  })

  it.each(['x', '-1', '1.5', '99999999999'])('answers 400 to the Last-Event-ID %s', async (last) => {
    const world = await createAgentWorld(store())
    expect((await open(world, await world.newJob(), { last })).status).toBe(400)
  })
})

/** Reads to the end, or closes the connection after `most` events. */
async function read(
  response: Response,
  most = Infinity,
): Promise<{ shown: Shown[]; comments: string[]; end: Shown['data'] | undefined }> {
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const shown: Shown[] = []
  const comments: string[] = []
  let end: Shown['data'] | undefined
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString('utf8')
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split('\n')
      comments.push(...lines.filter((line) => line.startsWith(': ')).map((line) => line.slice(2)))
      const event = lines.filter((line) => !line.startsWith(':')).join('\n')
      if (event.startsWith('event: end\n')) end = parse(event).data
      else if (shown.length < most) shown.push(parse(event))
    }
    // Leaving the loop cancels the stream.
    if (shown.length >= most) break
  }
  return { shown, comments, end }
}

function parse(block: string): Shown {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) ?? []),
  )
  return { id: fields.id, event: fields.event, data: JSON.parse(fields.data) as Record<string, unknown> }
}

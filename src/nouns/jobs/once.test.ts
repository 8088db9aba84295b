import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnBothEngines } from '../../../tests/stores.ts'
import { deleteOldReplies, holdKey } from '../../features/agent/idempotent-requests.ts'
import { limits, countLimits } from '../../features/projects/limits.ts'
import { createAgentWorld, type AgentWorld } from '../../../tests/worlds/agent-world.ts'

describeOnBothEngines('Idempotency-Key', (store) => {
  const world = (): Promise<AgentWorld> => createAgentWorld(store())
  const create = async ({ send, base }: AgentWorld, key: string, body: unknown = { prompt: 'Fix it' }) => {
    const response = await send('POST', `${base}/job`, { body, headers: { 'idempotency-key': key } })
    return {
      status: response.status,
      replayed: response.headers.get('idempotency-replayed'),
      code: response.headers.get('x-error-code'),
      text: await response.text(),
    }
  }
  const jobsOf = async ({ project }: AgentWorld): Promise<number> =>
    (await store().db.selectFrom('jobs').select('id').where('project_id', '=', project.id).execute()).length
  const usesOf = async ({ project }: AgentWorld): Promise<number> =>
    (
      await store()
        .db.selectFrom('limits')
        .select('uses')
        .where('scope', '=', `job-create:${project.id}`)
        .executeTakeFirst()
    )?.uses ?? 0

  it('answers a repeated request as before, byte for byte, and counts it once', async () => {
    const one = await world()
    const first = await create(one, 'a', { prompt: 'Fix it', draft: true })
    const again = await create(one, 'a', { draft: true, prompt: 'Fix it' })
    expect([first.status, first.replayed]).toEqual([201, null])
    expect(again).toEqual({ ...first, replayed: 'true' })
    expect([await jobsOf(one), await usesOf(one)]).toEqual([1, 1])
    expect((await create(one, 'b')).replayed).toBeNull()
    expect(await jobsOf(one)).toBe(2)
  })

  it('refuses the key with another body, and does not remember refused requests', async () => {
    const one = await world()
    expect((await create(one, 'a', { prompt: '' })).status).toBe(400)
    expect((await create(one, 'a')).status).toBe(201)
    expect(await create(one, 'a', { prompt: 'Other' })).toMatchObject({ status: 422, code: 'mismatch' })
    expect((await create(one, 'a', { prompt: 'Fix it', colour: 1 })).status).toBe(422)
    expect(await jobsOf(one)).toBe(1)
  })

  it('answers only a repeat when the limit is reached', async () => {
    const one = await world()
    const first = await create(one, 'a')
    const { id } = JSON.parse(first.text) as { id: string }
    const message = async (key: string): Promise<Response> =>
      one.send('POST', `${one.base}/job/${id}/message`, {
        body: { prompt: 'More' },
        headers: { 'idempotency-key': key },
      })
    const sent = await message('a')
    for (const limit of [limits.jobCreate, limits.jobMessage])
      for (let used = 1; used < limit.count; used++)
        await store().transaction((tx) => countLimits(tx, [{ limit, subject: one.project.id }]))
    expect(await create(one, 'a')).toEqual({ ...first, replayed: 'true' })
    expect((await create(one, 'a', { prompt: 'Other' })).status).toBe(422)
    expect((await create(one, 'b')).status).toBe(429)
    expect((await create(one, 'b', 'no JSON')).status).toBe(429)
    const again = await message('a')
    expect([again.status, await again.text()]).toEqual([200, await sent.text()])
    expect((await message('b')).status).toBe(429)
    expect(await jobsOf(one)).toBe(1)
  })

  it('makes one job of many requests at once, and replays or refuses the others', async () => {
    const one = await world()
    const all = await Promise.all(Array.from({ length: 12 }, () => create(one, 'a')))
    const made = all.filter(({ status, replayed }) => status === 201 && replayed === null)
    expect(made).toHaveLength(1)
    for (const { status, replayed, text } of all) {
      expect([
        [201, null],
        [201, 'true'],
        [409, null],
      ]).toContainEqual([status, replayed])
      if (status === 201) expect(text).toBe(made[0]?.text)
    }
    expect([await jobsOf(one), await usesOf(one)]).toEqual([1, 1])
  })

  it('says that the first is still running', async () => {
    const one = await world()
    const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = store().transaction(async (tx) => {
      await holdKey(tx, { projectId: one.project.id, operation: 'create', key: 'a', body: undefined })
      held.resolve()
      await release.promise
    })
    await held.promise
    const answer = create(one, 'a')
    // The embedded store runs one transaction at a time, so the second one waits there.
    if (store().engine === 'postgres') expect(await answer).toMatchObject({ status: 409, code: 'conflict' })
    release.resolve()
    await first
    expect((await answer).status).toBe(store().engine === 'postgres' ? 409 : 201)
    expect((await create(one, 'a')).status).toBe(201)
    expect(await jobsOf(one)).toBe(1)
  })

  it('keeps projects, operations and jobs apart', async () => {
    const [one, other] = [await world(), await world()]
    await create(one, 'a')
    expect((await create(other, 'a')).replayed).toBeNull()
    const [first, second] = [await one.newJob(), await one.newJob()]
    for (const jobId of [first, second]) {
      const path = `${one.base}/job/${jobId}/message`
      const options = { body: { prompt: 'Fix it' }, headers: { 'idempotency-key': 'a' } }
      const sent = await one.send('POST', path, options)
      expect([sent.status, sent.headers.get('idempotency-replayed')]).toEqual([200, null])
      // The same answer comes even after the job was archived.
      await one.send('POST', `${one.base}/job/${jobId}/archive`)
      const again = await one.send('POST', path, options)
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
      expect(await again.json()).toMatchObject({ id: jobId, status: 'active', turns: 2 })
    }
  })

  it('forgets after a day', async () => {
    const one = await world()
    await create(one, 'a')
    const age = (): Promise<unknown> =>
      store().transaction((tx) =>
        tx
          .updateTable('idempotent_requests')
          .set({ created_at: sql<Date>`now() - interval '24 hours'` })
          .execute(),
      )
    await age()
    expect(await create(one, 'a', { prompt: 'Other' })).toMatchObject({ status: 201, replayed: null })
    expect(await create(one, 'a', { prompt: 'Other' })).toMatchObject({ status: 201, replayed: 'true' })
    await age()
    await store().transaction(deleteOldReplies)
    expect(await store().db.selectFrom('idempotent_requests').select('key').execute()).toEqual([])
  })

  it.each(['', 'a b', 'é', 'x'.repeat(256)])('answers 400 to the key "%s"', async (key) => {
    expect((await create(await world(), key)).status).toBe(400)
  })
})

import { expect, it } from 'vitest'
import { describeOnStore } from '../../../tests/stores.ts'
import { createAgentWorld } from '../../../tests/worlds/agent-world.ts'

describeOnStore('job endpoints', (store) => {
  it('takes null for what is optional, and a budget in dollars', async () => {
    const { send, base } = await createAgentWorld(store())
    const nothing = { base: null, model: null, draft: null, budget: null }
    expect((await send('POST', `${base}/job`, { body: { prompt: 'Fix it', ...nothing } })).status).toBe(201)
    const budget = { steps: 7, tokens: null, cost: 0.25, minutes: 1.5 }
    const made = await send('POST', `${base}/job`, { body: { prompt: 'Fix it', budget } })
    const { id } = (await made.json()) as { id: string }
    const job = await store().db.selectFrom('jobs').select('budget').where('id', '=', id).executeTakeFirst()
    expect(job?.budget).toEqual({ steps: 7, cost: 250_000, minutes: 1.5 })
  })

  it.each([{ steps: 0 }, { steps: 1.5 }, { cost: -1 }, { cost: '1' }, { minutes: 2000 }, 7, []])(
    'answers 400 to the budget %j',
    async (budget) => {
      const { send, base } = await createAgentWorld(store())
      expect((await send('POST', `${base}/job`, { body: { prompt: 'Fix it', budget } })).status).toBe(400)
    },
  )

  it('answers 304 to its entity tag in every form, until the job changes', async () => {
    const { send, base, newJob, cancel } = await createAgentWorld(store())
    const path = `${base}/job/${await newJob()}`
    const tag = (await send('GET', path)).headers.get('etag') ?? ''
    const ask = (method: string, known: string): Promise<Response> =>
      send(method, path, { headers: { 'if-none-match': known } })
    for (const known of [tag, `W/${tag}`, `"x", W/${tag},"y"`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await ask(method, known)
        expect([known, answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([
          known,
          304,
          tag,
          '',
        ])
      }
    }
    for (const known of ['"x"', tag.slice(1, -1), 'W/"x"', ''])
      expect((await ask('GET', known)).status).toBe(200)
    await cancel(path.split('/').at(-1) ?? '')
    expect((await ask('GET', tag)).status).toBe(200)
  })
})

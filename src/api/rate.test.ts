import { pino } from 'pino'
import { expect, it } from 'vitest'
import { AppError } from '../lib/errors.ts'
import { createApp } from './app.ts'
import { createRate } from './rate.ts'

/** An app with a rate that answers 200, or 404 for `/missing`, with a clock that the test sets. */
function limited() {
  const clock = { now: 0 }
  const rate = createRate('search', { address: 60, project: 100 }, () => clock.now)
  const endpoint = (path: string, work: () => void) => ({
    route: { method: 'get' as const, path, responses: {} },
    handle: async (context: Parameters<typeof rate.take>[0]) => {
      const address = context.req.query('from') ?? 'a'
      rate.take(context, { address, project: context.req.query('project') })
      work()
      return new Response('done')
    },
  })
  const app = createApp({ log: pino({ level: 'silent' }), isDraining: () => false }, [
    endpoint('/', () => {}),
    endpoint('/missing', () => {
      throw new AppError('not_found', 'Nothing here')
    }),
  ])
  return { clock, get: async (path: string) => app.request(path) }
}

it('allows a number of requests a minute, and says when the next one is allowed', async () => {
  const { clock, get } = limited()
  for (let count = 0; count < 60; count++) expect((await get('/')).status).toBe(200)
  const refused = await get('/')
  expect(refused.status).toBe(429)
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    'retry-after': '1',
    ratelimit: '"search-address";r=0;t=1',
    'ratelimit-policy': '"search-address";q=60;w=60',
    'x-error-code': 'rate_limited',
  })
  expect((await get('/?from=b')).status).toBe(200)
  clock.now += 1000
  expect([(await get('/')).status, (await get('/')).status]).toEqual([200, 429])
  clock.now += 60_000
  for (let count = 0; count < 60; count++) expect((await get('/')).status).toBe(200)
})

it('counts a request for all kinds of sharers, or for none', async () => {
  const { get } = limited()
  for (let count = 0; count < 60; count++) await get('/?project=one')
  for (let count = 0; count < 20; count++) expect((await get('/?project=one')).status).toBe(429)
  for (let count = 0; count < 40; count++) expect((await get('/?project=one&from=b')).status).toBe(200)
  const refused = await get('/?project=one&from=c')
  expect(refused.headers.get('ratelimit')).toContain('search-project')
})

it('has the size that was chosen for the organization', async () => {
  const clock = { now: 0 }
  const rate = createRate('search', { address: 60 }, () => clock.now)
  const app = createApp({ log: pino({ level: 'silent' }), isDraining: () => false }, [
    {
      route: { method: 'get', path: '/', responses: {} },
      handle: async (context) => {
        context.set('limitSizes', { 'search-address': 3 })
        rate.take(context, { address: 'a' })
        return new Response('done')
      },
    },
  ])
  for (let count = 0; count < 3; count++) expect((await app.request('/')).status).toBe(200)
  const refused = await app.request('/')
  expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([
    429,
    '"search-address";q=3;w=60',
  ])
})

it('does not count what is refused with a 4xx', async () => {
  const { get } = limited()
  for (let count = 0; count < 200; count++) expect((await get('/missing')).status).toBe(404)
  expect((await get('/')).status).toBe(200)
})

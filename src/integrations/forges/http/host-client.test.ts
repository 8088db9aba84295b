import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createHostClient, type HostApi } from './host-client.ts'
import type { HostClientOptions } from './host-client-options.ts'
import { HostFailure } from './host-failure.ts'

const secret = 'token-that-nobody-may-see'

interface Seen {
  method: string | undefined
  url: string | undefined
  authorization: string | undefined
}

/** A host that answers as `answer` does, and a client of it whose waits are written down instead of waited. */
async function world(
  answer: (count: number, request: IncomingMessage) => RequestListener,
  options: Partial<HostClientOptions> = {},
) {
  const seen: Seen[] = []
  const waits: number[] = []
  const server = createServer((request, response) => {
    seen.push({
      method: request.method,
      url: request.url,
      authorization: request.headers.authorization,
    })
    request.resume()
    answer(seen.length, request)(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let now = Date.parse('2026-05-01T10:00:00Z')
  const client = createHostClient({
    ports: {
      fetch,
      now: () => new Date(now),
      async delay(milliseconds) {
        waits.push(milliseconds)
        now += milliseconds
      },
    },
    name: 'Testhub',
    base: `${origin}/api`,
    authorization: async () => ({ authorization: `Bearer ${secret}` }),
    ...options,
  })
  const run = <T>(work: (api: HostApi) => Promise<T>): Promise<T> => client.operation('read a thing', work)
  const get = (): Promise<unknown> => run((api) => api.get('/thing', z.unknown()))
  return { origin, seen, waits, run, get, scarceUntil: client.scarceUntil }
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): RequestListener {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

const cut: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('{"a": ', () => response.destroy())
}
const hangUp: RequestListener = (request) => request.socket.destroy()
const silence: RequestListener = () => undefined

async function failureOf(promise: Promise<unknown>): Promise<HostFailure> {
  const error: unknown = await promise.catch((error: unknown) => error)
  if (!(error instanceof HostFailure)) throw new Error('it did not fail as a host does', { cause: error })
  return error
}

it.each([
  ['server errors', json(502, {})],
  ['answers that are cut off', cut],
  ['what is not JSON', (_, response) => response.end('<html>') satisfies unknown] as [
    string,
    RequestListener,
  ],
  ['broken connections', hangUp],
  ['hosts that hang', silence],
])('repeats reads after %s', async (_case, trouble) => {
  const { get, seen } = await world((count) => (count < 3 ? trouble : json(200, { a: 1 })), {
    limits: { request: 300 },
  })
  expect(await get()).toEqual({ a: 1 })
  expect(seen).toHaveLength(3)
})

it('gives up after some tries and says that it may be tried later', async () => {
  const { get, seen } = await world(() => json(500, { message: 'boom' }))
  expect(await failureOf(get())).toMatchObject({
    code: 'unavailable',
    status: 500,
    refused: false,
    passing: true,
  })
  expect(seen).toHaveLength(4)
})

it('ends every operation by its deadline', async () => {
  const { get } = await world(() => silence, { limits: { request: 60_000, operation: 200 } })
  expect(await failureOf(get())).toMatchObject({ code: 'unavailable', refused: false })
})

it('makes a thing once though the answer got lost, by looking before it asks again', async () => {
  for (const madeFirst of [true, false]) {
    let made = 0
    const { run } = await world((count) => {
      if (count > 1 || madeFirst) made += 1
      return count === 1 ? hangUp : json(201, { id: made })
    })
    const thing = await run((api) =>
      api.create('/things', {}, z.object({ id: z.number() }), async () =>
        made > 0 ? { id: made } : undefined,
      ),
    )
    expect([thing.id, made]).toEqual([1, 1])
  }
})

it.each([
  ['Retry-After', 429, { 'retry-after': '7' }, 7000],
  ['a secondary limit', 403, { 'retry-after': '20', 'x-ratelimit-remaining': '4000' }, 20_000],
  [
    'a primary limit, by the clock of the host',
    403,
    {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Date.parse('2026-05-01T11:00:30Z') / 1000),
      date: 'Fri, 01 May 2026 11:00:00 GMT',
    },
    31_000,
  ],
  [
    'the reset time of GitLab',
    429,
    {
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(Date.parse('2026-05-01T10:00:10Z') / 1000),
      date: 'Fri, 01 May 2026 10:00:00 GMT',
    },
    11_000,
  ],
  [
    'a date',
    429,
    { 'retry-after': 'Fri, 01 May 2026 10:00:05 GMT', date: 'Fri, 01 May 2026 10:00:00 GMT' },
    5000,
  ],
])('waits as told by %s, and asks again even to make something', async (_case, status, headers, wait) => {
  const { run, waits } = await world((count) =>
    count === 1 ? json(status, { message: 'Slow down' }, headers) : json(201, { id: 5 }),
  )
  const thing = await run((api) =>
    api.create('/things', {}, z.object({ id: z.number() }), () =>
      Promise.reject(new Error('no need to look')),
    ),
  )
  expect([thing.id, waits]).toEqual([5, [wait]])
})

it('waits a minute for a secondary limit that names no time', async () => {
  const body = { message: 'You have exceeded a secondary rate limit.' }
  const { get, waits } = await world((count) =>
    count === 1
      ? json(403, body, { 'x-ratelimit-remaining': '4999', 'x-ratelimit-reset': '1' })
      : json(200, {}),
  )
  await get()
  expect(waits).toEqual([60_000])
})

it('names the time when a rate limit ends later than it can wait', async () => {
  const { get, seen } = await world(() => json(429, {}, { 'retry-after': '3600' }))
  const failure = await failureOf(get())
  expect(failure).toMatchObject({ code: 'unavailable', retryAt: new Date('2026-05-01T11:00:00Z') })
  expect(failure.message).toContain('2026-05-01 11:00:00 UTC')
  expect(seen).toHaveLength(1)
})

it('leaves no part of the secret where a long answer is shortened', async () => {
  for (const before of [285, 290, 295, 990]) {
    const { get } = await world(() => json(422, { message: `${'a'.repeat(before)} ${secret}` }))
    expect((await failureOf(get())).detail).not.toContain(secret.slice(0, 4))
  }
})

it.each([
  [400, 'invalid'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [409, 'conflict'],
  [410, 'not_found'],
  [422, 'invalid'],
  [423, 'forbidden'],
  [451, 'forbidden'],
])('takes %i for %s, once, with what the host says and without the secret', async (status, code) => {
  const body = {
    message: `Not with ${secret}`,
    errors: [{ resource: 'Thing', field: 'head', code: 'odd' }, 'x\ny'],
  }
  const { get, seen } = await world(() => json(status, body))
  const failure = await failureOf(get())
  expect(failure).toMatchObject({ code, status, refused: true })
  expect(failure.message).toContain('read a thing')
  expect(failure.detail).toBe('Not with [secret]; head: odd; x y')
  expect(JSON.stringify([failure.message, failure.stack, failure.cause])).not.toContain(secret)
  expect(seen).toHaveLength(1)
})

it('names the permission that is missing', async () => {
  const { get } = await world(() => json(403, {}, { 'x-needed': 'writing' }), {
    remedy: ({ headers }) => `it needs ${headers.get('x-needed')}`,
  })
  expect((await failureOf(get())).message).toContain('it needs writing')
})

it('renews a credential once when it is not accepted any longer', async () => {
  let token = 'old'
  const { get, seen } = await world(
    (_, { headers }) => json(headers.authorization === 'Bearer new' ? 200 : 401, {}),
    {
      async authorization(renew) {
        if (renew) token = 'new'
        return { authorization: `Bearer ${token}` }
      },
    },
  )
  await get()
  expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer old', 'Bearer new'])
})

it('follows what was renamed within the origin, keeping the method', async () => {
  const { run, seen } = await world((count) =>
    count === 1 ? json(307, {}, { location: '/api/repositories/5?x=1' }) : json(200, { ok: true }),
  )
  expect(await run((api) => api.replace('PATCH', '/thing', { a: 1 }, z.unknown()))).toEqual({ ok: true })
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'PATCH /api/thing',
    'PATCH /api/repositories/5?x=1',
  ])
})

it('never sends the credential to another origin', async () => {
  const other = await world(() => json(200, {}))
  const { get } = await world(() => json(302, {}, { location: `${other.origin}/api/thing` }))
  await expect(get()).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining(other.origin),
  })
  expect(other.seen).toEqual([])
  const circle = await world(() => json(301, {}, { location: '/api/thing' }))
  await expect(circle.get()).rejects.toMatchObject({ code: 'invalid' })
})

it('reads all pages by links, whatever host they name, and stops at what it was asked for', async () => {
  const { run, seen } = await world((count) =>
    json(200, [count * 2 - 1, count * 2], {
      link: `<https://inside.example/api/things?page=${count + 1}&state=all>; rel="next", <https://inside.example/x>; rel="last"`,
    }),
  )
  const list = (max: number) =>
    run((api) => api.list('/things', z.number(), { query: { state: 'all' }, max }))
  expect(await list(5)).toEqual([1, 2, 3, 4, 5])
  expect(seen.map(({ url }) => url)).toEqual([
    '/api/things?state=all',
    '/api/things?state=all&page=2',
    '/api/things?state=all&page=3',
  ])
})

it('refuses answers that are too large or of another form', async () => {
  const large = await world(() => json(200, 'x'.repeat(5000)), { limits: { bytes: 4096 } })
  await expect(large.get()).rejects.toMatchObject({ code: 'too_large' })
  const odd = await world(() => json(200, { number: 'seven' }))
  const reading = odd.run((api) => api.get('/thing', z.object({ number: z.number() })))
  expect((await failureOf(reading)).message).toContain('(number)')
  expect(odd.seen).toHaveLength(1)
})

it('says what is wrong with a host that cannot be reached, and tells nothing of the headers', async () => {
  const closed = createServer()
  await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done))
  const { port } = closed.address() as AddressInfo
  await new Promise((done) => closed.close(done))
  const gone = await world(() => silence, { base: `http://127.0.0.1:${port}/api` })
  expect((await failureOf(gone.get())).message).toContain('ECONNREFUSED')
  const bad = await world(() => silence, {
    authorization: async () => ({ authorization: `${secret}\n\u{1F600}` }),
  })
  const failure = await failureOf(bad.get())
  expect(JSON.stringify([failure.message, failure.stack, failure.cause])).not.toContain(secret)
})

it.each([
  { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1e300' },
  { 'ratelimit-reset': 'Infinity' },
  { 'retry-after': '999999999' },
])('takes no host at its word that names a time without end: %j', async (headers) => {
  const { get } = await world(() => json(429, {}, headers))
  expect(await failureOf(get())).toMatchObject({
    code: 'unavailable',
    retryAt: new Date('2026-05-08T10:00:00Z'),
  })
})

it('tells until when few requests are left, and no longer once there are more or the time is over', async () => {
  const reset = String(Date.parse('2026-05-01T10:20:00Z') / 1000)
  const answers: Record<string, string>[] = [
    { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '1000', 'x-ratelimit-reset': reset },
    { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '999', 'x-ratelimit-reset': reset },
    // Of another limit, and of none.
    { 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '30', 'x-ratelimit-resource': 'search' },
    {},
    { 'ratelimit-limit': '2000', 'ratelimit-remaining': '1999', 'ratelimit-reset': reset },
    { 'ratelimit-limit': '2000', 'ratelimit-remaining': '3', 'ratelimit-reset': '20' },
    { 'ratelimit-limit': 'many', 'ratelimit-remaining': '-1' },
  ]
  const date = 'Fri, 01 May 2026 10:00:00 GMT'
  const { get, scarceUntil } = await world((count) => json(200, {}, { date, ...answers[count - 1] }))
  const told: (string | undefined)[] = []
  for (const _ of answers) {
    await get()
    told.push(scarceUntil()?.toISOString().slice(11, 19))
  }
  expect(told).toEqual([undefined, '10:20:01', '10:20:01', '10:20:01', undefined, '10:00:21', '10:00:21'])
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand, settledJob, startServer, type TestServer } from './server.ts'

/** The status table of the API, operation by operation, on the running product. */
let server: TestServer
let neighbour: { adminKey: string; assistantKey: string; projectId: string }
let jobId = ''
let webhookId = ''
let messageId = ''

interface Operation {
  name: string
  method: string
  path: () => string
  kind: 'admin' | 'assistant'
  body?: unknown
  success: number
}

const ask = {
  fp: 'anonymous',
  messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'quickstart' }] }],
}
const job =
  (suffix = '') =>
  (): string =>
    `/v2/agent/${server.welcome.projectId}/job/${jobId}${suffix}`
const webhook =
  (suffix = '') =>
  (): string =>
    `/v2/agent/${server.welcome.projectId}/webhooks/${webhookId}${suffix}`
const receiver = { url: 'https://receiver.invalid/hooks' }
const operations: Operation[] = [
  {
    name: 'create',
    method: 'POST',
    path: () => `/v2/agent/${server.welcome.projectId}/job`,
    kind: 'admin',
    body: { prompt: 'Fix broken links' },
    success: 201,
  },
  { name: 'get', method: 'GET', path: job(), kind: 'admin', success: 200 },
  {
    name: 'message',
    method: 'POST',
    path: job('/message'),
    kind: 'admin',
    body: { prompt: 'Fix broken links' },
    success: 200,
  },
  {
    name: 'list',
    method: 'GET',
    path: () => `/v2/agent/${server.welcome.projectId}/jobs`,
    kind: 'admin',
    success: 200,
  },
  { name: 'events', method: 'GET', path: job('/events'), kind: 'admin', success: 200 },
  { name: 'diff', method: 'GET', path: job('/diff'), kind: 'admin', success: 200 },
  { name: 'cancel', method: 'POST', path: job('/cancel'), kind: 'admin', success: 200 },
  {
    name: 'create webhook',
    method: 'POST',
    path: () => `/v2/agent/${server.welcome.projectId}/webhooks`,
    kind: 'admin',
    body: receiver,
    success: 201,
  },
  {
    name: 'list webhooks',
    method: 'GET',
    path: () => `/v2/agent/${server.welcome.projectId}/webhooks`,
    kind: 'admin',
    success: 200,
  },
  { name: 'test webhook', method: 'POST', path: webhook('/test'), kind: 'admin', success: 202 },
  { name: 'list messages', method: 'GET', path: webhook('/messages'), kind: 'admin', success: 200 },
  {
    name: 'get message',
    method: 'GET',
    path: () => webhook(`/messages/${messageId}`)(),
    kind: 'admin',
    success: 200,
  },
  {
    name: 'resend message',
    method: 'POST',
    path: () => webhook(`/messages/${messageId}/resend`)(),
    kind: 'admin',
    success: 202,
  },
  { name: 'delete webhook', method: 'DELETE', path: webhook(), kind: 'admin', success: 200 },
  {
    name: 'assistant',
    method: 'POST',
    path: () => '/discovery/v2/assistant/docwright/message',
    kind: 'assistant',
    body: ask,
    success: 200,
  },
  {
    name: 'assistant v1',
    method: 'POST',
    path: () => '/discovery/v1/assistant/docwright/message',
    kind: 'assistant',
    body: { fp: 'anonymous', messages: [{ role: 'user', content: 'quickstart' }] },
    success: 200,
  },
  {
    name: 'search',
    method: 'POST',
    path: () => '/discovery/v1/search/docwright',
    kind: 'assistant',
    body: { query: 'quickstart' },
    success: 200,
  },
  {
    name: 'page',
    method: 'POST',
    path: () => '/discovery/v1/page/docwright',
    kind: 'assistant',
    body: { path: '/quickstart' },
    success: 200,
  },
]
const withBody = operations.filter(({ body }) => body !== undefined)

beforeAll(async () => {
  server = await startServer()
  const created = await server.request('POST', `/v2/agent/${server.welcome.projectId}/job`, {
    key: server.welcome.adminKey,
    body: { prompt: 'Fix broken links' },
  })
  jobId = ((await created.json()) as { id: string }).id
  const make = async (path: string, body?: unknown): Promise<string> => {
    const made = await server.request('POST', path, { key: server.welcome.adminKey, body })
    return ((await made.json()) as { id: string }).id
  }
  webhookId = await make(`/v2/agent/${server.welcome.projectId}/webhooks`, receiver)
  messageId = await make(webhook('/test')())
  const command = async (...words: string[]): Promise<Record<string, string>> => {
    const { stdout, stderr } = await runCommand(server.dataFolder, ...words, '--json')
    expect(stderr).toBe('')
    return JSON.parse(stdout) as Record<string, string>
  }
  const organization = await command('organization', 'add', 'Neighbours')
  const project = await command(
    'project',
    'add',
    `${server.dataFolder}/repositories/docwright.git`,
    '--domain',
    'neighbour',
    '--organization',
    organization['id'] ?? '',
    '--no-wait',
  )
  const admin = await command('key', 'create', '--kind', 'admin', '--organization', organization['id'] ?? '')
  const assistant = await command('key', 'create', '--kind', 'assistant', '--project', 'neighbour')
  neighbour = {
    adminKey: admin['key'] ?? '',
    assistantKey: assistant['key'] ?? '',
    projectId: project['id'] ?? '',
  }
})
afterAll(() => server[Symbol.asyncDispose]())

function keyOf(kind: Operation['kind']): string {
  return kind === 'admin' ? server.welcome.adminKey : server.welcome.assistantKey
}

async function expectError(response: Response, status: number): Promise<string> {
  const body = (await response.json()) as Record<string, unknown>
  expect(Object.keys(body), JSON.stringify(body)).toEqual(['error'])
  expect(response.status, String(body['error'])).toBe(status)
  expect(String(body['error'])).toMatch(/\w.* .{8,}/)
  expect(response.headers.get('x-request-id')).toMatch(/^req_/)
  expect(response.headers.get('x-error-code')).not.toBeNull()
  return String(body['error'])
}

describe.each(operations)('$name', ({ method, path, kind, body, success }) => {
  const send = (
    options: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Response> => server.request(method, path(), { body, ...options })

  it(`answers ${success} to its key`, async () => {
    const response = await send({ key: keyOf(kind) })
    expect(response.status).toBe(success)
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
    await response.text()
  })

  it('answers 401 without a key, with a malformed one and with an unknown one', async () => {
    for (const key of [undefined, 'nonsense', `svc_${'x'.repeat(43)}`, `svc_dsc_${'x'.repeat(43)}`]) {
      const response = await send(key === undefined ? {} : { key })
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
      await expectError(response, 401)
    }
  })

  it('answers 403 to a key of the other kind', async () => {
    await expectError(await send({ key: keyOf(kind === 'admin' ? 'assistant' : 'admin') }), 403)
  })

  it('answers a neighbour as if there were nothing', async () => {
    const key = kind === 'admin' ? neighbour.adminKey : neighbour.assistantKey
    const real = await expectError(await send({ key }), 404)
    const nothing = await server.request(method, path().replace(/prj_[\w-]+|docwright(?=$|\/)/, 'nothing'), {
      body,
      key,
    })
    const other = await expectError(nothing, 404)
    expect(real.replace(/"[^"]*"/, '')).toBe(other.replace(/"[^"]*"/, ''))
  })

  it('answers 405 with Allow to another method', async () => {
    const response = await server.request('PUT', path(), { key: keyOf(kind), body: {} })
    expect(response.headers.get('allow')).toContain(method)
    await expectError(response, 405)
  })
})

describe.each(withBody)('the body of $name', ({ method, path, kind, body }) => {
  const send = (text: string, headers: Record<string, string> = {}): Promise<Response> =>
    server.request(method, path(), { key: keyOf(kind), body: text, headers })
  const nested = `${'['.repeat(5000)}${']'.repeat(5000)}`

  it.each([
    ['not JSON', '{"prompt": '],
    ['empty', ' '],
    ['a list', '[]'],
    ['a number', '7'],
    ['null', 'null'],
    ['without its fields', '{}'],
    [
      'with NUL',
      JSON.stringify(body).replace(
        /"(quickstart|\/quickstart|Fix broken links|https:\/\/receiver[^"]*)"/,
        String.raw`"a\u0000b"`,
      ),
    ],
    [
      'with a lone surrogate',
      JSON.stringify(body).replace(
        /"(quickstart|\/quickstart|Fix broken links|https:\/\/receiver[^"]*)"/,
        String.raw`"a\ud800b"`,
      ),
    ],
    ['nested too deeply', JSON.stringify(body).replace(/\}$/, `,"x":${nested}}`)],
  ])('answers 400 when it is %s', async (_case, text) => {
    await expectError(await send(text), 400)
  })

  it('is read whatever its content type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const response = await send(JSON.stringify(body), { 'content-type': type })
      expect(response.status).toBeLessThan(300)
      await response.text()
    }
  })

  it('answers 413 when it is over the limit, told or not', async () => {
    const size = kind === 'admin' ? 1024 * 1024 : 16 * 1024 * 1024
    await expectError(await send(JSON.stringify({ ...(body as object), x: 'x'.repeat(size) })), 413)
  })
})

describe('mistakes of the caller', () => {
  it.each([
    [
      'a host name without an address',
      'POST',
      '/admin/projects',
      { location: 'https://git.invalid/a/b.git' },
    ],
    ['a sign-in provider that is not set up', 'POST', '/admin/session/provider', { provider: 'github' }],
    ['a word for a number', 'GET', '/admin/audit?cursor=x', undefined],
    ['no number of days', 'GET', '/admin/projects/docwright/usage?days=x', undefined],
  ])('%s is 400, in our words', async (_case, method, path, body) => {
    const key = (await readFile(join(server.dataFolder, 'operator-token'), 'utf8')).trim()
    const message = await expectError(await server.request(method, path, { key, body }), 400)
    expect(message).not.toMatch(/expected|received|Invalid input|--\w/)
  })

  it('a body that is no request of git is 400, with git’s words in the log', async () => {
    const response = await fetch(`${server.url}/git/docwright.git/git-upload-pack`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`git:${server.welcome.adminKey}`)}` },
      body: 'garbage',
    })
    await expectError(response, 400)
    await expect.poll(() => server.output()).toContain('bad line length')
  })
})

describe('prompts and queries', () => {
  const create = (value: unknown): Promise<Response> =>
    server.request('POST', `/v2/agent/${server.welcome.projectId}/job`, {
      key: server.welcome.adminKey,
      body: value,
    })

  it.each([
    { prompt: '' },
    { prompt: 7 },
    { prompt: 'x'.repeat(100_001) },
    { prompt: 'x', base: '' },
    { prompt: 'x', draft: 'yes' },
    { prompt: 'x', model: 'nobody:knows' },
    { prompt: 'x', base: '--upload-pack=touch' },
  ])('answers 400 to a job %#', async (value) => {
    await expectError(await create(value), 400)
  })

  it('ignores unknown fields', async () => {
    expect((await create({ prompt: 'Fix broken links', colour: 'green' })).status).toBe(201)
  })

  it.each(['?limit=0', '?limit=101', '?limit=x', '?status=lost', '?cursor=../x'])(
    'answers 400 to a list with %s',
    async (query) => {
      const path = `/v2/agent/${server.welcome.projectId}/jobs${query}`
      await expectError(await server.request('GET', path, { key: server.welcome.adminKey }), 400)
    },
  )

  it.each([
    { fp: '' },
    { messages: [] },
    { messages: 'x' },
    { messages: [{ role: 'robot', parts: [] }] },
    { currentPath: 'x'.repeat(201) },
    { retrievalPageSize: 0 },
    { retrievalPageSize: 'many' },
    { context: [{ type: 'picture', value: 'x' }] },
    { context: [{ type: 'code' }] },
  ])('answers 400 to a question with %j', async (change) => {
    const body = { ...ask, ...change }
    await expectError(
      await server.request('POST', '/discovery/v2/assistant/docwright/message', {
        key: server.welcome.assistantKey,
        body,
      }),
      400,
    )
  })

  it.each(['/../../etc/passwd', '..%2f..%2fetc/passwd', '/no-such-page', 'quickstart/../../x'])(
    'answers 404 to the page %s',
    async (path) => {
      await expectError(
        await server.request('POST', '/discovery/v1/page/docwright', {
          key: server.welcome.assistantKey,
          body: { path },
        }),
        404,
      )
    },
  )
})

describe('jobs', () => {
  it('shows the published fields first and in order, in every response', async () => {
    const fields = ['id', 'status', 'source', 'model', 'prLink', 'createdAt', 'archivedAt']
    for (const { method, path, body } of operations.filter(({ name }) =>
      ['create', 'get', 'message', 'cancel'].includes(name),
    )) {
      const shown = (await (
        await server.request(method, path(), { key: server.welcome.adminKey, body })
      ).json()) as object
      expect(Object.keys(shown).slice(0, 7)).toEqual(fields)
      expect(Object.keys(shown)).not.toContain('error')
    }
  })

  it('answers 404 for a job of another project of the same name space, and odd ids', async () => {
    for (const id of ['job_nothing', '%00', '..', encodeURIComponent('a/b')])
      await expectError(
        await server.request('GET', `/v2/agent/${server.welcome.projectId}/job/${id}`, {
          key: server.welcome.adminKey,
        }),
        404,
      )
  })

  it('answers 304 to the entity tag that it gave', async () => {
    await settledJob(server, job()(), server.welcome.adminKey)
    const first = await server.request('GET', job()(), { key: server.welcome.adminKey })
    await first.text()
    const tag = first.headers.get('etag') ?? ''
    const second = await server.request('GET', job()(), {
      key: server.welcome.adminKey,
      headers: { 'if-none-match': tag },
    })
    expect(second.status).toBe(304)
  })

  it('refuses a follow-up to an archived job and archives again without change', async () => {
    const archive = (): Promise<Response> =>
      server.request('POST', job('/archive')(), { key: server.welcome.adminKey })
    const one = (await (await archive()).json()) as { status: string; archivedAt: string }
    const two = (await (await archive()).json()) as { status: string; archivedAt: string }
    expect(one.status).toBe('archived')
    expect(two).toEqual(one)
    await expectError(
      await server.request('POST', job('/message')(), {
        key: server.welcome.adminKey,
        body: { prompt: 'x' },
      }),
      400,
    )
  })
})

describe('browsers', () => {
  it('answers preflights and puts CORS headers on answers and refusals of the assistant alone', async () => {
    const preflight = await fetch(`${server.url}/discovery/v2/assistant/docwright/message`, {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
    const refused = await server.request('POST', '/discovery/v1/search/docwright', { body: {} })
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(refused.headers.get('access-control-expose-headers')).toContain('X-Thread-Id')
    await expectError(refused, 401)
    const agent = await server.request('GET', job()(), { key: server.welcome.adminKey })
    expect(agent.headers.get('access-control-allow-origin')).toBeNull()
    await agent.text()
  })

  it('serves a key with origins to those origins alone, and to clients that are no browsers', async () => {
    const { stdout } = await runCommand(
      server.dataFolder,
      'key',
      'create',
      '--kind',
      'assistant',
      '--project',
      'docwright',
      '--origin',
      'https://docs.example.com',
      '--json',
    )
    const { key, id } = JSON.parse(stdout) as { key: string; id: string }
    const search = (headers: Record<string, string>): Promise<Response> =>
      server.request('POST', '/discovery/v1/search/docwright', { key, body: { query: 'x' }, headers })
    expect((await search({ origin: 'https://docs.example.com' })).status).toBe(200)
    expect((await search({})).status).toBe(200)
    for (const origin of [
      'https://evil.example',
      'https://docs.example.com.evil.example',
      'http://docs.example.com',
      'null',
    ])
      await expectError(await search({ origin }), 403)
    expect((await runCommand(server.dataFolder, 'key', 'revoke', id)).code).toBe(0)
    await expectError(await search({}), 401)
  })
})

it('has its OpenAPI document in the repository as it is served', async () => {
  const served = (await (await server.request('GET', '/openapi.json')).json()) as {
    openapi: string
    info: { version: string }
  }
  expect(served).toMatchObject({ openapi: '3.1.0', info: { version: '2.0.0' } })
  // The cookie is named by the port, so that servers on one host do not sign each other out.
  const text = JSON.stringify(served, null, 2).replace(
    `docwright_${new URL(server.url).port}_session`,
    'docwright_session',
  )
  await expect(`${text}\n`).toMatchFileSnapshot('../openapi.json')
})

it('tells Prometheus about requests and jobs, for the operator alone', async () => {
  await expectError(await server.request('GET', '/metrics', { key: server.welcome.adminKey }), 401)
  const key = await readFile(join(server.dataFolder, 'operator-token'), 'utf8')
  const read = async () => (await server.request('GET', '/metrics', { key })).text()
  // A busy machine gives its sign of life late.
  await expect.poll(read).toContain('docwright_processes{kind="serve"} 1')
  const text = await read()
  expect(text).toContain('route="/v2/agent/:projectId/job"')
  expect(text).toMatch(/docwright_jobs\{status="\w+"\} \d/)
  expect(text).toContain('docwright_queue_waiting{queue="sync"} ')
  expect(text).toMatch(/docwright_index_oldest_seconds \d/)
})

it('answers an unknown route with the error body', async () => {
  await expectError(await server.request('GET', '/v2/nothing'), 404)
  await expectError(await server.request('POST', '/v2/agent/%E0%A4%A/job', { body: {} }), 401)
})

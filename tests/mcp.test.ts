import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type ClientOptions,
} from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { anthropicCounts, anthropicStrict, gemini, openaiStrict } from './schema-subsets.ts'
import { startServer, type TestServer } from './server.ts'
import { createPreparedDatabase } from './prepared-stores.ts'

/** Two processes on one database. Each request of a client goes to the other one. */
let servers: TestServer[] = []
let first: TestServer
let operatorToken: string
let neighbourKey: string

beforeAll(async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'docwright-mcp-'))
  const environment = { DATABASE_URL: await createPreparedDatabase() }
  first = await startServer({ dataFolder, environment })
  servers = [first, await startServer({ dataFolder, environment })]
  operatorToken = (await readFile(join(dataFolder, 'operator-token'), 'utf8')).trim()
  const { id } = z
    .object({ id: z.string() })
    .parse(await operate('POST', '/admin/organizations', { name: 'Neighbour' }))
  neighbourKey = await makeKey({ kind: 'admin', organization: id })
})
afterAll(() => Promise.all(servers.map((server) => server[Symbol.asyncDispose]())))

const current: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } }
const previous: ClientOptions = { versionNegotiation: { mode: 'legacy' } }

async function connect(path: string, key?: string, options: ClientOptions = current): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options)
  let turn = 0
  const transport = new StreamableHTTPClientTransport(new URL(path, first.url), {
    requestInit: { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } },
    fetch: (url, init) => {
      const { pathname } = new URL(url)
      return fetch(new URL(pathname, servers[turn++ % servers.length]?.url), init)
    },
  })
  await client.connect(transport)
  return client
}

async function call<T>(
  client: Client,
  name: string,
  input: Record<string, unknown>,
  schema: z.ZodType<T>,
): Promise<T> {
  const result = await client.callTool({ name, arguments: input })
  expect([name, result.isError, textOf(result)]).toEqual([name, undefined, expect.any(String)])
  return schema.parse(result.structuredContent)
}

function textOf({ content }: Pick<CallToolResult, 'content'>): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
}

async function setVisibility(visibility: string): Promise<void> {
  await operate('PATCH', '/admin/projects/docwright/settings', { visibility })
}

async function operate(method: string, path: string, body: unknown): Promise<unknown> {
  const response = await first.request(method, path, { key: operatorToken, body })
  expect(response.ok).toBe(true)
  return response.json()
}

async function makeKey(body: object): Promise<string> {
  return z.object({ key: z.string() }).parse(await operate('POST', '/admin/keys', body)).key
}

const found = z.object({
  results: z.array(z.object({ url: z.string(), path: z.string(), content: z.string() })),
})
const readPage = z.object({
  url: z.string(),
  path: z.string(),
  content: z.string(),
  next: z.number().nullable(),
  sections: z.array(z.object({ heading: z.string(), url: z.string().nullable() })),
})
const listed = z.object({
  pages: z.array(z.object({ url: z.string(), group: z.string().nullable() })),
  total: z.number(),
  nextCursor: z.string().nullable(),
})
const job = z.object({
  id: z.string(),
  status: z.string(),
  outcome: z.string().nullable(),
  pullRequest: z.string().nullable(),
})

describe('the tools of a documentation', () => {
  beforeAll(() => setVisibility('public'))

  it.each([
    ['2026-07-28', current],
    ['2025-11-25', previous],
  ])('work in revision %s, without a key, whichever process answers', async (revision, options) => {
    const client = await connect('/mcp/docwright', undefined, options)
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    expect(client.getInstructions()).toContain('Search the documentation of docwright')
    const { tools } = await client.listTools()
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['search', true],
      ['read_page', true],
      ['feedback', false],
      ['list_pages', true],
    ])

    const { results } = await call(client, 'search', { query: 'revoke a key', limit: 3 }, found)
    expect(results).toHaveLength(3)
    const [best] = results
    expect(best?.url).toMatch(/^http.*\/docs\/docwright\/.*keys/)
    expect(best?.content.toLowerCase()).toContain('revoke')
    const asked = await client.callTool({ name: 'search', arguments: { query: 'revoke a key', limit: 3 } })
    expect(asked.content).toHaveLength(3)
    // Without DOCWRIGHT_PUBLIC_URL each process gives its own address.
    const { pathname } = new URL(best?.url ?? '')
    expect(textOf(asked)).toContain(pathname)

    expect(best?.path).toMatch(/^[a-z-]+(?:\/[a-z-]+)*$/)
    expect(asked.content.at(0)).toMatchObject({
      text: expect.stringMatching(
        `^Title: [^\\n]+\\nLink: http[^\\n]+/docs/docwright/${best?.path}(?:#[^\\n]*)?\\nPage: ${best?.path}\\nContent: `,
      ),
    })

    for (const path of [best?.path ?? '', pathname, '/guides/manage-keys', 'guides/manage-keys.md'])
      expect((await call(client, 'read_page', { path }, readPage)).content).toMatch(/^# /)
    const page = await call(client, 'read_page', { path: '/api/search' }, readPage)
    expect(page.content).toMatch(/\]\(http:\/\/\S+\/docs\/docwright\/api\/page\)/)

    const url = `${pathname}${new URL(best?.url ?? '').hash}`
    const first = await call(client, 'read_page', { url, length: 500 }, readPage)
    expect(first.url.endsWith(url)).toBe(true)
    expect(first.content).toMatch(/^#+ .* \{#[\w-]+\}/)
    const rests: string[] = [first.content]
    for (let { next } = first; next !== null;) {
      const more = await call(client, 'read_page', { url, from: next, length: 500 }, readPage)
      rests.push(more.content)
      next = more.next
    }
    expect(rests.join('\n').toLowerCase()).toContain('revoke')
    const [other] = first.sections.filter(({ url }) => url !== null)
    const { pathname: place, hash } = new URL(other?.url ?? '')
    const rest = await call(client, 'read_page', { url: `${place}${hash}` }, readPage)
    expect(rest.content).toContain(other?.heading)

    const start = await call(client, 'list_pages', { limit: 2 }, listed)
    expect(start.pages.map(({ group }) => group)).toEqual(['Get started', 'Get started'])
    const others = await call(client, 'list_pages', { limit: 200, cursor: start.nextCursor }, listed)
    expect(start.pages.length + others.pages.length).toBe(start.total)
    const guides = await call(client, 'list_pages', { folder: 'guides' }, listed)
    expect(guides.pages.every(({ url }) => url.includes('/guides/'))).toBe(true)
    await client.close()
  })

  it('say in words what is wrong', async () => {
    const client = await connect('/mcp/docwright')
    for (const [name, input, problem] of [
      ['search', { query: '' }, /query/],
      ['search', { query: 'x', limit: 1000 }, /limit/],
      ['search', { query: 'a\0b' }, /query|NUL/],
      ['read_page', { path: '/none' }, /^not_found: There is no page/],
      ['read_page', { path: '../../etc/passwd' }, /^not_found/],
      ['list_pages', { cursor: 'x' }, /cursor/],
    ] as const) {
      const result = await client.callTool({ name, arguments: input }).catch((error: unknown) => ({
        isError: true,
        content: [{ type: 'text' as const, text: String(error) }],
      }))
      expect([name, input, result.isError]).toEqual([name, input, true])
      expect(textOf(result)).toMatch(problem)
    }
    const none = await call(client, 'search', { query: 'xyzzyqwv' }, found)
    expect(none.results).toEqual([])
  })

  it('are for those who may read the pages', async () => {
    const { adminKey, assistantKey } = first.welcome
    const ask = async (domain: string, key?: string, headers = {}): Promise<Response> =>
      first.request('POST', `/mcp/${domain}`, {
        ...(key !== undefined && { key }),
        headers: { accept: 'application/json, text/event-stream', ...headers },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      })
    const statuses = async (): Promise<number[]> => {
      const answers: number[] = []
      for (const key of [undefined, `svc_${'0'.repeat(43)}`, neighbourKey, assistantKey, adminKey])
        answers.push((await ask('docwright', key)).status)
      return answers
    }
    expect(await statuses()).toEqual([200, 200, 200, 200, 200])
    await setVisibility('key')
    expect(await statuses()).toEqual([401, 401, 404, 200, 200])
    const refused = await ask('docwright')
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer .*resource_metadata="/)
    const withoutIds = async (response: Response) => (await response.text()).replaceAll('docwright', 'X')
    for (const key of [undefined, `svc_${'0'.repeat(43)}`, neighbourKey]) {
      const [there, absent] = [await ask('docwright', key), await ask('nodomain', key)]
      expect(there.status).toBe(absent.status)
      expect(await withoutIds(there)).toBe((await absent.text()).replaceAll('nodomain', 'X'))
      const card = (domain: string) =>
        first.request('GET', `/mcp/${domain}/server-card`, key === undefined ? {} : { key })
      expect((await card('docwright')).status).toBe((await card('nodomain')).status)
    }
    expect(await (await first.request('GET', '/.well-known/mcp/catalog.json')).text()).not.toContain(
      'mcp/docwright',
    )
    expect(await (await first.request('GET', '/llms.txt')).text()).not.toContain('docwright')
    await setVisibility('signed-in')
    expect(await statuses()).toEqual([401, 401, 404, 404, 200])
    await setVisibility('public')
    expect(await (await first.request('GET', '/llms.txt')).text()).toContain('/docs/docwright/llms.txt')
  })

  it('are closed to web pages of others without a key, and open to those that a key lists', async () => {
    const ask = async (origin: string, key?: string): Promise<Response> =>
      first.request('POST', '/mcp/docwright', {
        ...(key !== undefined && { key }),
        headers: { accept: 'application/json, text/event-stream', origin },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      })
    for (const [origin, status] of [
      ['https://evil.example', 403],
      ['null', 403],
      [first.url, 200],
      ['http://localhost:6274', 200],
    ] as const)
      expect([origin, (await ask(origin)).status]).toEqual([origin, status])
    expect((await ask('https://evil.example', first.welcome.assistantKey)).status).toBe(200)
    const limited = { kind: 'assistant', project: 'docwright', origins: ['https://docs.example.com'] }
    const secret = await makeKey(limited)
    expect((await ask('https://docs.example.com', secret)).status).toBe(200)
    expect((await ask('https://evil.example', secret)).status).toBe(403)
    const preflight = await first.request('OPTIONS', '/mcp/docwright', {
      headers: { origin: 'https://docs.example.com', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version')
  })

  const search = { name: 'search', arguments: { query: 'revoke a key', limit: 1 } }

  it.each([
    ['anything', { accept: '*/*' }],
    ['JSON', { accept: 'application/json' }],
    ['nothing', { accept: '' }],
    ['what a form sends', { 'content-type': 'application/x-www-form-urlencoded' }],
  ])('answer clients that accept %s with JSON, without a session before', async (_, headers) => {
    for (const path of ['/mcp/docwright', '/mcp/docwright/'])
      for (const [method, params] of [
        [
          'initialize',
          { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
        ],
        ['tools/list', {}],
        ['tools/call', search],
        // As clients of hosted documentation call it.
        ['tools/call', { ...search, name: 'search_docwright' }],
      ] as const) {
        const body = { jsonrpc: '2.0', id: 7, method, params }
        const response = await first.request('POST', path, { body: JSON.stringify(body), headers })
        expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
        expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 7, result: expect.any(Object) })
      }
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const taken = await first.request('POST', '/mcp/docwright', {
      body: JSON.stringify(notification),
      headers,
    })
    expect([taken.status, await taken.text()]).toEqual([202, ''])
  })

  it('answer clients that read event streams with one', async () => {
    const response = await first.request('POST', '/mcp/docwright/', {
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: search },
    })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data:'))
    expect(lines.map((line): unknown => JSON.parse(line.slice(5)))).toEqual([
      { jsonrpc: '2.0', id: 1, result: expect.any(Object) },
    ])
  })

  it('are found in the forms that others use', async () => {
    const read = async (path: string): Promise<unknown> => (await first.request('GET', path)).json()
    const docs = {
      name: 'docwright',
      url: `${first.url}/mcp/docwright`,
      transport: 'http',
      authentication: 'none',
    }
    const jobs = {
      name: 'docwright.jobs',
      url: `${first.url}/mcp`,
      transport: 'http',
      authentication: 'bearer',
    }
    for (const path of ['/.well-known/mcp.json', '/.well-known/mcp'])
      expect(await read(path)).toEqual({
        version: expect.any(String),
        transport: 'http',
        url: docs.url,
        servers: [docs, jobs],
      })
    const cards = [await read('/mcp/docwright/server-card'), await read('/mcp/server-card')]
    expect(await read('/.well-known/mcp/server-cards.json')).toEqual(cards)
    expect(await read('/.well-known/mcp/server-card.json')).toEqual(cards[0])
  })

  it.each([
    ['2026-07-28', current],
    ['2025-11-25', previous],
  ])('offer the pages as resources in revision %s, at addresses that end in /mcp too', async (_, options) => {
    for (const path of ['/mcp/docwright/mcp', '/docs/docwright/mcp']) {
      const client = await connect(path, undefined, options)
      const { resources } = await client.listResources()
      expect(resources[0]).toEqual({
        uri: 'docs://docwright/index',
        name: 'index',
        title: 'Introduction',
        description: expect.any(String),
        mimeType: 'text/markdown',
      })
      const { resourceTemplates } = await client.listResourceTemplates()
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['docs://docwright/{+path}'])
      const { contents } = await client.readResource({ uri: 'docs://docwright/guides/manage-keys' })
      expect(contents).toEqual([
        {
          uri: 'docs://docwright/guides/manage-keys',
          mimeType: 'text/markdown',
          text: expect.stringMatching(/^# Manage keys/),
        },
      ])
      for (const uri of [
        'docs://docwright/none',
        'docs://docwright/../x',
        'file:///etc/passwd',
        'docs://other/index',
      ])
        await expect(client.readResource({ uri })).rejects.toThrow(/not found/i)
      await expect(client.listResources({ cursor: 'x' })).rejects.toThrow('nextCursor')
      await client.close()
    }
  })

  it('say in the form of the protocol what is wrong with a key', async () => {
    const message = { jsonrpc: '2.0', id: 'a1', method: 'tools/list', params: {} }
    const refused = await first.request('POST', '/mcp', { key: 'svc_wrong', body: message })
    expect([refused.status, await refused.json()]).toEqual([
      401,
      {
        jsonrpc: '2.0',
        id: 'a1',
        error: { code: -32_000, message: expect.stringContaining('mistyped, revoked, or expired') },
      },
    ])
    const wrong = { requestInit: { headers: { authorization: 'Bearer svc_wrong' } } }
    const client = new Client({ name: 'test', version: '1' }, previous)
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', first.url), wrong)
    await expect(client.connect(transport)).rejects.toThrow('mistyped, revoked, or expired')
  })

  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['an empty batch', '[]'],
    ['a number', '7'],
    ['null', 'null'],
    ['no method', '{"jsonrpc":"2.0","id":1}'],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}'],
    ['a batch of nonsense', '[1, null, {}, [], "x"]'],
    [
      'too many messages',
      JSON.stringify(Array.from({ length: 21 }, () => ({ jsonrpc: '2.0', id: 1, method: 'ping' }))),
    ],
    ['a deep body', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    [
      'a subscription',
      '{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{}}}',
    ],
    ['a prototype', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__"}}'],
  ])('answer a body that is %s', async (_name, body) => {
    const response = await first.request('POST', '/mcp/docwright', {
      headers: { accept: 'application/json, text/event-stream' },
      body,
    })
    expect(response.status).toBeLessThan(500)
    const text = await response.text()
    expect(text === '' || /"error"|"isError":true/.test(text)).toBe(true)
  })

  it('take a batch of an older client, and JSON of any type', async () => {
    const post = (body: unknown, headers = {}) =>
      first.request('POST', '/mcp/docwright', {
        headers: { accept: 'application/json, text/event-stream', ...headers },
        body,
      })
    const search = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'search', arguments: { query: 'keys' } },
    })
    const both = await post([search(1), search(2)], { 'mcp-protocol-version': '2025-03-26' })
    expect(both.status).toBe(200)
    expect((await both.text()).match(/"structuredContent"/g)).toHaveLength(2)
    expect((await post(search(1), { 'content-type': 'text/plain' })).status).toBe(200)
    expect((await first.request('GET', '/mcp/docwright')).status).toBe(405)
    expect(
      (await post({ jsonrpc: '2.0', id: 1, method: 'x', params: { a: 'x'.repeat(2 ** 20) } })).status,
    ).toBe(413)
  })

  it('count what agents search, read and think apart from people', async () => {
    const client = await connect('/mcp/docwright', undefined, previous)
    await call(client, 'search', { query: 'rotate keys' }, found)
    await call(client, 'read_page', { path: '/quickstart' }, readPage)
    await call(
      client,
      'feedback',
      { rating: 'down', path: '/quickstart', note: 'The port is missing.' },
      z.object({ recorded: z.literal(true) }),
    )
    const metrics = await first.request('GET', '/metrics', { key: operatorToken })
    expect(await metrics.text()).toMatch(/docwright_pages_read_total\{as="mcp"\} [1-9]/)
    const insights = z.object({
      totals: z.object({ callers: z.object({ mcp: z.object({ searches: z.number() }) }) }),
      agentFeedback: z.array(z.unknown()),
    })
    await vi.waitFor(
      async () => {
        const response = await first.request('GET', `/v2/insights/${first.welcome.projectId}`, {
          key: operatorToken,
        })
        const read = insights.parse(await response.json())
        expect(read.totals.callers.mcp.searches).toBeGreaterThan(0)
        expect(read.agentFeedback).toMatchObject([
          { path: 'quickstart.mdx', query: null, rating: 'down', note: 'The port is missing.' },
        ])
      },
      { timeout: 120_000 },
    )
  })
})

describe('the tools for jobs', () => {
  it.each([
    ['2026-07-28', current],
    ['2025-11-25', previous],
  ])('take a job from its prompt to its diff in revision %s', async (_revision, options) => {
    const client = await connect('/mcp', first.welcome.adminKey, options)
    const { projects } = await call(
      client,
      'list_projects',
      {},
      z.object({ projects: z.array(z.object({ id: z.string(), domain: z.string() })) }),
    )
    expect(projects.map(({ domain }) => domain)).toContain('docwright')
    const input = {
      project: 'docwright',
      prompt: `Add a note to the quickstart page: "Revision ${_revision} was here."`,
      idempotencyKey: `key-${_revision}`,
    }
    const created = await call(client, 'create_job', input, job)
    expect((await call(client, 'create_job', input, job)).id).toBe(created.id)
    const one = { project: projects[0]?.id, job: created.id }
    const followed = z.object({
      job,
      events: z.array(z.object({ id: z.number(), type: z.string() })),
      last: z.number(),
    })
    let after = 0
    const types: string[] = []
    for (let status = 'active'; status === 'active';) {
      const news = await call(client, 'follow_job', { ...one, after, wait: 20 }, followed)
      types.push(...news.events.map(({ type }) => type))
      after = news.last
      status = news.job.status
    }
    expect(types).toContain('turn.completed')
    const done = await call(client, 'get_job', one, job)
    expect(done).toMatchObject({ status: 'completed', outcome: 'changed', pullRequest: expect.any(String) })
    const diff = z.object({ diff: z.string(), nextOffset: z.null() })
    expect((await call(client, 'get_diff', one, diff)).diff).toContain(`+`)
    expect((await call(client, 'send_message', { ...one, prompt: 'What can you do?' }, job)).status).toBe(
      'active',
    )
    await call(client, 'cancel_job', one, job)
    const jobs = await call(client, 'list_jobs', { project: 'docwright' }, z.object({ jobs: z.array(job) }))
    expect(jobs.jobs.map(({ id }) => id)).toContain(created.id)
    await client.close()
  })

  it('show a key nothing of others, and nothing to other keys', async () => {
    const client = await connect('/mcp', neighbourKey)
    const projects = await client.callTool({ name: 'list_projects', arguments: {} })
    expect(projects.structuredContent).toEqual({ projects: [] })
    for (const project of ['docwright', first.welcome.projectId, 'nodomain', '__proto__']) {
      const result = await client.callTool({ name: 'list_jobs', arguments: { project } })
      expect(textOf(result)).toBe(
        `not_found: Project "${project}" not found for this key. Check the project ID or domain`,
      )
    }
    const ask = async (key?: string, origin?: string): Promise<number> => {
      const response = await first.request('POST', '/mcp', {
        ...(key !== undefined && { key }),
        headers: {
          accept: 'application/json, text/event-stream',
          ...(origin !== undefined && { origin }),
        },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      })
      return response.status
    }
    const { adminKey, assistantKey } = first.welcome
    expect([await ask(), await ask('svc_wrong'), await ask(assistantKey), await ask(adminKey)]).toEqual([
      401, 401, 403, 200,
    ])
    expect(await ask(adminKey, 'https://evil.example')).toBe(403)
  })

  it('need the scope of what they do', async () => {
    const client = await connect('/mcp', await makeKey({ kind: 'admin', scopes: ['jobs:read'] }))
    await call(client, 'list_jobs', { project: 'docwright' }, z.object({ jobs: z.array(job) }))
    const refused = await client.callTool({
      name: 'create_job',
      arguments: { project: 'docwright', prompt: 'Fix broken links' },
    })
    expect(textOf(refused)).toContain('jobs:write')
  })
})

describe('all tools', () => {
  const clients = async (): Promise<Client[]> => {
    await setVisibility('public')
    return [await connect('/mcp/docwright'), await connect('/mcp', first.welcome.adminKey)]
  }

  it('describe their input in what OpenAI, Anthropic and Gemini read', async () => {
    for (const client of await clients()) {
      const { tools } = await client.listTools()
      for (const { name, inputSchema, outputSchema } of tools)
        for (const [provider, subset] of Object.entries({ openaiStrict, anthropicStrict, gemini }))
          expect([name, provider, subset(inputSchema), subset(outputSchema)]).toEqual([
            name,
            provider,
            [],
            [],
          ])
      const counts = tools.map(({ inputSchema }) => anthropicCounts(inputSchema))
      expect(counts.reduce((sum, { optional }) => sum + optional, 0)).toBeLessThanOrEqual(24)
      expect(counts.reduce((sum, { unions }) => sum + unions, 0)).toBeLessThanOrEqual(16)
      await client.close()
    }
  })

  it.each([
    ['null', null],
    ['empty text', ''],
  ])('take %s for what is not given', async (_, empty) => {
    const [docs, jobs] = await clients()
    const { id } = await call(
      jobs ?? expect.unreachable(),
      'create_job',
      { project: 'docwright', prompt: 'What can you do?' },
      job,
    )
    const given: Record<string, object> = {
      search: { query: 'revoke a key' },
      read_page: { path: 'quickstart' },
      feedback: { rating: 'up', path: 'quickstart' },
      create_job: { project: 'docwright', prompt: 'What can you do?' },
      list_jobs: { project: 'docwright' },
      send_message: { project: 'docwright', job: id, prompt: 'And what not?' },
      follow_job: { project: 'docwright', job: id },
      get_job: { project: 'docwright', job: id },
      get_diff: { project: 'docwright', job: id },
      cancel_job: { project: 'docwright', job: id },
      get_impact: { project: 'docwright', change: 'main' },
    }
    const object = z.object({
      properties: z.record(z.string(), z.unknown()),
      required: z.array(z.string()).default([]),
    })
    for (const client of [docs, jobs]) {
      for (const { name, inputSchema } of (await client?.listTools())?.tools ?? []) {
        const { properties, required } = object.parse(inputSchema)
        const absent = Object.keys(properties).filter((key) => !required.includes(key))
        const input = { ...Object.fromEntries(absent.map((key) => [key, empty])), ...given[name] }
        const result = await client?.callTool({ name, arguments: input })
        expect([name, result?.isError, result && textOf(result)]).toEqual([
          name,
          undefined,
          expect.any(String),
        ])
      }
      await client?.close()
    }
    const client = await connect('/mcp/docwright')
    const filter = { version: empty, language: empty, tag: empty, groups: empty === '' ? null : empty }
    await call(client, 'search', { query: 'revoke a key', limit: empty, filter }, found)
    await client.close()
  })
})

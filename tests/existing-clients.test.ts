import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { readProject, runCommand, startServer, type TestServer } from './server.ts'

/**
 * Calls of clients that were written for a hosted service with this interface, each with the way in which it reads the
 * answer. Nothing but the base address, the domain and the key is other than in theirs.
 */
const domain = 'docs.example.com'
let server: TestServer
let key: string
let operator: string

beforeAll(async () => {
  server = await startServer()
  operator = (await readFile(join(server.dataFolder, 'operator-token'), 'utf8')).trim()
  const location = join(server.dataFolder, 'repositories', 'docwright.git')
  const words = [
    'project',
    'add',
    location,
    '--domain',
    domain,
    '--visibility',
    'public',
    '--no-wait',
    '--json',
  ]
  const { code, stderr } = await runCommand(server.dataFolder, ...words)
  expect([code, stderr]).toEqual([0, ''])
  const made = await server.request('POST', '/admin/keys', {
    key: operator,
    body: { kind: 'assistant', project: domain },
  })
  key = z.object({ key: z.string() }).parse(await made.json()).key
  await vi.waitFor(async () => expect((await readProject(server, domain)).sync.state).toBe('ready'), {
    timeout: 300_000,
    interval: 500,
  })
})
afterAll(() => server?.[Symbol.asyncDispose]())

const question = 'How do I revoke a key?'

/** A request as programs make it: no more headers than these. */
async function call(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

const textOnly = (id: string, text = question) => ({ id, role: 'user', parts: [{ type: 'text', text }] })
const withContent = (id: string, text = question) => ({ ...textOnly(id, text), content: text })

describe('the assistant for AI SDK 4', () => {
  it.each([
    [
      'a page',
      `/v1/assistant/${domain}/message`,
      { messages: [withContent('user-1732686000-x1')] },
      { Origin: 'https://app.example.com' },
    ],
    ['a proxy', `/discovery/v1/assistant/${domain}/message`, { messages: [withContent('msg-0')] }, {}],
    [
      'a chat bot',
      `/api/discovery/v1/assistant/${domain}/message`,
      { messages: [withContent('msg-1')], slackAgent: true },
      { 'User-Agent': 'Chat-Bot/1.0' },
    ],
    [
      'a script',
      `/v1/assistant/${domain}/message`,
      { messages: [withContent('msg-1')], retrievalPageSize: 8 },
      { 'User-Agent': 'curl/8.5.0' },
    ],
    [
      'a form of the description',
      `/discovery/v1/assistant/${domain}/message`,
      { messages: [withContent('foobar')], threadId: null, filter: null },
      { Accept: 'application/json' },
    ],
    [
      'a client with content alone',
      `//discovery/v1/assistant/${domain}/message/`,
      { messages: [{ role: 'user', content: question }] },
      {},
    ],
  ])('answers %s', async (_, path, body, headers) => {
    const response = await call(path, { fp: 'anonymous', ...body }, headers)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-thread-key')).toMatch(/^[0-9a-f]{64}$/)
    let text = ''
    const links: string[] = []
    for (const line of (await response.text()).split('\n')) {
      if (line.startsWith('0:')) text += z.string().parse(JSON.parse(line.slice(2)))
      if (line.startsWith('a:'))
        for (const { url, path: page } of toolResult.parse(JSON.parse(line.slice(2))).result.results)
          links.push(url ?? page ?? '')
    }
    expect(text).toContain('revoke')
    expect(links[0]).toContain('manage-keys')
  })
})

const toolResult = z.object({
  result: z.object({
    results: z.array(z.object({ url: z.string().optional(), path: z.string().optional() })),
  }),
})

/** What clients read of a stream of events, line by line, skipping what they do not know. */
interface Read {
  text: string
  threadId: unknown
  sources: unknown[]
  paths: string[]
}

function readEvents(raw: string): Read {
  const read: Read = { text: '', threadId: undefined, sources: [], paths: [] }
  for (const line of raw.split('\n')) {
    const payload = line.trim().replace(/^data: ?/, '')
    if (!line.startsWith('data:') || payload === '[DONE]') continue
    const event = z.record(z.string(), z.unknown()).parse(JSON.parse(payload))
    if (event['type'] === 'text-delta') read.text += String(event['delta'])
    if (event['type'] === 'source-url') read.sources.push(event['url'])
    if (event['type'] === 'finish') read.threadId = event['threadId']
    if (event['type'] === 'tool-output-available')
      read.paths.push(...toolOutput.parse(event['output']).results.map(({ path }) => path))
  }
  return read
}
const toolOutput = z.object({ results: z.array(z.object({ path: z.string() })) })

describe('the assistant for AI SDK 5 and later', () => {
  it.each([
    [
      'Python with numbers of seconds',
      { messages: [textOnly('1732686000')], retrievalPageSize: 5 },
      { 'User-Agent': 'python-requests/2.32.3', Accept: '*/*' },
    ],
    [
      'Python with hexadecimal ids',
      { messages: [textOnly('a3f09be27c5d4e18')], filter: { version: 'V3' } },
      { 'User-Agent': 'python-httpx/0.28.1' },
    ],
    [
      'a workflow with UUIDs',
      { messages: [textOnly('1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed')], filter: { language: 'en' } },
      { Accept: 'application/json' },
    ],
    [
      'curl, as the description says',
      {
        messages: [textOnly('foobar')],
        threadId: null,
        filter: null,
        context: [{ type: 'code', value: 'x', path: 'a', elementId: 'b' }],
      },
      { 'User-Agent': 'curl/8.5.0' },
    ],
    ['an evaluation', { messages: [textOnly('1')], threadKey: 'any' }, {}],
    ['a client with content beside parts', { messages: [withContent('msg_1')] }, {}],
  ])('answers %s, and names the thread at the end', async (_, body, headers) => {
    const path = `/discovery/v2/assistant/${domain}/message`
    const response = await call(path, { fp: 'anonymous', ...body }, headers)
    expect(response.status).toBe(200)
    const { text, threadId, sources, paths } = readEvents(await response.text())
    expect(text).toContain('revoke')
    expect(sources[0]).toContain(`/docs/${domain}/guides/manage-keys`)
    expect(paths[0]).toContain('manage-keys')
    expect(threadId).toBe(response.headers.get('x-thread-id'))
    // It goes on with what it got, sending the new message alone.
    const later = await call(path, {
      fp: 'anonymous',
      threadId,
      messages: [textOnly('2', 'And how do I rotate it?')],
    })
    expect(readEvents(await later.text()).threadId).toBe(threadId)
    expect(later.headers.has('x-thread-key')).toBe(false)
  })

  it('answers a page that reads the stream itself, which takes the thread from the header', async () => {
    const headers = { Origin: 'https://docs.example.com' }
    const path = `/v2/assistant/${encodeURIComponent(domain)}/message`
    const response = await call(
      path,
      { fp: 'docs-demo', messages: [textOnly('user-1')], currentPath: '/a' },
      headers,
    )
    const { text, threadId } = readEvents(await response.text())
    expect([text, threadId]).toEqual([expect.stringContaining('revoke'), undefined])
    expect(response.headers.get('access-control-expose-headers')).toContain('X-Thread-Id')
  })
})

describe('search and page', () => {
  const results = z.array(
    z.object({ content: z.string(), path: z.string(), metadata: z.object({ title: z.string() }) }),
  )

  it.each([
    [
      'a workflow',
      `/discovery/v1/search/${domain}`,
      { query: question, pageSize: 3, filter: { language: 'en' } },
    ],
    ['an application', `/v1/search/${domain}`, { query: question, pageSize: 10 }],
    ['an agent', `/v1/search/${domain}`, { query: question }],
    [
      'a form of feedback',
      `/discovery/v1/search/${domain}/`,
      { query: question, scoreThreshold: 0.1, pageSize: 5 },
    ],
  ])('answer %s, and each page that was found can be read', async (_, path, body) => {
    const response = await call(path, body)
    expect(response.status).toBe(200)
    const found = results.parse(await response.json())
    expect(found[0]?.path).toContain('manage-keys')
    for (const place of [`/discovery/v1/page/${domain}`, `/v1/page/${domain}`]) {
      const page = await call(place, { path: found[0]?.path, groups: ['a'] })
      expect(await page.json()).toEqual({ path: found[0]?.path, content: expect.stringContaining('evoke') })
    }
  })

  it('say in `error` what is wrong, wherever they are called', async () => {
    for (const path of [`/v1/search/${domain}`, `/v1/page/${domain}`, `/v2/assistant/${domain}/message`]) {
      const refused = [
        await call(path, {}),
        await call(path.replace(domain, 'other.example.com'), { query: 'x' }),
        await call(path, { query: 'x' }, { Authorization: 'Bearer svc_dsc_no', Origin: 'https://a.example' }),
      ]
      expect(refused.map(({ status }) => status)).toEqual([400, 404, 401])
      for (const response of refused) {
        expect(await response.json()).toEqual({ error: expect.any(String) })
        expect(response.headers.get('access-control-allow-origin')).toBe('*')
      }
      const got = await fetch(`${server.url}${path}`)
      expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
    }
  })

  it('are counted and traced as one operation each', async () => {
    const read = async (): Promise<string> =>
      (await server.request('GET', '/metrics', { key: operator })).text()
    const metrics = await read()
    expect(metrics).toContain('/discovery/v1/search/:domain')
    expect(metrics).not.toContain('"/v1/search')
  })
})

describe('a domain with dots', () => {
  it('names the project at every address', async () => {
    const get = async (path: string, headers = {}): Promise<[number, string]> => {
      const response = await fetch(`${server.url}${path}`, {
        headers: { Authorization: `Bearer ${operator}`, ...headers },
        redirect: 'manual',
      })
      return [response.status, await response.text()]
    }
    for (const [path, text] of [
      [`/docs/${domain}/llms.txt`, `/docs/${domain}/guides/manage-keys.md`],
      [`/docs/${domain}/guides/manage-keys.md`, '# Manage keys'],
      [`/admin/projects/${domain}`, `"domain":"${domain}"`],
      [`/mcp/${domain}/server-card`, `/mcp/${domain}"`],
      [`/discovery/v2/assistant/${domain}/starters`, 'questions'],
      [`/git/${domain}.git/info/refs?service=git-upload-pack`, 'refs/heads/main'],
    ] as const) {
      const [status, body] = await get(path)
      expect([path, status]).toEqual([path, 200])
      expect(body).toContain(text)
    }
    const answer = await call(`/mcp/${domain}/`, { jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expect(await answer.json()).toMatchObject({ id: 1, result: { tools: [{ name: 'search' }, {}, {}, {}] } })
    const { stdout } = await runCommand(server.dataFolder, 'ask', question, '--project', domain)
    expect(stdout).toContain('revoke')
  })
})

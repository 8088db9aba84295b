import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { startModelMock, type ModelMock } from './model-mock.ts'
import { createBareRepository } from './repository.ts'
import { runCommand, settledJob, startServer, type TestServer } from './server.ts'

/** One tenant uses up all that it can get, with a public key and from one address; another one works on. */

const mebibyte = 1024 * 1024
const slowPages = 8
const hostile = { domain: 'hostile', projectId: '', adminKey: '', assistantKey: '', address: '198.51.100.7' }
const neighbour = '203.0.113.9'

let server: TestServer
let model: ModelMock
const open: ClientRequest[] = []

beforeAll(async () => {
  // Whoever asks it to hang gets no answer.
  model = await startModelMock(({ prompt }) =>
    prompt.includes('neverever') ? new Promise(() => {}) : Promise.resolve('Fine.'),
  )
  server = await startServer({
    environment: {
      ...model.environment,
      DOCWRIGHT_ASSISTANT_MODEL: 'openai-chat:gpt-mock',
      DOCWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'info',
    },
  })
  const command = async (...words: string[]): Promise<Record<string, string>> => {
    const { stdout, stderr } = await runCommand(server.dataFolder, ...words, '--json')
    expect(stderr).toBe('')
    return JSON.parse(stdout) as Record<string, string>
  }
  const pages = Object.fromEntries(
    Array.from({ length: slowPages }, (_, number) => [
      `slow-${number}.md`,
      `# Slow ${number}\n\n${busy(number)}`,
    ]),
  )
  const repository = await createBareRepository({ 'index.md': '# Start\n\nWords.\n', ...pages })
  const organization = (await command('organization', 'add', 'Hostile'))['id'] ?? ''
  const made = await command(
    'project',
    'add',
    repository,
    '--domain',
    'hostile',
    '--visibility',
    'public',
    '--organization',
    organization,
  )
  hostile.projectId = made['id'] ?? ''
  const admin = await command('key', 'create', '--kind', 'admin', '--organization', organization)
  const assistant = await command('key', 'create', '--kind', 'assistant', '--project', 'hostile')
  hostile.adminKey = admin['key'] ?? ''
  hostile.assistantKey = assistant['key'] ?? ''
})
afterAll(async () => {
  for (const one of open) one.destroy()
  await server[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
})

/** Text that keeps the parser of Markdown busy for minutes. */
function busy(number: number): string {
  return `${number} ${'_a*b '.repeat(9000)}`
}

function question(text: string, size = 0): object {
  const said = { id: '1', role: 'user', parts: [{ type: 'text', text }] }
  return { fp: 'anonymous', messages: [said], padding: 'x'.repeat(size) }
}

/** A request that stays open; resolves with the head of its answer, or with nothing while there is none. */
function begin(
  method: string,
  path: string,
  {
    at = server.url,
    key,
    headers = {},
    body,
    end = true,
  }: { at?: string; key?: string; headers?: object; body?: string; end?: boolean },
): { answer: Promise<IncomingMessage>; sent: ClientRequest } {
  const sent = request(`${at}${path}`, {
    method,
    agent: false,
    headers: {
      'x-forwarded-for': hostile.address,
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
  })
  open.push(sent)
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', (response: IncomingMessage) => {
      response.on('error', () => {})
      resolve(response)
    })
    sent.on('error', reject)
  })
  answer.catch(() => {})
  if (body !== undefined) sent.write(body)
  if (end) sent.end()
  return { answer, sent }
}

/** Asks again and again, 20 at once, until one is told that this is too much. */
async function useUp(what: string, one: () => Promise<number>): Promise<void> {
  for (let rounds = 0; rounds < 200; rounds++) {
    const statuses = await Promise.all(Array.from({ length: 20 }, one))
    if (statuses.includes(429)) return
  }
  throw new Error(`There is no end of ${what}`)
}

it('leaves another tenant all that it needs', async () => {
  const ask = `/discovery/v2/assistant/${hostile.domain}/message`
  const as = (address: string) => ({ 'x-forwarded-for': address })

  // Uploads that do not end: they come on, byte by byte.
  const half = JSON.stringify(question('x')).slice(0, -1)
  const uploads: ClientRequest[] = []
  const upload = (): void => {
    const { sent } = begin('POST', ask, {
      key: hostile.assistantKey,
      headers: { 'content-length': 16 * mebibyte },
      body: `${half}, "more": "${'x'.repeat(5 * mebibyte)}`,
      end: false,
    })
    uploads.push(sent)
  }
  const trickle = setInterval(() => uploads.forEach((sent) => sent.destroyed || sent.write('x')), 2000)
  onTestFinished(() => clearInterval(trickle))
  await expect
    .poll(
      async () => {
        // Those that come at once may refuse each other.
        upload()
        const body = question('x', 2 * mebibyte)
        const options = { key: hostile.assistantKey, body, headers: as(hostile.address) }
        const refused = await server.request('POST', ask, options)
        await refused.text()
        return [refused.status, refused.headers.get('ratelimit-policy')?.split(';')[0]]
      },
      { timeout: 120_000, interval: 200 },
    )
    .toEqual([429, '"body-bytes-address"'])

  // Answers and event streams that do not end, searches, and pages that take long.
  const statusOf = async (...exchange: Parameters<typeof begin>): Promise<number> =>
    (await begin(...exchange).answer).statusCode ?? 0
  const hanging = JSON.stringify(question('neverever'))
  await useUp('answers', () => statusOf('POST', ask, { key: hostile.assistantKey, body: hanging }))
  const created = await server.request('POST', `/v2/agent/${hostile.projectId}/job`, {
    key: hostile.adminKey,
    body: { prompt: 'neverever' },
  })
  const { id } = (await created.json()) as { id: string }
  const events = `/v2/agent/${hostile.projectId}/job/${id}/events`
  const accept = { accept: 'text/event-stream' }
  await useUp('event streams', () => statusOf('GET', events, { key: hostile.adminKey, headers: accept }))
  const search = async (): Promise<Response> =>
    server.request('POST', '/discovery/v1/search/hostile', {
      key: hostile.assistantKey,
      body: { query: 'words' },
      headers: as(hostile.address),
    })
  let refused = await search()
  await useUp('searches', async () => {
    const response = await search()
    if (response.status === 429) refused = response
    return response.status
  })
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': expect.stringContaining('RateLimit'),
    'ratelimit-policy': '"search-address";q=600;w=60',
    'retry-after': '1',
    'x-error-code': 'rate_limited',
  })
  expect([refused.status, await refused.json()]).toEqual([
    429,
    { error: expect.stringContaining('per minute') },
  ])
  const pages = Array.from(
    { length: slowPages },
    async (_, number) => (await begin('GET', `/docs/hostile/slow-${number}`, {}).answer).statusCode,
  )

  let shown = 0
  for (const page of pages) void page.then(() => shown++)

  // What the neighbour does meanwhile.
  const { assistantKey, adminKey, projectId, domain } = server.welcome
  const options = { key: assistantKey, headers: as(neighbour) }
  const asked = await server.request('POST', `/discovery/v2/assistant/${domain}/message`, {
    ...options,
    body: question('How do I get started?', 2 * mebibyte),
  })
  expect([asked.status, await asked.text()]).toEqual([200, expect.stringContaining('Fine.')])
  const found = await server.request('POST', `/discovery/v1/search/${domain}`, {
    ...options,
    body: { query: 'quickstart' },
  })
  expect(((await found.json()) as unknown[]).length).toBeGreaterThan(0)
  const page = await server.request('POST', `/discovery/v1/page/${domain}`, {
    ...options,
    body: { path: '/quickstart' },
  })
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('content')])
  const rendered = await server.request('GET', `/docs/${domain}/quickstart`, { headers: as(neighbour) })
  expect([rendered.status, await rendered.text()]).toEqual([200, expect.stringContaining('<h2')])
  // It has not waited for those that came before.
  expect(shown).toBeLessThan(slowPages)
  const sought = await server.request('GET', `/docs/${domain}/?q=quickstart`, { headers: as(neighbour) })
  expect([sought.status, await sought.text()]).toEqual([200, expect.stringContaining('<ol class="results">')])
  const job = await server.request('POST', `/v2/agent/${projectId}/job`, {
    key: adminKey,
    body: { prompt: 'Fix broken links', model: 'builtin' },
  })
  const path = `/v2/agent/${projectId}/job/${((await job.json()) as { id: string }).id}`
  const stream = await begin('GET', `${path}/events`, {
    key: adminKey,
    headers: { ...accept, ...as(neighbour) },
  }).answer
  expect(stream.statusCode).toBe(200)
  expect((await settledJob(server, path, adminKey))['status']).toBe('completed')

  // The pages are shown in the end, as what they are.
  expect(new Set(await Promise.all(pages))).toEqual(new Set([200]))
})

it('tells its log nothing of clients that go away', async () => {
  await using quiet = await startServer({ environment: { ...model.environment, LOG_LEVEL: 'info' } })
  const { projectId, adminKey, assistantKey } = quiet.welcome
  const jobs = `/v2/agent/${projectId}/job`
  const created = await quiet.request('POST', jobs, { key: adminKey, body: { prompt: 'neverever' } })
  const { id } = (await created.json()) as { id: string }
  const password = Buffer.from(`x:${adminKey}`).toString('base64')
  const length = { 'content-length': 5 * mebibyte }
  const at = quiet.url
  const leaving = [
    // Bodies that do not end, wherever one is read.
    begin('POST', jobs, { at, key: adminKey, headers: { 'content-length': 1000 }, body: '{', end: false }),
    begin('POST', '/discovery/v1/assistant/docwright/message', {
      at,
      key: assistantKey,
      headers: length,
      body: 'x'.repeat(mebibyte),
      end: false,
    }),
    begin('POST', '/sign-in', {
      at,
      headers: { ...length, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'token=x',
      end: false,
    }),
    begin('POST', '/git/docwright.git/git-upload-pack', {
      at,
      headers: { ...length, authorization: `Basic ${password}` },
      body: '0032',
      end: false,
    }),
    // Answers that do not end, or begin late.
    begin('GET', `${jobs}/${id}/events`, { at, key: adminKey, headers: { accept: 'text/event-stream' } }),
    begin('POST', '/discovery/v2/assistant/docwright/message', {
      at,
      key: assistantKey,
      body: JSON.stringify(question('neverever')),
    }),
    begin('GET', '/git/docwright.git/info/refs?service=git-upload-pack', {
      at,
      headers: { authorization: `Basic ${password}` },
    }),
  ]
  await Promise.all(leaving.slice(4, 6).map(({ answer }) => answer))
  await new Promise((done) => setTimeout(done, 1000))
  for (const { sent } of leaving) sent.destroy()
  const found = await quiet.request('POST', '/discovery/v1/search/docwright', {
    key: assistantKey,
    body: { query: 'quickstart' },
  })
  expect(found.status).toBe(200)
  expect(await quiet.stop()).toBe(0)
  const lines = quiet.output().split('\n')
  const said = lines.filter((line) => /"level":[456]0|Error|aborted|^\s+at /.test(line))
  expect(said.map((line) => line.slice(0, 300))).toEqual([])
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runCommand, settledJob, startServer, type TestServer } from './server.ts'

// A whole job: generous, for busy machines.
vi.setConfig({ testTimeout: 200_000 })

/** What the dashboard and the commands do, done by requests: as the operator, as a person, and with keys. */
let server: TestServer
let operator = ''
let person: { cookie: string; csrf: string }
const docs = '/admin/projects/docwright'

beforeAll(async () => {
  server = await startServer()
  operator = (await readFile(join(server.dataFolder, 'operator-token'), 'utf8')).trim()
  const link = await asOperator('POST', '/admin/sign-in-links')
  const token = new URL(String(link.body['url'])).searchParams.get('token')
  const signedIn = await server.request('POST', '/admin/session', { body: { token } })
  expect(signedIn.status).toBe(201)
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  person = { cookie, csrf: ((await signedIn.json()) as { csrfToken: string }).csrfToken }
  expect((await server.request('POST', '/admin/session', { body: { token } })).status).toBe(403)
})
afterAll(() => server[Symbol.asyncDispose]())

type Answer = { status: number; body: Record<string, unknown> }

async function read(response: Response): Promise<Answer> {
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return {
    status: response.status,
    body: isJson ? ((await response.json()) as Answer['body']) : { text: await response.text() },
  }
}

async function asOperator(method: string, path: string, body?: unknown): Promise<Answer> {
  return read(await server.request(method, path, { key: operator, body }))
}

async function asPerson(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const sent = { cookie: person.cookie, 'x-csrf-token': person.csrf, ...headers }
  return read(await server.request(method, path, { body, headers: sent }))
}

it('takes a session for reading, and for changes only with its token and from its own site', async () => {
  const { cookie } = person
  expect((await server.request('GET', '/admin/session', { headers: { cookie } })).status).toBe(200)
  const shown = await server.request('GET', docs, { headers: { cookie } })
  expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  for (const [headers, status] of [
    [{ 'x-csrf-token': '' }, 401],
    [{ 'x-csrf-token': 'wrong' }, 401],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ cookie: 'docwright_session=x' }, 401],
    [{}, 202],
  ] as const)
    expect([headers, (await asPerson('POST', `${docs}/sync`, undefined, { ...headers })).status]).toEqual([
      headers,
      status,
    ])
  const stranger = await server.request('GET', docs)
  expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
})

it('lets people name no folder and no site of the own network, by whichever verb', async () => {
  const folder = join(server.dataFolder, 'repositories', 'docwright.git')
  for (const location of [folder, 'https://127.0.0.1/acme/docs'])
    for (const [method, path, body] of [
      ['POST', '/admin/projects', { location, domain: 'taken' }],
      ['POST', `${docs}/context`, { name: 'more', location }],
      ['PATCH', `${docs}/settings`, { contextRepositories: [{ name: 'more', location }] }],
      ['PATCH', `${docs}/host`, { location }],
    ] as const)
      expect([method, path, (await asPerson(method, path, body)).status]).toEqual([method, path, 400])
  const added = await asOperator('POST', `${docs}/context`, { name: 'more', location: folder })
  expect(added).toMatchObject({
    status: 200,
    body: { settings: { contextRepositories: [{ name: 'more' }] } },
  })
  expect((await asPerson('DELETE', `${docs}/context/more`)).body['settings']).toEqual({
    visibility: 'public',
  })
  expect((await asPerson('DELETE', `${docs}/context/more`)).status).toBe(404)
  expect((await asPerson('DELETE', docs)).status).toBe(403)
  expect((await asPerson('GET', `${docs}/host`)).status).toBe(200)
})

it('takes a person from a prompt to a merged pull request', async () => {
  const jobs = `/v2/agent/${server.welcome.projectId}/job`
  const made = await asPerson('POST', jobs, {
    prompt: 'Replace "Docwright" with "Docwright server" in the quickstart page',
  })
  expect(made.status).toBe(201)
  const job = `${jobs}/${String(made.body['id'])}`
  await settledJob(server, job, server.welcome.adminKey)
  expect((await asPerson('GET', `${job}/turns`)).body).toMatchObject({
    turns: [{ n: 1, status: 'completed', author: null, waiting: null }],
  })
  const events = await asPerson('GET', `${job}/events`, undefined, { accept: 'text/event-stream' })
  expect(events.body['text']).toMatch(/event: turn\.completed\n[^]*: end\n/)
  const pulls = `${docs}/pulls`
  expect((await asPerson('GET', `${pulls}?state=open`)).body).toMatchObject({ pullRequests: [{ number: 1 }] })
  expect((await asPerson('GET', `${pulls}/1`)).body).toMatchObject({ mergeability: { state: 'clean' } })
  expect((await asPerson('GET', `${pulls}/1/diff`)).body['text']).toContain('+In a fresh clone')
  expect((await asPerson('POST', `${pulls}/1/comments`, { body: 'Nice' })).status).toBe(201)
  expect((await asPerson('POST', `${pulls}/1/comments`, { body: '' })).status).toBe(400)
  for (const number of ['2', '0', 'x', '1e0'])
    expect((await asPerson('GET', `${pulls}/${number}`)).status).toBe(404)
  const key = server.welcome.adminKey
  expect((await server.request('POST', `${pulls}/1/merge`, { key })).status).toBe(401)
  expect(await asPerson('POST', `${pulls}/1/merge`)).toMatchObject({ status: 200, body: { state: 'merged' } })
  expect((await asOperator('POST', `${pulls}/1/merge`)).status).toBe(409)
  expect((await asPerson('GET', `${pulls}?limit=0`)).status).toBe(400)
})

it('makes, lists and revokes keys of a project, which open no administration', async () => {
  const made = await asPerson('POST', '/admin/keys', { kind: 'assistant', project: 'docwright' })
  const { id, key } = made.body as { id: string; key: string }
  const listed = await asPerson('GET', '/admin/keys?project=docwright')
  expect(listed.body).toContainEqual(expect.objectContaining({ id, kind: 'assistant', revokedAt: null }))
  for (const path of ['/admin/keys', '/admin/session', docs])
    expect((await server.request('GET', path, { key })).status).toBe(401)
  expect((await asPerson('POST', `/admin/keys/${id}/revoke`)).body['revokedAt']).not.toBeNull()
  const search = { key, body: { query: 'x' } }
  expect((await server.request('POST', '/discovery/v1/search/docwright', search)).status).toBe(401)
})

it('makes no admin key for web origins, which would be no limit', async () => {
  const made = await asPerson('POST', '/admin/keys', { kind: 'admin', origins: ['https://docs.example.com'] })
  expect(made.status).toBe(400)
})

it('ends a session', async () => {
  expect((await asPerson('DELETE', '/admin/session')).status).toBe(200)
  expect((await asPerson('GET', '/admin/session')).status).toBe(401)
})

it('lists the conversations of the assistant, newest question first, in the API and the terminal', async () => {
  const { key } = (await asOperator('POST', '/admin/keys', { kind: 'assistant', project: 'docwright' })).body
  const ask = async (text: string, threadId: string | null): Promise<string> => {
    const response = await server.request('POST', '/discovery/v2/assistant/docwright/message', {
      key: String(key),
      body: { fp: 'f', threadId, messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text }] }] },
    })
    await response.text()
    return response.headers.get('x-thread-id') ?? ''
  }
  const first = await ask('How do I add my own repository?', null)
  const second = await ask('Where is the data folder?', null)
  await ask('And how do I use my own model?', first)
  const { body } = await asOperator('GET', `${docs}/threads`)
  expect(body['threads']).toMatchObject([
    { id: first, questions: 2, lastQuestion: 'And how do I use my own model?', outcome: 'answered' },
    { id: second, questions: 1, lastQuestion: 'Where is the data folder?' },
  ])
  expect((await asOperator('GET', `${docs}/threads?limit=0`)).status).toBe(400)
  const { stdout } = await runCommand(server.dataFolder, 'thread', 'list', '--limit', '1')
  expect(stdout.trim().split('\n')).toEqual([
    expect.stringContaining('LAST QUESTION'),
    expect.stringContaining(first),
  ])
})

it('follows a job on the terminal, and prints what it changed', async () => {
  const prompt = 'Add a note to the quickstart page: "Say hello."'
  const { stdout, stderr, code } = await runCommand(server.dataFolder, 'job', 'create', prompt, '--watch')
  expect(code).toBe(0)
  expect(stderr).toMatch(/tool +Edit quickstart\.mdx\n/)
  expect(stderr).toMatch(/checks +0 problems, 0 warnings\n/)
  expect(stdout).toMatch(/^modified +quickstart\.mdx {2}\+4 −0$/m)
  const id = /^id +(job_\S+)/m.exec(stdout)?.[1] ?? ''
  const diff = await runCommand(server.dataFolder, 'job', 'diff', id)
  expect(diff.stdout).toContain('+Say hello.\n')
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBareRepository } from './repository.ts'
import { readProject, runCommand, settledJob, startServer, type TestServer } from './server.ts'
import { nothing } from './every-endpoint.ts'
import { unequalDoors } from './verb-doors.ts'
import { walkPages } from './walk-pages.ts'

/** What the dashboard and the commands do, done by requests: as the operator, as a person, and with keys. */
let server: TestServer
let operator = ''
let person: { cookie: string; csrf: string }
const docs = '/admin/projects/docwright'

beforeAll(async () => {
  server = await startServer()
  operator = (await readFile(join(server.dataFolder, 'operator-token'), 'utf8')).trim()
  person = await signIn()
})
afterAll(() => server[Symbol.asyncDispose]())

async function signIn(): Promise<typeof person> {
  const link = await asOperator('POST', '/admin/sign-in-links')
  const token = new URL(String(link.body['url'])).searchParams.get('token')
  const signedIn = await server.request('POST', '/admin/session', { body: { token } })
  expect(signedIn.status).toBe(201)
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  expect((await server.request('POST', '/admin/session', { body: { token } })).status).toBe(403)
  return { cookie, csrf: ((await signedIn.json()) as { csrfToken: string }).csrfToken }
}

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

/** The id of the thread of a question. */
async function asked(
  key: string,
  text: string,
  threadId: string | null = null,
  domain = 'docwright',
): Promise<string> {
  const response = await server.request('POST', `/discovery/v2/assistant/${domain}/message`, {
    key,
    body: { fp: 'f', threadId, messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text }] }] },
  })
  await response.text()
  return response.headers.get('x-thread-id') ?? ''
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
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ cookie: 'docwright_session=x' }, 401],
    [{}, 202],
    [{ origin: server.url }, 202],
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
  expect(events.body['text']).toMatch(/event: turn\.completed\n[^]*event: end\ndata: .*"reason":"over"/)
  const pulls = `${docs}/pulls`
  expect((await asPerson('GET', `${pulls}?state=open`)).body).toMatchObject({ pullRequests: [{ number: 1 }] })
  expect((await asPerson('GET', `${pulls}/1`)).body).toMatchObject({ mergeability: { state: 'clean' } })
  expect((await asPerson('GET', `${pulls}/1/diff`)).body['text']).toContain('In a fresh clone')
  expect((await asPerson('POST', `${pulls}/1/comments`, { body: 'Nice' })).status).toBe(201)
  expect((await asPerson('POST', `${pulls}/1/comments`, { body: '' })).status).toBe(400)
  for (const number of ['2', '0', 'x', '1e0'])
    expect((await asPerson('GET', `${pulls}/${number}`)).status).toBe(404)
  const key = server.welcome.adminKey
  // A key has the scope only if it names it.
  expect((await server.request('POST', `${pulls}/1/merge`, { key })).status).toBe(403)
  expect(await asPerson('POST', `${pulls}/1/merge`)).toMatchObject({ status: 200, body: { state: 'merged' } })
  expect((await asOperator('POST', `${pulls}/1/merge`)).status).toBe(409)
  expect((await asPerson('GET', `${pulls}?limit=0`)).status).toBe(400)
})

it('makes, lists and revokes keys of a project, which open no administration', async () => {
  const made = await asPerson('POST', '/admin/keys', { kind: 'assistant', project: 'docwright' })
  const { id, key } = made.body as { id: string; key: string }
  const listed = await asPerson('GET', '/admin/keys?project=docwright')
  expect(listed.body).toContainEqual(expect.objectContaining({ id, kind: 'assistant', revokedAt: null }))
  for (const [path, status] of [
    ['/admin/keys', 403],
    ['/admin/session', 401],
    [docs, 403],
  ] as const)
    expect([path, (await server.request('GET', path, { key })).status]).toEqual([path, status])
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
  const ask = (text: string, threadId: string | null) => asked(String(key), text, threadId)
  const first = await ask('How do I add my own repository?', null)
  const second = await ask('Where is the data folder?', null)
  await ask('And how do I back up the server?', first)
  const insights = `/v2/insights/${server.welcome.projectId}`
  const { body } = await asOperator('GET', `${insights}/threads`)
  expect(body['threads']).toMatchObject([
    { id: first, questions: 2, lastQuestion: 'And how do I back up the server?', outcome: 'answered' },
    { id: second, questions: 1, lastQuestion: 'Where is the data folder?' },
  ])
  expect((await asOperator('GET', `${insights}/threads?limit=0`)).status).toBe(400)
  const job = await asOperator('POST', `${insights}/threads/${second}/questions/0/job`, { draft: true })
  expect([job.status, job.body['title']]).toEqual([201, 'Improve an answer of the assistant'])
  for (const place of [`${second}/questions/7`, `${second}/questions/x`, 'none/questions/0'])
    expect((await asOperator('POST', `${insights}/threads/${place}/job`, {})).status).toBe(404)
  const { stdout } = await runCommand(server.dataFolder, 'thread', 'list', '--limit', '1')
  expect(stdout.trim().split('\n')).toEqual([
    expect.stringContaining('LAST QUESTION'),
    expect.stringContaining(first),
  ])
})

it('shows and deletes what readers asked, with an admin key that may', async () => {
  const insights = `/v2/insights/${server.welcome.projectId}`
  const made = async (body: object): Promise<string> =>
    String((await asOperator('POST', '/admin/keys', body)).body['key'])
  const [reader, eraser, all, jobs, assistant] = [
    await made({ kind: 'admin', scopes: ['insights:read'] }),
    await made({ kind: 'admin', scopes: ['insights:delete'] }),
    await made({ kind: 'admin' }),
    await made({ kind: 'admin', scopes: ['jobs:read', 'jobs:write'] }),
    await made({ kind: 'assistant', project: 'docwright' }),
  ]
  const get = async (path: string, key = reader, method = 'GET') =>
    read(await server.request(method, `${insights}${path}`, { key }))
  // An id that the client has chosen may hold any sign.
  const threadId = 'our/own?id=1 ü'
  const asked = await server.request('POST', '/discovery/v2/assistant/docwright/message', {
    key: assistant,
    headers: { 'x-docwright-client': 'widget' },
    body: {
      fp: 'learner',
      threadId,
      currentPath: '/quickstart',
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: '=How do I revoke a key?' }] }],
    },
  })
  const messageId = /"messageId":"([^"]+)/.exec(await asked.text())?.[1]
  const rated = await server.request('POST', '/discovery/v2/assistant/docwright/feedback', {
    key: assistant,
    body: { threadId, messageId, rating: 'up', note: 'Thanks, "good"' },
  })
  expect(rated.status).toBe(200)

  const listed = await get('/threads?fp=learner&caller=widget&rating=up&text=REVOKE&page=/quickstart')
  expect(listed.body).toMatchObject({
    threads: [{ id: threadId, questions: 1, feedback: { up: 1, down: 0 } }],
    nextCursor: null,
  })
  expect((await get('/threads?fp=nobody')).body).toEqual({ threads: [], nextCursor: null })
  const { body: page } = await get('/threads?limit=1')
  const next = await get(`/threads?limit=1&cursor=${String(page['nextCursor'])}`)
  expect([next.status, next.body['threads']]).toEqual([200, [expect.not.objectContaining({ id: threadId })]])
  const thread = await get(`/threads/${encodeURIComponent(threadId)}`)
  const exchange = {
    question: '=How do I revoke a key?',
    answerId: messageId,
    outcome: 'answered',
    caller: 'widget',
    page: '/quickstart',
    feedback: [{ rating: 'up', note: 'Thanks, "good"', fp: 'learner' }],
  }
  expect(thread.body).toMatchObject({ id: threadId, exchanges: [exchange], nextCursor: null })
  expect((await get('/threads/thr_none')).status).toBe(404)

  const exported = async (query: string): Promise<string> =>
    (await server.request('GET', `${insights}/export?fp=learner${query}`, { key: reader })).text()
  const lines = (await exported('')).split('\n')
  expect(lines.map((line) => (line === '' ? '' : (JSON.parse(line) as unknown)))).toMatchObject([
    exchange,
    '',
  ])
  const csv = await exported('&format=csv')
  expect(csv).toMatch(
    /^askedAt,threadId,n,fp,[^]*\r\n[^]*,our\/own\?id=1 ü,0,learner,widget,[^]*'=How do I revoke/,
  )
  expect(csv).toContain('"Thanks, ""good"""')

  const today = new Date().toISOString().slice(0, 10)
  const { body: counted } = await get(`?from=${today}&to=${today}`)
  expect(counted).toMatchObject({ interval: 'day', totals: { callers: { widget: { questions: 1 } } } })
  for (const bad of ['?from=yesterday', '?from=2026-02-02&to=2026-02-01', '?interval=year', '?limit=0'])
    expect([bad, (await get(bad)).status]).toEqual([bad, 400])
  const tooMany = await get('?from=2000-01-01&to=2026-01-01&interval=day')
  expect([tooMany.status, tooMany.body['error']]).toEqual([400, expect.stringContaining('use week or month')])
  for (const bad of ['outcome=fine', 'caller=me', 'rating=good', 'cursor=x', 'from=2026-13-01', 'text=%00'])
    expect([bad, (await get(`/threads?${bad}`)).status]).toEqual([bad, 400])

  for (const key of [jobs, eraser, assistant]) expect((await get('', key)).status).toBe(403)
  expect((await get('/threads?fp=learner', reader, 'DELETE')).status).toBe(403)
  expect((await get('?limit=5', all)).status).toBe(200)
  expect((await get('/threads?fp=learner', eraser, 'DELETE')).body).toEqual({ deleted: 2 })
  expect((await get(`/threads?id=${encodeURIComponent(threadId)}`, eraser, 'DELETE')).status).toBe(404)
})

it('prints what readers asked on the terminal', async () => {
  const run = async (...command: string[]): Promise<string> =>
    (await runCommand(server.dataFolder, ...command)).stdout
  expect(await run('insights')).toMatch(/^Conversations +2$/m)
  const id = (await run('thread', 'list', '--text', 'data folder')).split('\n')[1]?.split(' ')[0] ?? ''
  expect(await run('thread', 'show', id)).toContain('Where is the data folder?')
  expect(await run('thread', 'export', '--format', 'csv')).toMatch(/^askedAt,[^]*Where is the data folder\?/)
  expect(await run('thread', 'delete', '--id', id)).toBe('Deleted 1\n')
  expect(await run('thread', 'list', '--text', 'data folder')).toBe('No conversation\n')
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

it('lets only the operator try the assistant and the search without being recorded', async () => {
  const messages = [{ role: 'user', parts: [{ type: 'text', text: 'How do I install it?' }] }]
  const bodies = {
    '/discovery/v2/assistant/docwright/message': { fp: 'a', messages },
    '/discovery/v1/search/docwright': { query: 'install' },
  }
  const insights = `/v2/insights/${server.welcome.projectId}`
  const before = (await asOperator('GET', insights)).body['totals']
  for (const [path, body] of Object.entries(bodies)) {
    const check = { without: ['vectors'] }
    const key = server.welcome.assistantKey
    expect((await server.request('POST', path, { key, body: { ...body, check } })).status).toBe(401)
    expect((await asOperator('POST', path, { ...body, check })).status).toBe(200)
    expect((await asOperator('POST', path, { ...body, check: { without: ['pages'] } })).status).toBe(400)
  }
  const [path = ''] = Object.keys(bodies)
  const unknown = await asOperator('POST', path, { fp: 'a', messages, check: { model: 'nobody:nothing' } })
  expect([unknown.status, String(unknown.body['error'])]).toEqual([400, expect.stringContaining('nobody')])
  expect((await asOperator('GET', insights)).body['totals']).toEqual(before)
})

it('lets answers link to the published site as soon as its address is set', async () => {
  const set = async (...words: string[]): Promise<string> =>
    (await runCommand(server.dataFolder, 'project', 'set', 'docwright', ...words)).stdout
  const source = async (): Promise<string> => {
    const messages = [{ role: 'user', parts: [{ type: 'text', text: 'Where is the data folder?' }] }]
    const { body } = await asOperator('POST', '/discovery/v2/assistant/docwright/message', {
      fp: 'a',
      messages,
    })
    return /"source-url"[^}]*?"url":"([^"]*)"/.exec(String(body['text']))?.[1] ?? ''
  }
  expect(await source()).toContain(`${server.url}/docs/docwright/`)
  expect(await set('--site', 'https://docs.example.com/')).toMatch(/^site +https:\/\/docs\.example\.com$/m)
  expect(await source()).toMatch(/^https:\/\/docs\.example\.com\/./)
  expect((await asOperator('PATCH', `${docs}/settings`, { site: 'ftp://docs.example.com' })).status).toBe(400)
  expect((await asOperator('GET', docs)).body['site']).toBe('https://docs.example.com')
  await set('--unset', 'site')
  expect(await source()).toContain(`${server.url}/docs/docwright/`)
  expect((await runCommand(server.dataFolder, 'audit')).stdout).toContain('changed settings')
})

const password = 'correct horse battery'

/** A new member of the organization, signed in. */
async function memberWith(role: 'viewer' | 'editor', name: string = role): Promise<string> {
  const { stdout } = await runCommand(server.dataFolder, 'people', 'invite', '--role', role)
  const link = /token=(\w+)/.exec(stdout)?.[1] ?? ''
  const body = new URLSearchParams({ link, name, email: `${name}@example.com`, password })
  const joined = await fetch(`${server.url}/join`, { method: 'POST', body, redirect: 'manual' })
  expect(joined.status).toBe(303)
  return joined.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/** The tokens of links, by the pages that they lead to. */
async function linksOfPeople(): Promise<Record<string, string>> {
  await memberWith('viewer', 'forgetful')
  const { stdout: all } = await runCommand(server.dataFolder, 'organization', 'list', '--json')
  const [one] = JSON.parse(all) as { id: string }[]
  const people = `/admin/organizations/${one?.id ?? ''}`
  const members = (await asOperator('GET', `${people}/people`)).body as unknown as {
    id: string
    name: string
  }[]
  const person = members.find(({ name }) => name === 'forgetful')?.id
  const invited = await asOperator('POST', `${people}/invitations`, { role: 'viewer' })
  const forgotten = await asOperator('POST', `${people}/people/${person}/password-link`)
  const tokenOf = ({ body }: Answer): string => new URL(String(body['url'])).searchParams.get('token') ?? ''
  return { join: tokenOf(invited), 'new-password': tokenOf(forgotten) }
}

it('says of a site what the built-in model cannot fix', async () => {
  const repository = await createBareRepository({
    'mkdocs.yml': 'site_name: Flawed\nnav:\n  - Home: index.md\n',
    'docs/index.md': '# Home\n',
    'docs/lost.md': '# Lost\n',
  })
  await runCommand(server.dataFolder, 'project', 'add', repository, '--domain', 'flawed')
  const cookie = await memberWith('editor', 'checker')
  const problems = async (): Promise<string> =>
    (await fetch(`${server.url}/projects/flawed/problems`, { headers: { cookie } })).text()
  await expect.poll(problems).toContain('The built-in model can’t fix these')
})

it.each(['viewer', 'editor'] as const)(
  'leads a person who is %s to nothing that they may not do',
  async (role) => {
    const cookie = await memberWith(role)
    const words = ['', 'sync', 'key', 'settings', 'add', 'new', 'playground', 'server', 'audit', 'webhooks']
    const { links, forms, dead } = await walkPages(server.url, cookie, [
      '/projects',
      ...words.map((word) => `/find?project=docwright&query=${word}`),
    ])
    expect(dead).toEqual([])
    const isEditor = role === 'editor'
    for (const url of ['/projects/docwright/jobs/new', '/projects/docwright/assistant/playground'])
      expect([url, links.has(url)]).toEqual([url, isEditor])
    expect([forms.has('/projects/docwright/sync'), forms.has('/sign-out')]).toEqual([isEditor, true])
    expect([...links].filter((url) => url.startsWith('/projects/docwright/jobs/job_'))).not.toEqual([])
  },
)

it('has one limit and one rule for each field of each verb, at every door', async () => {
  // What a door takes is done, with a page of a line: a job or a review of the demo costs what hundreds of refusals do.
  const repository = await createBareRepository({
    'index.md': '# Home\n\nOld words of the home page: connect a cache.\n',
  })
  await runCommand(server.dataFolder, 'project', 'add', repository, '--domain', 'small')
  const { id: projectId } = await readProject(server, 'small')
  const { key } = (await asOperator('POST', '/admin/keys', { kind: 'assistant', project: 'small' })).body
  for (const question of ['How do I connect Redis?', 'Is there a Redis cache?', 'redis sentinel failover'])
    await asked(String(key), question, null, 'small')
  const prompt = 'Replace "Old words" with "New words" in the index page'
  const made = await asOperator('POST', `/v2/agent/${projectId}/job`, { prompt })
  const job = String(made.body['id'])
  const settled = await settledJob(server, `/v2/agent/${projectId}/job/${job}`, server.welcome.adminKey)
  expect(settled).toMatchObject({ status: 'completed', pullRequest: { number: 1 } })
  const gaps = `/v2/insights/${projectId}/gaps`
  const idOfGap = async () =>
    /"id":"(gap_[^"]+)"/.exec(JSON.stringify((await asOperator('GET', gaps)).body))?.[1]
  await expect.poll(idOfGap, { timeout: 150_000, interval: 1000 }).toBeDefined()
  const gap = (await idOfGap()) ?? ''
  const pinning = { questions: ['What is pinned?'], answer: 'These words.' }
  const { id: pinned } = (await asOperator('POST', `/v2/insights/${projectId}/pinned-answers`, pinning)).body
  const rule = { source: '---\nname: Hello\n---\n\nWhat can you do?\n' }
  const { id: automation } = (await asOperator('POST', `/v2/automations/${projectId}`, rule)).body
  const others = { pinned: String(pinned), automation: String(automation) }
  const ids = { projectId, domain: 'small', gap, job, number: '1', ...others }
  const named = { ...ids, ...(await linksOfPeople()) }
  const names = { ...nothing, ...named }
  const { wrong, tried } = await unequalDoors({ server, operator, person: await signIn(), names })
  expect(wrong).toEqual([])
  for (const kind of ['HTTP', 'form', 'command']) expect(tried.get(kind)).toBeGreaterThan(10)
})

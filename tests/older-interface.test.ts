import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from './server.ts'

/** Scripts that were written for version 1 of the interface, as their calls stand in public repositories. */
let server: TestServer
let project = ''

beforeAll(async () => {
  server = await startServer()
  project = server.welcome.projectId
})
afterAll(() => server[Symbol.asyncDispose]())

const send = (
  method: string,
  path: string,
  body?: unknown,
  key = server.welcome.adminKey,
): Promise<Response> => server.request(method, path, { body, headers: { authorization: `Bearer ${key}` } })

async function read(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const response = await send(method, path, body)
  expect([path, response.ok]).toEqual([path, true])
  return (await response.json()) as Record<string, unknown>
}

it('creates a job from messages, streams its end, and shows it to those who poll', async () => {
  const response = await send('POST', `/v1/agent/${project}/job`, {
    branch: 'update-docs',
    messages: [
      { role: 'system', content: 'Add a note to the quickstart page: "Runs anywhere."' },
      { role: 'user', content: [{ type: 'text', text: '' }] },
    ],
    asDraft: 'true',
    model: 'sonnet',
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ])
  const id = response.headers.get('x-session-id') ?? ''
  const branch = response.headers.get('x-branch-name')
  expect(id).toMatch(/^job_/)
  const text = await response.text()
  const frames = [...text.matchAll(/^data: (\{.*)$/gm)].map(
    ([, json]) => JSON.parse(json ?? '') as { type: string; delta?: string },
  )
  expect(frames.map(({ type }) => type)).toEqual([
    'start',
    'start-step',
    'text-start',
    'text-delta',
    'text-end',
    'finish-step',
    'finish',
  ])
  expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true)
  const job = await read('GET', `/v1/agent/${project}/job/${id}`)
  expect(job).toMatchObject({ sessionId: id, subdomain: 'docwright', branch, haulted: true, todos: [] })
  expect(job).toMatchObject({
    haultReason: 'completed',
    pullRequestLink: expect.stringContaining(server.url),
  })
  expect(frames.find(({ delta }) => delta)?.delta).toContain(String(job['pullRequestLink']))
  const { allSessions } = await read('GET', `/v1/agent/${project}/jobs?take=1`)
  expect(allSessions).toEqual([job])
  expect((await read('GET', `/v1/agent/${project}/jobs?skip=1`))['allSessions']).toEqual([])
})

it('refuses what cannot be a prompt, in words', async () => {
  for (const [body, message] of [
    [{}, '`messages` must be a list'],
    [{ messages: [] }, '`messages` must contain at least one'],
    [{ messages: [{ role: 'user', content: ' ' }] }, '`messages` must contain text'],
    [{ messages: [{ role: 'user', content: 'x'.repeat(100_001) }] }, '100,000 characters'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'must be system, user or assistant'],
  ] as const) {
    const response = await send('POST', `/v1/agent/${project}/job`, body)
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: expect.stringContaining(message) },
    ])
  }
  expect((await send('GET', `/v1/agent/${project}/job/job_nothing`)).status).toBe(404)
})

it('starts an update and tells when it has ended', async () => {
  const response = await send('POST', `/v1/project/update/${project}`)
  expect(response.status).toBe(202)
  const { statusId } = (await response.json()) as { statusId: string }
  let update: Record<string, unknown>
  do {
    await delay(200)
    update = await read('GET', `/v1/project/update-status/${statusId}`)
  } while (update['status'] === 'queued' || update['status'] === 'in_progress')
  expect(update).toMatchObject({
    _id: statusId,
    projectId: project,
    status: 'success',
    subdomain: 'docwright',
  })
  for (const wrong of ['nothing', `${project}.`, 'prj_nothing.abc'])
    expect([wrong, (await send('GET', `/v1/project/update-status/${wrong}`)).status]).toEqual([wrong, 404])
})

it('reads what readers asked, searched and rated', async () => {
  const { domain, assistantKey } = server.welcome
  const asked = await send(
    'POST',
    `/discovery/v2/assistant/${domain}/message`,
    {
      fp: 'anonymous',
      currentPath: '/quickstart',
      messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'How do I add my repository?' }] }],
    },
    assistantKey,
  )
  const threadId = asked.headers.get('x-thread-id') ?? ''
  await asked.text()
  await send('POST', `/discovery/v1/search/${domain}`, { query: 'Webhooks' }, assistantKey)
  await send(
    'POST',
    `/discovery/v2/assistant/${domain}/feedback`,
    { threadId, rating: 'down', note: 'Too long' },
    assistantKey,
  )
  const path = `/v1/analytics/${project}`
  const { conversations, hasMore } = await read('GET', `${path}/assistant?limit=1`)
  expect([conversations, hasMore]).toMatchObject([
    [{ query: 'How do I add my repository?', pageUrl: expect.stringContaining('quickstart') }],
    false,
  ])
  expect(await read('GET', `${path}/assistant/threads/${threadId}`)).toMatchObject({
    threadId,
    messages: [{ role: 'user', content: 'How do I add my repository?' }, { role: 'assistant' }],
  })
  expect(await read('GET', `${path}/assistant/caller-stats`)).toEqual({ web: 0, api: 1, other: 0, total: 1 })
  expect(await read('GET', `${path}/feedback?limit=1&status=pending,resolved`)).toMatchObject({
    feedback: [{ comment: 'Too long', helpful: false, source: 'contextual' }],
    nextCursor: null,
    hasMore: false,
  })
  expect(await read('GET', `${path}/feedback?source=code_snippet`)).toMatchObject({ feedback: [] })
  expect(await read('GET', `${path}/feedback/by-page`)).toMatchObject({
    feedback: [{ thumbsUp: 0, thumbsDown: 1, code: 0, total: 1 }],
    hasMore: false,
  })
  await vi.waitFor(async () => {
    expect(await read('GET', `${path}/searches?dateFrom=2026-01-01`)).toMatchObject({
      searches: [{ searchQuery: 'webhooks', hits: 1, ctr: 0 }],
      totalSearches: 1,
      nextCursor: null,
    })
  })
  expect(await read('GET', `${path}/assistant?dateFrom=2025-01-01&dateTo=2025-02-01`)).toMatchObject({
    conversations: [],
  })
})

it('says of what it does not have where to read on, to those whose key could have it', async () => {
  for (const [method, path] of [
    ['POST', `/v1/project/preview/${project}`],
    ['GET', `/v1/analytics/${project}/views`],
    ['GET', `/v1/analytics/${project}/visitors`],
  ] as const) {
    const response = await send(method, path, method === 'POST' ? {} : undefined)
    expect([path, response.status, response.headers.get('x-error-code'), await response.json()]).toEqual([
      path,
      501,
      'not_implemented',
      { error: expect.stringContaining('guides/migrate') },
    ])
    expect((await server.request(method, path)).status).toBe(401)
  }
})

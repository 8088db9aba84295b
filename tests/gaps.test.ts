import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { startModelMock, type ModelMock } from './model-mock.ts'
import { runCommand, settledJob, startServer, type TestServer } from './server.ts'

const questions = {
  Redis: [
    'How do I connect Redis?',
    'Is there a Redis cache?',
    'Can I use Redis for the queue?',
    'Does docwright support redis',
    'Redis cluster',
    'redis sentinel failover',
  ],
  Kubernetes: [
    'Is there a Helm chart for Kubernetes?',
    'kubernetes liveness probe',
    'Kubernetes ingress annotations',
    'Can I run two replicas on Kubernetes?',
  ],
  SAML: [
    'How do I log in with SAML?',
    'Does it support SAML single sign-on?',
    'SAML with Okta',
    'saml metadata',
  ],
  Slack: [
    'Is there a Slack bot?',
    'Slack integration',
    'How do I export answers to Slack?',
    'slack channels',
  ],
  Jira: ['How do I connect Jira?', 'Jira tickets from gaps', 'Can jira issues be linked?'],
  Terraform: ['terraform provider', 'Is there a Terraform module?', 'Terraform for docwright'],
  Kafka: ['Kafka events', 'Can I send events to Kafka?', 'kafka consumer'],
  单点: ['如何配置单点登录', '单点登录支持吗', '单点登录怎么用'],
}

const page = `---
title: "Redis"
description: "Whether Docwright uses Redis: no cache, no queue, no cluster and no sentinel of it."
---

Docwright does not connect to Redis. There is no Redis cache.

## The queue

You cannot use Redis for the queue. The queue stands in the database, so there is no Redis cluster and no Redis sentinel failover to set up.
Docwright does not support Redis in any other place.
`

let server: TestServer
let model: ModelMock
let notes = ''
let operator = ''
let path = ''

beforeAll(async () => {
  model = await startModelMock(({ step, request }) => {
    notes ||= JSON.stringify(request.messages)
    if (step === 0) return Promise.resolve([['write_file', { path: 'docs/guides/redis.mdx', content: page }]])
    if (step === 1)
      return Promise.resolve([['add_to_navigation', { path: 'docs/guides/redis.mdx', group: 'Guides' }]])
    return Promise.resolve([
      ['finish', { title: 'Say that Redis is not used', summary: 'Readers asked about Redis.' }],
    ])
  })
  server = await startServer({ environment: { ...model.environment, DOCWRIGHT_ASSISTANT_MODEL: 'builtin' } })
  operator = (await readFile(join(server.dataFolder, 'operator-token'), 'utf8')).trim()
  path = `/v2/insights/${server.welcome.projectId}/gaps`
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
})

const gapSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  state: z.string(),
  questions: z.int(),
  askers: z.int(),
  job: z
    .looseObject({ id: z.string(), pullRequest: z.looseObject({ number: z.int() }).nullable() })
    .nullable(),
})

async function request(method: string, address: string, body?: unknown, key = server.welcome.adminKey) {
  const response = await server.request(method, address, { key, ...(body !== undefined && { body }) })
  const json: unknown = await response.json()
  return { status: response.status, body: z.record(z.string(), z.unknown()).parse(json) }
}

async function listGaps(): Promise<z.output<typeof gapSchema>[]> {
  return z.array(gapSchema).parse((await request('GET', `${path}?limit=100`)).body['gaps'])
}

async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (holds(value)) return value
    await new Promise((done) => setTimeout(done, 500))
  }
}

it('takes a gap from questions to a merged page that answers them', async () => {
  const asked = Object.values(questions).flat()
  for (const [index, text] of asked.entries()) {
    const response = await server.request('POST', '/discovery/v2/assistant/docwright/message', {
      key: server.welcome.assistantKey,
      body: {
        fp: `reader-${index % 10}`,
        messages: [{ id: `q${index}`, role: 'user', parts: [{ type: 'text', text }] }],
      },
    })
    expect(response.status).toBe(200)
    await response.text()
  }
  const { body: before } = await request('GET', `/v2/insights/${server.welcome.projectId}`)
  const gaps = await until(listGaps, (found) => found.length >= Object.keys(questions).length)
  for (const subject of Object.keys(questions)) {
    const about = gaps.filter(({ name }) => name.toLowerCase().includes(subject.toLowerCase()))
    expect([subject, about.length]).toEqual([subject, 1])
  }
  const redis = gaps.find(({ name }) => name.toLowerCase().includes('redis'))
  if (!redis) throw new Error('There must be a gap for Redis')

  const whole = await request('GET', `${path}/${redis.id}`)
  const exchanges = z.array(z.looseObject({ question: z.string() })).parse(whole.body['exchanges'])
  expect(exchanges.length).toBe(redis.questions)
  const texts = exchanges.map(({ question }) => question)
  expect(questions.Redis).toEqual(expect.arrayContaining(texts))
  expect(await request('GET', `${path}/gap_none`)).toMatchObject({ status: 404 })

  const unable = await request('POST', `${path}/${redis.id}/job`, { model: 'builtin' })
  expect(unable).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('can’t write new pages') as unknown },
  })
  const created = await request('POST', `${path}/${redis.id}/job`, { instructions: 'Be brief.' })
  expect(created.status).toBe(201)
  const jobId = String(created.body['id'])
  const again = await request('POST', `${path}/${redis.id}/job`, {})
  expect([again.status, again.body['id']]).toEqual([200, jobId])
  const job = await settledJob(
    server,
    `/v2/agent/${server.welcome.projectId}/job/${jobId}`,
    server.welcome.adminKey,
  )
  expect(job).toMatchObject({ status: 'completed', outcome: 'changed', pullRequest: { state: 'open' } })
  for (const text of texts) expect(notes).toContain(text)
  expect(notes).toContain('Be brief.')

  const found = await request('GET', `${path}/${redis.id}`)
  expect(found.body).toMatchObject({ state: 'in_work', job: { id: jobId } })
  const { number } = z.object({ number: z.int() }).parse(job['pullRequest'])
  const pull = `/admin/projects/docwright/pulls/${number}`
  const { body } = await request('GET', pull, undefined, operator)
  expect(body['body']).toContain(`see the gap \`${redis.id}\``)
  for (const text of texts) expect(body['body']).not.toContain(text)
  expect((await request('POST', `${pull}/merge`, undefined, operator)).status).toBe(200)

  const read = async () => (await request('GET', `${path}/${redis.id}`)).body
  const checked = await until(read, ({ check }) => check !== null)
  expect(checked).toMatchObject({ state: 'answered', check: { verdict: 'answered' } })
  const { body: after } = await request('GET', `/v2/insights/${server.welcome.projectId}`)
  expect(after['totals']).toMatchObject({
    questions: asked.length,
    conversations: z.object({ conversations: z.int() }).parse(before['totals']).conversations,
  })
})

it('is there on the command line', async () => {
  const [first] = await listGaps()
  const run = (...words: string[]) => runCommand(server.dataFolder, 'gap', ...words)
  const listed = await run('list')
  expect(listed.stdout).toContain(first?.id)
  const dismissed = await run('dismiss', first?.id ?? '', '--reason', 'no plans', '--returns-after', '9')
  expect(dismissed.stdout).toContain('until 9 more questions: no plans')
  expect((await run('list', '--state', 'dismissed')).stdout).toContain(first?.id)
  expect((await run('rename', first?.id ?? '', 'Another name')).stdout).toContain('Another name')
  expect((await run('reopen', first?.id ?? '')).stdout).toMatch(/State\s+(?!dismissed)/)
  expect((await run('show', first?.id ?? '')).stdout).toContain('Another name')
  expect(await run('show', 'gap_none')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Gap not found') as unknown,
  })
  expect((await run('dismiss', first?.id ?? '', '--returns-after', 'x')).code).toBe(2)
})

it.each([
  ['GET', '?state=lost', undefined, 400],
  ['GET', '?days=0', undefined, 400],
  ['GET', '?cursor=x', undefined, 400],
  ['PATCH', '/gap_none', {}, 400],
  ['PATCH', '/gap_none', { name: ' ' }, 400],
  ['PATCH', '/gap_none', { dismissed: true }, 404],
  ['POST', '/gap_none/merge', { from: 'gap_none' }, 400],
  ['POST', '/gap_none/merge', { from: 'gap_other' }, 404],
  ['POST', '/gap_none/job', {}, 404],
])('refuses %s %s with %j', async (method, address, body, status) => {
  expect((await request(method, `${path}${address}`, body)).status).toBe(status)
})

/** What a program with the generated types does: a job, its events, a question, a search. */
import assert from 'node:assert'
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.ts'

const { URL: baseUrl, PROJECT: projectId = '', DOMAIN: domain = '', ADMIN_KEY, ASSISTANT_KEY } = process.env
const withKey = (key: string | undefined) => ({ baseUrl, headers: { Authorization: `Bearer ${key}` } })
const admin = createClient<paths>(withKey(ADMIN_KEY))
const reader = createClient<paths>(withKey(ASSISTANT_KEY))

const created = await admin.POST('/v2/agent/{projectId}/job', {
  params: { path: { projectId } },
  body: { prompt: 'Fix broken links' },
})
assert(created.data, created.error?.error)
const path = { projectId, id: created.data.id }
let job: components['schemas']['Job'] = created.data
while (job.status === 'active') {
  await new Promise((done) => setTimeout(done, 500))
  const got = await admin.GET('/v2/agent/{projectId}/job/{id}', { params: { path } })
  assert(got.data)
  job = got.data
}
assert.equal(job.status, 'completed')

const { data: page } = await admin.GET('/v2/agent/{projectId}/job/{id}/events', { params: { path } })
assert(typeof page === 'object')
const [first] = page.events
assert(first?.type === 'turn.queued')
assert.equal(first.data.prompt, 'Fix broken links')

const { data: stream } = await reader.POST('/discovery/v2/assistant/{domain}/message', {
  params: { path: { domain } },
  body: { fp: 'anonymous', messages: [{ role: 'user', parts: [{ type: 'text', text: 'quickstart' }] }] },
  parseAs: 'text',
})
const frames = [...(stream ?? '').matchAll(/^data: (\{.*\})$/gm)].map(
  ([, text = '']) => JSON.parse(text) as components['schemas']['AssistantFrame'],
)
assert.equal(frames.at(-1)?.type, 'finish')

const { data: found } = await reader.POST('/discovery/v1/search/{domain}', {
  params: { path: { domain } },
  body: { query: 'quickstart' },
})
assert(found?.[0]?.path)

import { expect, it } from 'vitest'
import { undescribed, undescribedEvent } from './described-answers.ts'

const url = 'http://localhost:1/v2/agent/prj_1/jobs'
const jobs = (body: unknown): Response => Response.json(body)

it('takes answers as the description has them', async () => {
  expect(await undescribed('GET', url, jobs({ jobs: [], nextCursor: null }))).toBeUndefined()
  expect(await undescribed('GET', url, Response.json({ error: 'No.' }, { status: 404 }))).toBeUndefined()
  expect(await undescribed('GET', 'http://localhost:1/elsewhere', jobs(1))).toBeUndefined()
})

it('names what an answer has otherwise', async () => {
  expect(await undescribed('GET', url, jobs({ jobs: [{}], nextCursor: null }))).toContain(
    "required property 'id'",
  )
  expect(await undescribed('GET', url, Response.json({ error: 'No.' }, { status: 418 }))).toContain(
    '418 is not described',
  )
  expect(
    await undescribed('GET', url, new Response('[]', { headers: { 'content-type': 'text/csv' } })),
  ).toContain('not text/csv')
  const short = 'http://localhost:1/v1/search/docs'
  expect(await undescribed('POST', short, jobs([{ path: 1 }]))).toContain('must be string')
})

it('names what an event of a stream has otherwise', () => {
  const ask = 'http://localhost:1/discovery/v2/assistant/docs/message'
  const said = (frame: object): string | undefined =>
    undescribedEvent('POST', ask, `: open\n\ndata: ${JSON.stringify(frame)}\n\ndata: [DONE]\n\n`)
  expect(said({ type: 'text-delta', id: '1', delta: 'So.' })).toBeUndefined()
  expect(said({ type: 'text-delta', id: '1' })).toContain("required property 'delta'")
  expect(said({ type: 'tool-input-error' })).toContain('is described otherwise')
})

import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createApp } from './app.ts'

it('answers 503 while it stops, in a way that a page in a browser can read', async () => {
  const app = createApp({ log: pino({ level: 'silent' }), isDraining: () => true }, [])
  const response = await app.request('/discovery/v1/search/docs', { method: 'POST', body: '{}' })
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({ error: expect.stringContaining('shutting down') })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'retry-after': '5',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': expect.stringContaining('Retry-After'),
    'x-request-id': expect.stringMatching(/^req_/),
    'x-content-type-options': 'nosniff',
  })
  const other = await app.request('/v2/agent/prj_1/jobs')
  expect(other.status).toBe(503)
  expect(other.headers.has('access-control-allow-origin')).toBe(false)
})

it('shows browsers a page where there is nothing, and programs where the API is described', async () => {
  const showError = () => Promise.resolve(new Response('a page', { status: 404 }))
  const app = createApp({ log: pino({ level: 'silent' }), showError, isDraining: () => false }, [])
  const page = await app.request('/none', { headers: { accept: 'text/html,*/*;q=0.8' } })
  expect([page.status, await page.text()]).toEqual([404, 'a page'])
  const answer = await app.request('/none', { headers: { accept: '*/*' } })
  expect([answer.status, await answer.json()]).toMatchObject([
    404,
    { error: expect.stringContaining('/openapi.json') },
  ])
})

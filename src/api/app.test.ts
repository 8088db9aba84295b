import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createApp } from './app.ts'

it('answers 503 while it stops, in a way that a page in a browser can read', async () => {
  const app = createApp({ log: pino({ level: 'silent' }), isDraining: () => true }, [])
  const response = await app.request('/discovery/v1/search/docs', { method: 'POST', body: '{}' })
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({ error: expect.stringContaining('stopping') })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'retry-after': '5',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': expect.stringContaining('Retry-After'),
    'x-request-id': expect.stringMatching(/^req_/),
  })
  const other = await app.request('/v2/agent/prj_1/jobs')
  expect(other.status).toBe(503)
  expect(other.headers.has('access-control-allow-origin')).toBe(false)
})

import { describe, expect, it } from 'vitest'
import { pino } from 'pino'
import { z } from 'zod'
import { AppError } from '../lib/errors.ts'
import { createApp } from './app.ts'
import { describe as describeOperation, jsonContent } from './description/operation.ts'

const answer = { 200: { description: 'An answer', content: jsonContent(z.object({})) } }
const app = createApp({ log: pino({ level: 'silent' }), isDraining: () => false }, [
  {
    route: describeOperation('askAssistant', 'post /discovery/v2/assistant/{domain}/message', {
      tag: 'Assistant',
      summary: 'Ask',
      responses: answer,
    }),
    handle: () => Promise.reject(new AppError('unauthorized', 'The key is missing')),
  },
  {
    route: describeOperation('search', 'post /discovery/v1/search/{domain}', {
      tag: 'Assistant',
      summary: 'Search',
      responses: answer,
    }),
    handle: (context) => Promise.resolve(context.json({})),
  },
])

const preflight = (path: string, headers: string, method = 'POST') =>
  app.request(path, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example.com',
      'access-control-request-method': method,
      'access-control-request-headers': headers,
    },
  })

/** As browsers decide it: each header that they ask for has to be named. */
const allowed = (response: Response): string[] =>
  (response.headers.get('access-control-allow-headers') ?? '').split(',').map((name) => name.trim())

describe.each([
  '/discovery/v2/assistant/docs/message',
  '/v2/assistant/docs.example.com/message',
  '/v1/search/docs',
  '/discovery/v1/search/docs/',
])('%s', (path) => {
  it.each([
    // What AI SDK 5.0.91 makes them ask; Chromium leaves out the user agent.
    ['Safari and Firefox', 'authorization,content-type,user-agent'],
    ['an older library', 'authorization, content-type, x-requested-with'],
    ['a page that is traced', 'authorization,baggage,content-type,sentry-trace,traceparent,tracestate'],
    [
      'a client that restores a chat',
      'authorization,content-type,last-event-id,x-stream-strict,x-thread-key',
    ],
    ['a page that is watched by a tool nobody thought of', 'authorization,content-type,x-datadog-trace-id'],
  ])('answers the preflight of %s', async (_, headers) => {
    const response = await preflight(path, headers)
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-methods')).toContain('POST')
    expect(allowed(response)).toEqual(expect.arrayContaining(headers.split(/, ?/)))
    expect(response.headers.has('access-control-allow-credentials')).toBe(false)
  })

  it('lets pages read its answers and refusals', async () => {
    const response = await app.request(path, {
      method: 'POST',
      headers: { origin: 'https://app.example.com' },
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const shown = response.headers.get('access-control-expose-headers')
    for (const name of ['X-Thread-Id', 'X-Thread-Key', 'Retry-After', 'RateLimit', 'RateLimit-Policy'])
      expect(shown).toContain(name)
  })
})

it('names no header that is not one', async () => {
  const response = await preflight('/v1/search/docs', 'x-a, x b, x\\c, , x-a')
  expect(allowed(response)).toContain('x-a')
  expect(response.headers.get('access-control-allow-headers')).not.toMatch(/x b|\\/)
})

it.each([
  '/mcp/docs.example.com',
  '/mcp/docs/',
  '/mcp/docs/server-card',
  '/.well-known/mcp.json',
  '/.well-known/mcp',
])('lets pages read tools and what describes them: %s', async (path) => {
  const response = await preflight(path, 'mcp-protocol-version,user-agent', 'GET')
  expect(response.status).toBe(204)
  expect(allowed(response)).toEqual(expect.arrayContaining(['mcp-protocol-version', 'user-agent']))
})

it('lets no page call anything else', async () => {
  for (const path of ['/v2/agent/prj_1/job', '/admin/projects', '/projects', '/mcp'])
    expect((await preflight(path, 'authorization')).headers.has('access-control-allow-origin')).toBe(false)
})

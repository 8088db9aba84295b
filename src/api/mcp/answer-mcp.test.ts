import { pino } from 'pino'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createApp } from '../app.ts'
import { createRate } from '../rate.ts'
import { answerMcp } from './answer-mcp.ts'
import { toolInput, toolOutput } from './tool-input.ts'

/** A server with one tool, for 10 messages a minute. */
function limited(): (body: unknown) => Promise<Response> {
  const rate = createRate('search', { address: 10 }, () => 0)
  const app = createApp({ log: pino({ level: 'silent' }), isDraining: () => false }, [
    {
      route: { method: 'post', path: '/mcp', responses: {} },
      handle: (context) =>
        answerMcp(context, {
          name: 'com.example/docs',
          title: 'Docs',
          instructions: '',
          reportError: (error) => expect.unreachable(String(error)),
          charge: (messages) => rate.take(context, { address: 'a' }, messages),
          addTools: (add) =>
            add('echo', {
              title: 'Echo',
              description: 'Says it again.',
              input: toolInput(z.object({})),
              output: toolOutput(z.object({})),
              annotations: {},
              call: () => Promise.resolve({ structuredContent: {}, texts: ['echo'] }),
            }),
        }),
    },
  ])
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  return async (body) =>
    app.request('http://docs.example.com/mcp', { method: 'POST', headers, body: JSON.stringify(body) })
}

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
const clientInfo = { name: 'test', version: '1' }
const initialize = message('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo })

it('counts every message, whatever it asks for', async () => {
  const ask = limited()
  for (let n = 0; n < 5; n++) expect((await ask(initialize)).status).toBe(200)
  for (let n = 0; n < 5; n++) expect((await ask(message('tools/list'))).status).toBe(200)
  const refused = await ask(message('tools/list'))
  expect([refused.status, refused.headers.get('ratelimit')]).toEqual([429, '"search-address";r=0;t=6'])
})

it('counts the messages of one request apart', async () => {
  const ask = limited()
  const many = Array.from({ length: 8 }, () => message('tools/list'))
  expect((await ask(many)).status).toBe(200)
  expect((await ask(many)).status).toBe(429)
  // A refused request counts only once at most.
  expect((await ask(message('tools/list'))).status).toBe(200)
})

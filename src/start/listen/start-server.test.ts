import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import type { App } from '../../api/endpoint.ts'
import { readConfig } from '../../config.ts'
import { listen } from './start-server.ts'

it('answers a request without a usable address like every other error', async () => {
  const app: App = new OpenAPIHono()
  app.get('/', (context) => context.text('never'))
  const { server, port } = await listen(readConfig({ PORT: '0' }), app.fetch)
  try {
    const asked = request({ port, host: '127.0.0.1', headers: { host: 'a b' } }).end()
    const [response] = await once(asked, 'response')
    expect(response.statusCode).toBe(400)
    expect(response.headers['content-type']).toBe('application/json')
    expect(JSON.parse(await text(response))).toEqual({ error: expect.stringContaining('Host header') })
  } finally {
    server.close()
  }
})

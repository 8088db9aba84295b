import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, it, onTestFinished } from 'vitest'
import type { App } from '../../api/endpoint.ts'
import { readConfig } from '../../config.ts'
import type { ConnectionLimits } from './open-server.ts'
import { listen } from './start-server.ts'

async function started(limits: Partial<ConnectionLimits> = {}, host = '127.0.0.1') {
  const app: App = new OpenAPIHono()
  const streams = { open: 0, ended: 0 }
  app.get('/', (context) => context.text('fine'))
  app.get('/endless', (context) => {
    streams.open++
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
      cancel: () => void streams.ended++,
    })
    return context.body(body)
  })
  app.get('/quiet', (context) => {
    streams.open++
    return context.body(new ReadableStream({ cancel: () => void streams.ended++ }))
  })
  const { server, port } = await listen(readConfig({ PORT: '0', HOST: host }), app.fetch, limits)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port, streams }
}

async function opened(port: number, send = '', host = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(send)
  return socket
}

it('keeps a connection longer than balancers do', async () => {
  const { port } = await started()
  const asked = request({ port, host: '127.0.0.1', headers: { connection: 'keep-alive' } }).end()
  const [response] = await once(asked, 'response')
  expect(await text(response)).toBe('fine')
  expect(response.headers['keep-alive']).toBe('timeout=65')
})

it('ends a stream whose reader takes nothing, and no other', async () => {
  const { port, streams } = await started({ stalled: 1000 })
  const stalled = await opened(port, 'GET /endless HTTP/1.1\r\nHost: x\r\n\r\n')
  stalled.pause()
  const slow = await opened(port, 'GET /endless HTTP/1.1\r\nHost: x\r\n\r\n')
  const reading = setInterval(() => slow.read(), 20)
  onTestFinished(() => clearInterval(reading))
  const quiet = await opened(port, 'GET /quiet HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(() => streams, { timeout: 120_000 }).toEqual({ open: 3, ended: 1 })
  await new Promise((resolve) => setTimeout(resolve, 2500))
  expect(streams).toEqual({ open: 3, ended: 1 })
  expect([slow.destroyed, quiet.destroyed]).toEqual([false, false])
})

it.each([
  ['is no request', 'hello\r\n\r\n', 'Malformed HTTP request'],
  ['has headers without end', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}`, '16 KiB'],
  ['does not come to its end', 'GET / HTTP/1.1\r\nHost: x\r\n', 'timed out'],
])('answers what %s as everything else, and closes the connection', async (_what, sent, said) => {
  const { port } = await started(said === 'timed out' ? { head: 300, request: 300 } : {})
  const answer = await text(await opened(port, sent))
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(answer).toContain('x-error-code: invalid')
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
    error: expect.stringContaining(said),
  })
})

it.each(['GET / HTTP/1.0', 'GET / HTTP/1.0\r\nHost: x', 'GET / HTTP/1.1\r\nHost:'])(
  'answers a balancer that checks with %j',
  async (head) => {
    const { port } = await started()
    const answer = await text(await opened(port, `${head}\r\nConnection: close\r\n\r\n`))
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(answer).toContain('fine')
  },
)

it.each([
  ['no Host', 'GET / HTTP/1.1', '400 Bad Request', 'invalid'],
  ['two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b', '400 Bad Request', 'invalid'],
  ['the same Host twice', 'GET / HTTP/1.1\r\nHost: a\r\nhost: a', '400 Bad Request', 'invalid'],
  ['two Hosts in HTTP/1.0', 'GET / HTTP/1.0\r\nHost: a\r\nHost: b', '400 Bad Request', 'invalid'],
  ['an unknown Expect', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok', '417 Expectation Failed', 'invalid'],
  ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1', '405 Method Not Allowed', 'method_not_allowed'],
])('refuses %s as everything else is refused', async (_what, head, status, code) => {
  const { port } = await started()
  const answer = await text(await opened(port, `${head}\r\n\r\n`))
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\\r\\n`))
  const [fields = '', body = ''] = answer.split('\r\n\r\n')
  expect(fields.toLowerCase()).toContain(`\r\nx-error-code: ${code}\r\n`)
  expect(JSON.parse(body)).toEqual({ error: expect.any(String) })
})

const address = Object.values(networkInterfaces())
  .flat()
  .find((entry) => entry?.family === 'IPv4' && !entry.internal)?.address

it.skipIf(address === undefined)('leaves connections to others, however many an address opens', async () => {
  const { port } = await started({ connections: 50 }, '0.0.0.0')
  const sockets = await Promise.all(Array.from({ length: 60 }, () => opened(port, '', address)))
  const isOpen = (): number => sockets.filter(({ destroyed }) => !destroyed).length
  // A fifth of all.
  for (const socket of sockets) socket.resume()
  await expect.poll(isOpen).toBe(10)
  const asked = request({ port, host: '127.0.0.1' }).end()
  expect((await once(asked, 'response'))[0].statusCode).toBe(200)
})

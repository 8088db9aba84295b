import { createServer } from 'node:http'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { currentTrace, inSpan, streamInSpan } from '../lib/trace.ts'
import { startTracing } from './tracing.ts'

it('sends spans below that of the client, without messages of errors', async () => {
  const bodies: string[] = []
  const headers: unknown[] = []
  const server = createServer((request, response) => {
    headers.push(request.headers['x-team'])
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      bodies.push(body)
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const flush = await startTracing(
    {
      traces: {
        url: `http://127.0.0.1:${port}/v1/traces`,
        headers: { 'x-team': 'docs' },
        service: 'docs-server',
      },
    },
    silent,
  )
  const trace = 'a'.repeat(32)
  await inSpan(
    'request',
    { 'http.request.method': 'GET' },
    async (span) => {
      span.set({ 'http.route': '/v2/:id', 'http.response.status_code': 200 })
      await inSpan('search', {}, () => Promise.reject(new TypeError('a secret'))).catch(() => undefined)
      const stream = streamInSpan('answer', {}, words(), (one, item) => one.event(item))
      for await (const item of stream) expect(item).toBe('first text')
      // Work that was queued runs at another time, and in the tests by chance within the span.
      const link = currentTrace()
      await inSpan('turn', { 'docwright.job': 'job_1' }, () => inSpan('inside a turn', {}, wait), { link })
    },
    { parent: `00-${trace}-${'b'.repeat(16)}-01` },
  )
  await flush()
  server.close()
  const sent = bodies.join('')
  const { resourceSpans } = JSON.parse(sent) as Sent
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  const root = spans.find(({ name }) => name === 'GET /v2/:id')
  expect(root).toMatchObject({ traceId: trace, parentSpanId: 'b'.repeat(16), kind: 2 })
  const parents = new Map(spans.map(({ name, parentSpanId }) => [name, parentSpanId]))
  const answer = spans.find(({ name }) => name === 'answer')
  expect(parents.get('search')).toBe(root?.spanId)
  expect(answer).toMatchObject({ parentSpanId: root?.spanId, events: [{ name: 'first text' }] })
  expect(parents.get('inside')).toBe(answer?.spanId)
  const turn = spans.find(({ name }) => name === 'turn')
  expect(turn).toMatchObject({ kind: 5, links: [{ traceId: trace, spanId: root?.spanId }] })
  expect([turn?.parentSpanId, turn?.traceId === trace]).toEqual([undefined, false])
  expect(parents.get('inside a turn')).toBe(turn?.spanId)
  expect(sent).toContain('docs-server')
  expect(sent).toContain('TypeError')
  expect(sent).not.toContain('a secret')
  expect(headers).toEqual(['docs'])
})

it('says in the log when the collector takes no traces', async () => {
  const server = createServer((_, response) => response.writeHead(401).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const collector = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const lines: unknown[] = []
  const flush = await startTracing(
    { traces: { url: `${collector}/v1/traces?key=secret`, headers: {}, service: 'docs-server' } },
    { ...silent, warn: (...line: unknown[]) => void lines.push(line) },
  )
  await inSpan('request', {}, wait)
  await flush()
  server.close()
  expect(lines).toEqual([[{ err: expect.any(Error), collector }, 'The collector of traces takes none']])
})

const silent = { warn: () => undefined, info: () => undefined }

const wait = (): Promise<void> => Promise.resolve()

async function* words(): AsyncGenerator<string> {
  await inSpan('inside', {}, () => Promise.resolve())
  yield 'first text'
}

interface Sent {
  resourceSpans: {
    scopeSpans: { spans: { name: string; traceId: string; spanId: string; parentSpanId?: string }[] }[]
  }[]
}

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { createApp } from './app.ts'
import { exchangeSignal, isGone } from './exchange.ts'

/** A server whose answer begins with `first` and ends when the test lets it. */
async function serve() {
  const signal = Promise.withResolvers<AbortSignal>()
  const rest = Promise.withResolvers<void>()
  const app = createApp({ log: pino({ level: 'silent' }), isDraining: () => false }, [
    {
      route: { method: 'get', path: '/', responses: {} },
      handle: (context) => {
        signal.resolve(exchangeSignal(context))
        expect(exchangeSignal(context)).toBe(exchangeSignal(context))
        expect(isGone(context)).toBe(false)
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(Buffer.from('first')),
          async pull(controller) {
            await rest.promise
            controller.close()
          },
        })
        return Promise.resolve(new Response(body))
      },
    },
  ])
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const server = createServer((...exchange) => void answer(...exchange)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    rest.resolve()
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, signal: signal.promise, rest }
}

it('ends when the client has its whole answer', async () => {
  const { url, signal, rest } = await serve()
  const answer = await fetch(url)
  const over = await signal
  expect(over.aborted).toBe(false)
  rest.resolve()
  expect(await answer.text()).toBe('first')
  if (!over.aborted) await once(over, 'abort')
})

it('ends when the client leaves', async () => {
  const { url, signal } = await serve()
  const sent = request(url).end()
  sent.on('error', () => undefined)
  await once(sent, 'response')
  const over = await signal
  expect(over.aborted).toBe(false)
  sent.destroy()
  if (!over.aborted) await once(over, 'abort')
})

import { Agent, get } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import type { App } from '../../api/endpoint.ts'
import { readConfig } from '../../config.ts'
import { drain } from './drain.ts'
import { listen } from './start-server.ts'

it('answers what still comes and closes its connection, then takes no more', async () => {
  const app: App = new OpenAPIHono()
  const open = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<string>()
  app.get('/quick', (context) => context.text('quick'))
  app.get('/slow', async (context) => {
    open.resolve()
    return context.text(await ended.promise)
  })
  const listening = await listen(readConfig({ PORT: '0' }), app.fetch)
  using agent = Object.assign(new Agent({ keepAlive: true }), { [Symbol.dispose]: () => agent.destroy() })
  const ask = async (path: string) => {
    const [response] = await once(get({ port: listening.port, host: '127.0.0.1', path, agent }), 'response')
    return { closes: response.headers.connection === 'close', text: await text(response) }
  }
  expect(await ask('/quick')).toEqual({ closes: false, text: 'quick' })
  const slow = ask('/slow')
  await open.promise

  const steps: string[] = []
  const drained = drain(listening, {
    closed() {
      steps.push('closed')
      ended.resolve('slow')
    },
    endStreams: () => steps.push('streams'),
  })
  expect(await ask('/quick')).toEqual({ closes: true, text: 'quick' })
  expect(steps).toEqual([])
  expect(await slow).toEqual({ closes: true, text: 'slow' })
  await drained
  expect(steps).toEqual(['closed', 'streams'])
  await expect(ask('/quick')).rejects.toThrow('ECONNREFUSED')
})

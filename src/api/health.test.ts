import { pino } from 'pino'
import { expect, it } from 'vitest'
import { testMachine } from '../../tests/worlds/machine.ts'
import { AppError } from '../lib/errors.ts'
import type { Store } from '../store/database.ts'
import { createApp } from './app.ts'
import { healthEndpoints } from './health.ts'

it('tells balancers that the server stops while it still answers', async () => {
  const stop = new AbortController()
  const app = createApp(
    { log: pino({ level: 'silent' }), isDraining: () => false },
    healthEndpoints({ store: {} as Store, machine: testMachine(), stopping: stop.signal }),
  )
  expect((await app.request('/healthz')).status).toBe(200)
  stop.abort(new AppError('unavailable', 'The server is stopping'))
  for (const path of ['/healthz', '/readyz']) {
    const response = await app.request(path)
    expect([response.status, await response.json()]).toEqual([503, { error: 'The server is stopping' }])
  }
})

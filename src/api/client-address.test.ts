import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { createClientAddress } from './client-address.ts'
import type { RequestContext } from './endpoint.ts'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['[2001:db8::7]:51234', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['198.51.100.1, 203.0.113.7, 10.0.0.2:80', '203.0.113.7'],
  ['198.51.100.1, unknown', 'unknown'],
  ['', '10.0.0.1'],
])('reads from a proxy that forwards "%s" that the client is %s', async (forwarded, client) => {
  expect(await addressOf('10.0.0.1', forwarded)).toBe(client)
})

it('trusts only the named proxies', async () => {
  expect(await addressOf('192.0.2.1', '203.0.113.7')).toBe('192.0.2.1')
})

async function addressOf(peer: string, forwarded: string): Promise<string> {
  const addressOf = createClientAddress(['10.0.0.0/8'])
  const app = new Hono<{ Variables: RequestContext['var'] }>()
  app.get('/', (context) => context.text(addressOf(context)))
  const socket = { remoteAddress: peer, remotePort: 1, remoteFamily: 'IPv4' }
  const response = await app.request(
    '/',
    { headers: { 'x-forwarded-for': forwarded } },
    { incoming: { socket } },
  )
  return response.text()
}

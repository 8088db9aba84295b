import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createCheckAddress, type CheckAddress } from '../../../lib/check-address.ts'
import { checkedFetch } from './checked-fetch.ts'
import { createHostClient } from './host-client.ts'

const local: CheckAddress = async () => ['127.0.0.1']

it('refuses a name that leads to this machine by the time of the request', async () => {
  const seen: unknown[] = []
  const port = await serve(({ url }, response) => {
    seen.push(url)
    response.end('{}')
  })
  const answers = [['93.184.216.34'], ['127.0.0.1']]
  const checkAddress = createCheckAddress({
    isNamed: async () => false,
    resolveName: async () => answers.shift() ?? [],
    environment: {},
  })
  const base = `http://git.invalid:${port}`
  expect(await checkAddress(new URL(base))).toEqual(['93.184.216.34'])
  const ports = {
    fetch: checkedFetch(fetch, checkAddress),
    now: () => new Date(),
    delay: async () => undefined,
  }
  const client = createHostClient({ ports, name: 'Testhub', base, authorization: undefined })
  await expect(client.operation('read', (api) => api.get('/a', z.unknown()))).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining("git.invalid is in the server's own network") as string,
  })
  expect(seen).toEqual([])
})

it('connects to the checked address, as fetch would', async () => {
  const seen: unknown[] = []
  const port = await serve((request, response) => {
    const { method, url, headers } = request
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    void text(request).then((body) => {
      seen.push({ method, url, host: headers.host, length: headers['content-length'], body })
      if (method === 'DELETE') response.writeHead(204).end()
      else response.end('{"a":1}')
    })
  })
  const send = checkedFetch(fetch, local)
  const base = `http://git.invalid:${port}`
  const read = await send(`${base}/x?y`)
  expect(await read.json()).toEqual({ a: 1 })
  expect(read.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  await (await send(`${base}/x`, { method: 'POST', body: '{"b":2}' })).json()
  expect(await send(`${base}/x`, { method: 'DELETE' })).toMatchObject({ status: 204, body: null })
  const host = `git.invalid:${port}`
  expect(seen).toEqual([
    { method: 'GET', url: '/x?y', host, length: undefined, body: '' },
    { method: 'POST', url: '/x', host, length: '7', body: '{"b":2}' },
    { method: 'DELETE', url: '/x', host, length: undefined, body: '' },
  ])
})

it('follows no redirect, and ends at its signal', async () => {
  const port = await serve((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/other' }).end()
    else response.write('{')
  })
  const send = checkedFetch(fetch, local)
  const moved = await send(`http://git.invalid:${port}/moved`)
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/other'])
  const stop = new AbortController()
  const endless = await send(`http://git.invalid:${port}/endless`, { signal: stop.signal })
  const read = endless.text()
  stop.abort()
  await expect(read).rejects.toThrow(/abort/)
})

it('leaves other connections to fetch', async () => {
  const plain = async (): Promise<Response> => new Response('plain')
  const send = checkedFetch(plain, async () => undefined)
  expect(await (await send('https://git.invalid/')).text()).toBe('plain')
})

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

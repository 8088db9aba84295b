import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { expect, it } from 'vitest'
import { postWebhook, type PostPorts } from './post-webhook.ts'

const resolveTo =
  (...addresses: string[]) =>
  (): Promise<string[]> =>
    Promise.resolve(addresses)
const ports: PostPorts = { resolveName: resolveTo('127.0.0.1'), toPrivate: true, timeout: 5000 }

it.each([
  '127.0.0.1',
  '10.1.2.3',
  '::1',
  'fd00::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '169.254.169.254',
  '0.0.0.0',
])('refuses a public name that leads to %s, before any connection', async (address) => {
  const answers = [['93.184.215.14', address], [address]]
  for (const found of answers) {
    const result = await postWebhook(
      { ...ports, toPrivate: false, resolveName: resolveTo(...found) },
      'https://hooks.example/',
      '{}',
      {},
    )
    expect(result).toEqual({ status: undefined, error: expect.stringContaining(` to ${address}`) })
  }
})

it('connects to the address that was checked, under the name that was given', async () => {
  const seen: IncomingMessage[] = []
  await using server = await serve((request, response) => {
    seen.push(request)
    response.end()
  })
  let asked = 0
  const resolveName = (): Promise<string[]> => Promise.resolve(asked++ === 0 ? ['127.0.0.1'] : ['127.0.0.9'])
  const url = `http://hooks.example:${server.port}/a?b`
  expect(await postWebhook({ ...ports, resolveName }, url, '{"a":1}', {})).toEqual({ status: 200 })
  expect(asked).toBe(1)
  expect(seen[0]?.url).toBe('/a?b')
  expect(seen[0]?.headers.host).toBe(`hooks.example:${server.port}`)
})

it('asks for the certificate of the name, not of the address', async () => {
  const names: string[] = []
  const server = createTlsServer({
    SNICallback: (name, done) => {
      names.push(name)
      done(null)
    },
  })
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const result = await postWebhook(ports, `https://hooks.example:${port}/`, '{}', {})
  expect(result.status).toBeUndefined()
  expect(names).toEqual(['hooks.example'])
  server.close()
})

it('follows no redirect', async () => {
  const paths: (string | undefined)[] = []
  await using server = await serve((request, response) => {
    paths.push(request.url)
    response.writeHead(307, { location: '/other' }).end()
  })
  const result = await postWebhook(ports, `http://127.0.0.1:${server.port}/`, '{}', {})
  expect(result).toEqual({ status: 307, error: expect.stringContaining('redirects are not followed') })
  expect(paths).toEqual(['/'])
})

it('gives up on receivers that never answer and on names that never resolve', async () => {
  await using server = await serve(() => undefined)
  const impatient = { ...ports, timeout: 100 }
  const late = { status: undefined, error: expect.stringContaining('No answer') }
  expect(await postWebhook(impatient, `http://127.0.0.1:${server.port}/`, '{}', {})).toEqual(late)
  const never = { ...impatient, resolveName: () => new Promise<never>(() => undefined) }
  expect(await postWebhook(never, 'http://hooks.example/', '{}', {})).toEqual(late)
})

it('uses the status, regardless of the body', async () => {
  await using server = await serve((_request, response) => {
    response.writeHead(200)
    const pour = (): void => {
      if (!response.destroyed && response.write(Buffer.alloc(65_536))) setImmediate(pour)
    }
    response.on('drain', pour)
    pour()
  })
  expect(await postWebhook(ports, `http://127.0.0.1:${server.port}/`, '{}', {})).toEqual({ status: 200 })
})

it('says that nothing listens at the address', async () => {
  const port = await serve(() => undefined).then(async (server) => {
    await server[Symbol.asyncDispose]()
    return server.port
  })
  const result = await postWebhook(ports, `http://127.0.0.1:${port}/`, '{}', {})
  expect(result).toEqual({ status: undefined, error: expect.stringContaining('ECONNREFUSED') })
})

async function serve(listener: RequestListener): Promise<AsyncDisposable & { port: number }> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

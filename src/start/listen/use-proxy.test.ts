import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'

const script = `
  const { useProxy } = await import(${JSON.stringify(import.meta.resolve('./use-proxy.ts'))})
  const { fetchAnswer } = await import(${JSON.stringify(import.meta.resolve('../../integrations/models/fetch-answer.ts'))})
  useProxy(process.env)
  const send = process.env.SEND === 'models' ? fetchAnswer : fetch
  const text = async (url) => (await send(url)).text()
  process.stdout.write(await text('http://docs.example.com/far') + await text(process.env.NEAR + '/near'))
  process.exit(0)
`

it.each(['all', 'models'])(
  'asks others through the proxy of the usual variables, and this machine directly: %s',
  async (send) => {
    const tunnels: string[] = []
    const server = createServer((request, response) => response.end(request.url))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    // Every tunnel leads to this very server.
    server.on('connect', (request, socket: Socket) => {
      tunnels.push(request.url ?? '')
      const far = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        far.pipe(socket).pipe(far)
      })
      far.on('error', () => socket.destroy())
      socket.on('error', () => far.destroy())
    })
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const near = `http://127.0.0.1:${port}`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { PATH: process.env['PATH'] ?? '', HTTP_PROXY: near, NEAR: near, SEND: send },
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await once(child, 'close')
    expect(output).toBe('/far/near')
    expect(tunnels).toEqual(['docs.example.com:80'])
  },
)

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startServer, type TestServer } from './server.ts'

/** Hands requests on without the path or with it; `turns`: one without and the next one with it. */
export type ProxyKind = 'strips' | 'keeps' | 'turns'

/** A server that people reach below a path of a host, on which there is nothing else. */
export interface ServerBelowPath extends AsyncDisposable {
  /** Its `url` is the one of the proxy, with the path. */
  server: TestServer
  /** What the proxy does with the requests from now on. */
  kind: ProxyKind
  /** What was asked for beside the path. */
  outside: string[]
}

export const path = '/docwright'

/** The proxy sends no header of its own, and names the server by its own address: nothing tells the server of the path. */
export async function startBelowPath(environment: Record<string, string> = {}): Promise<ServerBelowPath> {
  const outside: string[] = []
  let turn = 0
  let target = ''
  const proxy = createServer((asked, answer) => {
    const url = asked.url ?? '/'
    if (url !== path && !url.startsWith(`${path}/`) && !url.startsWith(`${path}?`)) {
      outside.push(`${asked.method} ${url}`)
      answer.writeHead(404, { 'content-type': 'text/plain' }).end('Nothing here')
      return
    }
    const rest = url.slice(path.length)
    const keeps = world.kind === 'turns' ? turn++ % 2 === 1 : world.kind === 'keeps'
    const wanted = keeps ? url : rest.startsWith('/') ? rest : `/${rest}`
    const { host: _host, ...headers } = asked.headers
    const handed = request(target, { path: wanted, method: asked.method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    handed.on('error', () => answer.destroy())
    answer.on('close', () => handed.destroy())
    asked.pipe(handed)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = `http://localhost:${(proxy.address() as AddressInfo).port}${path}`
  const server = await startServer({ environment: { ...environment, DOCWRIGHT_PUBLIC_URL: url } })
  target = (JSON.parse(await readFile(join(server.dataFolder, 'server.json'), 'utf8')) as { url: string }).url
  const world: ServerBelowPath = {
    server,
    kind: 'turns',
    outside,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      proxy.closeAllConnections()
      proxy.close()
      await once(proxy, 'close')
    },
  }
  return world
}

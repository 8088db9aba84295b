import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, type Socket, connect, createServer as createProxy } from 'node:net'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { serveGit } from '../hosts/git-backend.ts'

export interface GitServer {
  /** The address of the repository. */
  url: string
  port: number
  /** Bytes that have gone to clients. */
  sent: () => number
  /** Breaks all connections after that many more bytes to clients, once. */
  cutAfter: (bytes: number) => void
  /** From now on nothing that holds the text, nor what follows, goes to clients; everything does with undefined. */
  stall: (at: string | undefined) => void
}

/** For tests: a bare repository over smart HTTP by git's own backend, behind a network that can break. */
export async function startGitServer(
  folder: string,
  certificate?: { key: string; cert: string },
): Promise<GitServer> {
  const handle = serveGit({ find: () => folder, allows: () => true })
  const server = certificate ? createSecureServer(certificate, handle) : createServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const inner = portOf(server.address())
  const sockets = new Set<Socket>()
  let sent = 0
  let left = Number.POSITIVE_INFINITY
  let stallAt: string | undefined
  const cut = (): void => {
    left = Number.POSITIVE_INFINITY
    for (const socket of sockets) socket.destroy()
  }
  const proxy = createProxy((client) => {
    const far = connect(inner, '127.0.0.1')
    let stalled = false
    for (const socket of [client, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        far.destroy()
      })
    }
    client.pipe(far)
    far.on('data', (chunk: Buffer) => {
      stalled ||= stallAt !== undefined && chunk.includes(stallAt)
      if (stalled) return
      sent += chunk.length
      left -= chunk.length
      if (left < 0) return cut()
      if (!client.write(chunk)) far.pause()
    })
    client.on('drain', () => far.resume())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    cut()
    proxy.close()
    server.close()
  })
  const port = portOf(proxy.address())
  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}/docs.git`,
    port,
    sent: () => sent,
    cutAfter: (bytes) => void (left = bytes),
    stall: (at) => void (stallAt = at),
  }
}

function portOf(address: AddressInfo | string | null): number {
  return (address as AddressInfo).port
}

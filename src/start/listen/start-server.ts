import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RequestError, getRequestListener } from '@hono/node-server'
import { withoutBase } from '../../api/base-path.ts'
import type { App } from '../../api/endpoint.ts'
import { errorResponse, toAppError } from '../../api/errors.ts'
import type { Config } from '../../config.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { openServer, type ConnectionLimits } from './open-server.ts'

const defaultPort = 4000
const triedPorts = 20

/** An HTTP server that listens, and where. */
export interface Listening {
  server: Server
  port: number
  /** The address on this machine, for commands. */
  localUrl: string
  /** What has no whole answer yet. */
  answers: ReadonlySet<ServerResponse>
}

/**
 * Listens on the configured port; without one on 4000 or the next that is free.
 * @param setting what people choose the port with
 * @throws AppError in one line when a port that was asked for is taken
 */
export async function listen(
  config: Config,
  fetch: App['fetch'],
  limits: Partial<ConnectionLimits> = {},
  setting = 'PORT or --port',
): Promise<Listening> {
  const ports =
    config.port === undefined
      ? Array.from({ length: triedPorts }, (_, index) => defaultPort + index)
      : [config.port]
  const answer = getRequestListener(fetch, {
    overrideGlobalObjects: false,
    errorHandler: refuse,
    // HTTP/1.0 has no Host header.
    hostname: 'localhost',
  })
  for (const wanted of ports) {
    const { server, answers } = openServer(config, limits, (incoming, outgoing) => {
      // Some proxies strip the path of the public URL, some keep it, and commands on this machine do not know it.
      incoming.url = withoutBase(incoming.url ?? '/')
      void answer(incoming, outgoing)
    })
    server.listen(wanted, config.host)
    const failure = await Promise.race([
      once(server, 'listening').then(() => undefined),
      once(server, 'error').then(([error]) => error as NodeJS.ErrnoException),
    ]).catch((error: unknown) => error as NodeJS.ErrnoException)
    if (failure === undefined) {
      const { port } = server.address() as AddressInfo
      const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host
      const localUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
      return { server, port, localUrl, answers }
    }
    if (failure.code !== 'EADDRINUSE' || config.port !== undefined)
      throw new AppError('unavailable', explain(failure, config, wanted, setting), { cause: failure })
  }
  throw new AppError(
    'unavailable',
    `Ports ${defaultPort} to ${defaultPort + triedPorts - 1} are all taken; choose one with ${setting}`,
  )
}

// A request without a valid address never reaches the app.
function refuse(thrown: unknown): Response {
  const response = errorResponse(
    thrown instanceof RequestError
      ? new AppError('invalid', `Malformed request: ${thrown.message}. Check the URL and Host header`)
      : toAppError(thrown),
  )
  response.headers.set('X-Content-Type-Options', 'nosniff')
  response.headers.set('X-Request-Id', newId('req'))
  return response
}

function explain(failure: NodeJS.ErrnoException, { host }: Config, port: number, setting: string): string {
  if (failure.code === 'EADDRINUSE')
    return `Port ${port} is already in use. Choose another with ${setting} (0 picks a free port)`
  if (failure.code === 'EACCES') return `Permission denied for port ${port}. Choose a port above 1023`
  if (failure.code === 'EADDRNOTAVAIL' || failure.code === 'ENOTFOUND')
    return `HOST ${host} is not an address of this machine; use 127.0.0.1 or 0.0.0.0`
  return `The server cannot listen on ${host}:${port}: ${failure.message}`
}

import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'

interface GitAnswer {
  status: number
  headers?: Record<string, string>
  body?: string
}

/** What goes wrong with a request of git, and whether it has its effect before. */
export interface GitTrouble {
  matches: (request: { method: string; url: string }) => boolean
  happens: 'before' | 'after'
  /** `drop`: the connection breaks; `truncate`: half of the answer; `pass`: nothing, but for what `meanwhile` does. */
  as: 'drop' | 'truncate' | 'pass' | GitAnswer
  /** What others do just before. */
  meanwhile?: () => void
}

/**
 * For tests: a host's bare repositories over smart HTTP, by git's own backend, at whatever path ends in `.git`.
 * `find` tells the folder of a path; `allows` decides by password and user name, and without right ones it asks for them.
 */
export function serveGit({
  find,
  moved = () => undefined,
  allows,
  onDone,
  troubles = [],
}: {
  find: (path: string) => string | undefined
  /** The present path of a repository that was renamed, to which a host redirects git. */
  moved?: (path: string) => string | undefined
  allows: (password: string, user: string) => boolean
  /** A request is over. */
  onDone?: () => void
  /** Each is for the next request that it matches. */
  troubles?: GitTrouble[]
}) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const [, path = '', inside, query = ''] = /^\/(.+)\.git(\/[^?]*)\??(.*)$/.exec(request.url ?? '') ?? []
    const now = moved(decodeURI(path))
    if (now !== undefined)
      return void response.writeHead(301, { location: `/${now}.git${inside ?? ''}?${query}` }).end()
    const folder = inside === undefined ? undefined : find(decodeURI(path))
    if (inside === undefined || folder === undefined) return void response.writeHead(404).end()
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const [user = '', password = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':')
    if (!allows(password, user)) {
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="fake"' }).end()
    }
    const { method = 'GET', url = '' } = request
    const index = troubles.findIndex((one) => one.matches({ method, url }))
    const trouble = index < 0 ? undefined : troubles.splice(index, 1)[0]
    trouble?.meanwhile?.()
    const as = trouble?.as ?? 'pass'
    if (trouble?.happens === 'before' && as !== 'pass') return fail(request, response, as)
    const child = spawn('git', ['-c', 'http.receivepack=true', 'http-backend'], {
      env: {
        PATH: process.env['PATH'] ?? '',
        GIT_CONFIG_NOSYSTEM: '1',
        HOME: '/nonexistent',
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: inside,
        QUERY_STRING: query,
        REQUEST_METHOD: method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        REMOTE_USER: user,
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    request.pipe(child.stdin)
    child.stdin.on('error', () => undefined)
    child.on('error', () => response.destroy())
    if (onDone) child.on('exit', onDone)
    if (as === 'pass') pass(child.stdout, response, Number.POSITIVE_INFINITY)
    else if (as === 'truncate') pass(child.stdout, response, 20)
    else child.stdout.resume().on('end', () => fail(request, response, as))
  }
}

/** @param most bytes of the body; then the connection breaks */
function pass(output: NodeJS.ReadableStream, response: ServerResponse, most: number): void {
  let head = ''
  const write = (chunk: Buffer): void => {
    if (most === Number.POSITIVE_INFINITY) return void response.write(chunk)
    output.pause()
    response.write(chunk.subarray(0, most), () => response.destroy())
  }
  const onData = (chunk: Buffer): void => {
    head += chunk.toString('latin1')
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    output.off('data', onData)
    const lines = head.slice(0, end).split('\r\n')
    const status = Number(/^Status: (\d+)/m.exec(head.slice(0, end))?.[1] ?? 200)
    response.writeHead(status, Object.fromEntries(lines.map((line) => line.split(': ', 2))))
    const rest = Buffer.from(head.slice(end + 4), 'latin1')
    if (most === Number.POSITIVE_INFINITY) {
      write(rest)
      output.pipe(response)
    } else if (rest.length > 0) write(rest)
    else output.once('data', write)
  }
  output.on('data', onData)
}

function fail(request: IncomingMessage, response: ServerResponse, as: 'drop' | 'truncate' | GitAnswer): void {
  if (typeof as === 'string') return void response.destroy()
  request.resume()
  response.writeHead(as.status, as.headers).end(as.body)
}

import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * For tests: one bare repository over smart HTTP, by git's own backend, at whatever path ends in `.git`. `allows` decides
 * by the password; without a right one it asks for it. `onDone`: a request is over.
 */
export function serveGit(folder: string, allows: (password: string) => boolean, onDone: () => void) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const [, inside, query = ''] = /\.git(\/[^?]*)\??(.*)$/.exec(request.url ?? '') ?? []
    if (inside === undefined) return void response.writeHead(404).end()
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const [user = '', password = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':')
    if (!allows(password)) {
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="fake"' }).end()
    }
    const child = spawn('git', ['-c', 'http.receivepack=true', 'http-backend'], {
      env: {
        PATH: process.env['PATH'] ?? '',
        GIT_CONFIG_NOSYSTEM: '1',
        HOME: '/nonexistent',
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: inside,
        QUERY_STRING: query,
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        REMOTE_USER: user,
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    request.pipe(child.stdin)
    child.stdin.on('error', () => undefined)
    let head = ''
    const onData = (chunk: Buffer): void => {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      child.stdout.off('data', onData)
      const lines = head.slice(0, end).split('\r\n')
      const status = Number(/^Status: (\d+)/m.exec(head.slice(0, end))?.[1] ?? 200)
      response.writeHead(status, Object.fromEntries(lines.map((line) => line.split(': ', 2))))
      response.write(Buffer.from(head.slice(end + 4), 'latin1'))
      child.stdout.pipe(response)
    }
    child.stdout.on('data', onData)
    child.on('error', () => response.destroy())
    child.on('exit', onDone)
  }
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DescribedApi } from './described-api.ts'

export interface ApiRequest {
  method: string
  /** Below the base of the API, encoded as it came. */
  path: string
  query: URLSearchParams
  body: unknown
  headers: Headers
  /** Of the server. */
  origin: string
}

export interface ApiAnswer {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

/** What goes wrong, and whether the request has its effect before. */
export interface Trouble {
  matches: (request: ApiRequest) => boolean
  happens: 'before' | 'after'
  /** `hang`: no answer ever; `drop`: the connection breaks; `truncate`: half of the answer. */
  as: 'hang' | 'drop' | 'truncate' | ApiAnswer
}

export interface DescribedServer extends AsyncDisposable {
  origin: string
  /** `POST /repos/o/r/pulls`, in the order in which they came. */
  requests: string[]
  /** Each is for the next request that it matches. */
  troubles: Trouble[]
  /** What goes wrong besides: asked for every request. */
  trouble: ((request: ApiRequest) => Trouble | undefined) | undefined
}

/**
 * For tests: an API over HTTP. When it is disposed, it throws when a request or an answer was not as described, or when
 * something was asked that is not described at all. Requests outside of `base` go to `others`.
 */
export async function serveDescribedApi(
  api: DescribedApi,
  base: string,
  answer: (request: ApiRequest) => ApiAnswer | Promise<ApiAnswer>,
  others: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => {
    response.writeHead(404).end('<html>Not found</html>')
  },
): Promise<DescribedServer> {
  const problems: string[] = []
  const requests: string[] = []
  const troubles: Trouble[] = []
  let origin = ''
  const served: DescribedServer = {
    get origin() {
      return origin
    },
    requests,
    troubles,
    trouble: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      if (problems.length > 0) throw new Error(`Not as described:\n${problems.join('\n')}`)
    },
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', origin)
    const method = incoming.method ?? 'GET'
    if (!url.pathname.startsWith(`${base}/`)) {
      const { authorization, 'private-token': token } = incoming.headers
      const isMeant = (authorization ?? token) !== undefined && !url.pathname.includes('.git/')
      // Without a credential it only asks who is here.
      response.once('finish', () => {
        if (isMeant && response.statusCode === 404) problems.push(`${method} ${url.pathname}: it is outside`)
      })
      return others(incoming, response)
    }
    const path = url.pathname.slice(base.length)
    const name = `${method} ${path}`
    requests.push(name)
    const headers = new Headers()
    for (const [key, value] of Object.entries(incoming.headers)) headers.set(key, String(value))
    const text = await readBody(incoming)
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    const request: ApiRequest = { method, path, query: url.searchParams, body, headers, origin }
    const index = troubles.findIndex((one) => one.matches(request))
    const trouble = index < 0 ? served.trouble?.(request) : troubles.splice(index, 1)[0]
    problems.push(...api.checkRequest(request).map((problem) => `${name}: ${problem}`))
    if (trouble?.happens === 'before') return send(response, trouble.as, {})
    const given = await answer(request)
    problems.push(
      ...api
        .checkAnswer(request, { status: given.status, body: given.body })
        .map((problem) => `${name} → ${given.status}: ${problem}`),
    )
    send(response, trouble?.as ?? given, given.body)
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      problems.push(`${incoming.method} ${incoming.url}: ${String(error)}`)
      response.destroy()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return served
}

function send(response: ServerResponse, how: Trouble['as'], body: unknown): void {
  if (how === 'hang') return
  if (how === 'drop') return void response.destroy()
  if (how === 'truncate') {
    const text = JSON.stringify(body ?? {})
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length + 1 })
    response.write(text.slice(0, -1), () => response.destroy())
    return
  }
  response.writeHead(how.status, { 'content-type': 'application/json; charset=utf-8', ...how.headers })
  response.end(how.body === undefined ? '' : JSON.stringify(how.body))
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

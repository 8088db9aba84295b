import { Agent, request, type IncomingMessage } from 'node:http'
import { z } from 'zod'
import { runCommand, settledJob, type TestServer } from './server.ts'

/** All kinds of requests that stream, hold something, or are large. */
export const requestKinds = [
  'question v2',
  'question v1',
  'question whose reader leaves',
  'question whose body breaks off',
  'traced question',
  'MCP tools/list',
  'MCP initialize',
  'MCP of the newest revision',
  'MCP read_page',
  'MCP whose reader leaves',
  'MCP follow_job',
  'event stream',
  'event stream whose reader leaves',
  'live page',
  'export',
  'export whose reader leaves',
  'llms-full.txt',
  'llms-full.txt compressed',
  'llms-full.txt whose reader leaves',
  'upload that breaks off',
  'openapi.json',
  'page of the documentation',
  'search',
] as const

type KindName = (typeof requestKinds)[number]

/** One of them. Each call makes a request and resolves when it is over. */
export interface RequestKind {
  name: KindName
  send(): Promise<void>
}

interface Sent {
  method?: string
  path: string
  key?: string
  headers?: Record<string, string>
  body?: string
  /** When the client breaks the exchange off; it reads the whole answer otherwise. */
  leave?: 'in the body' | 'at the head' | 'in the answer'
}

/** Connections are kept: a socket that is closed takes longer to be forgotten than its request. */
const agent = new Agent({ keepAlive: true, maxSockets: 16 })

/** Prepares a server on which all of them can be sent, and names them. */
export async function openRequestKinds(server: TestServer): Promise<RequestKind[]> {
  const { projectId, domain, adminKey, assistantKey } = server.welcome
  await runCommand(server.dataFolder, 'project', 'set', domain, '--visibility', 'public')
  const cookie = await signIn(server)
  const jobs = `/v2/agent/${projectId}/job`
  const created = await server.request('POST', jobs, { key: adminKey, body: { prompt: 'What can you do?' } })
  const job = `${jobs}/${z.object({ id: z.string() }).parse(await created.json()).id}`
  await settledJob(server, job, adminKey)
  const jobId = job.slice(jobs.length + 1)

  const question = (text: string): string =>
    JSON.stringify({
      fp: 'anonymous',
      messages: [{ id: '1', role: 'user', content: text, parts: [{ type: 'text', text }] }],
    })
  const asked = (version: 'v1' | 'v2', more: Partial<Sent> = {}): Sent => ({
    path: `/discovery/${version}/assistant/${domain}/message`,
    key: assistantKey,
    body: question(`How do I follow up on a job? ${'Please. '.repeat(500)}`),
    ...more,
  })
  const mcp = (path: string, method: string, params: object, more: Partial<Sent> = {}): Sent => ({
    path,
    headers: { accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    ...more,
  })
  const docs = `/mcp/${domain}`
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  const newest = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': client.clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const newestHeaders = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/list',
  }
  const follow = { name: 'follow_job', arguments: { project: domain, job: jobId, wait: 1 } }
  const events: Sent = { path: `${job}/events`, key: adminKey, headers: { accept: 'text/event-stream' } }
  const live: Sent = { path: `/live/projects/${domain}`, headers: { cookie }, leave: 'in the answer' }
  const whole = `/docs/${domain}/llms-full.txt`
  const kinds: Record<KindName, Sent> = {
    'question v2': asked('v2'),
    'question v1': asked('v1'),
    'question whose reader leaves': asked('v2', { leave: 'in the answer' }),
    'question whose body breaks off': asked('v2', { leave: 'in the body' }),
    'traced question': {
      path: `/v2/insights/${projectId}/trace`,
      key: adminKey,
      body: JSON.stringify({ question: 'How do I follow up on a job?', model: 'builtin' }),
    },
    'MCP tools/list': mcp(docs, 'tools/list', {}),
    'MCP initialize': mcp(docs, 'initialize', client),
    'MCP of the newest revision': mcp(docs, 'tools/list', { _meta: newest }, { headers: newestHeaders }),
    'MCP read_page': mcp(docs, 'tools/call', { name: 'read_page', arguments: { path: 'quickstart' } }),
    'MCP whose reader leaves': mcp(docs, 'tools/list', {}, { leave: 'at the head' }),
    'MCP follow_job': mcp('/mcp', 'tools/call', follow, { key: adminKey }),
    'event stream': events,
    'event stream whose reader leaves': { ...events, leave: 'in the answer' },
    'live page': live,
    export: { path: `/v2/insights/${projectId}/export`, key: adminKey },
    'export whose reader leaves': {
      path: `/v2/insights/${projectId}/export`,
      key: adminKey,
      leave: 'in the answer',
    },
    'llms-full.txt': { path: whole },
    'llms-full.txt compressed': { path: whole, headers: { 'accept-encoding': 'gzip' } },
    'llms-full.txt whose reader leaves': { path: whole, leave: 'in the answer' },
    'upload that breaks off': {
      path: jobs,
      key: adminKey,
      body: JSON.stringify({ prompt: 'x'.repeat(200_000) }),
      leave: 'in the body',
    },
    'openapi.json': { path: '/openapi.json' },
    'page of the documentation': { path: `/docs/${domain}/quickstart` },
    search: {
      path: `/discovery/v1/search/${domain}`,
      key: assistantKey,
      body: JSON.stringify({ query: 'follow up on a job' }),
    },
  }
  return requestKinds.map((name) => ({ name, send: () => send(server.url, kinds[name]) }))
}

/** Sends some of a kind, several at once. */
export async function sendMany(kind: RequestKind, count: number, atOnce = 8): Promise<void> {
  let left = count
  const loop = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await kind.send()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
}

async function signIn(server: TestServer): Promise<string> {
  const { stdout } = await runCommand(server.dataFolder, 'sign-in')
  const token = /token=(\S+)/.exec(stdout)?.[1] ?? ''
  const answer = await fetch(`${server.url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
    body: new URLSearchParams({ token }).toString(),
  })
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}

function send(url: string, { method, path, key, headers, body, leave }: Sent): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const sent = request(`${url}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    agent,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': body.length }),
      ...headers,
    },
  })
  const over = (): void => {
    sent.destroy()
    resolve()
  }
  sent.on('error', (error) => (leave === undefined ? reject(error) : resolve()))
  sent.on('response', (response: IncomingMessage) => {
    response.on('error', reject)
    response.on('end', resolve)
    if ((response.statusCode ?? 500) >= 300) {
      reject(new Error(`${path}: status ${response.statusCode}`))
      response.resume()
    } else if (leave === 'at the head') over()
    else if (leave === 'in the answer') response.once('data', over)
    else response.resume()
  })
  if (leave !== 'in the body') sent.end(body)
  else sent.write((body ?? '').slice(0, 2000), () => setTimeout(over, 5))
  return promise
}

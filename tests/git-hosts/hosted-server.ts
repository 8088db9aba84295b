import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { HostHappening, StagedHost } from '../worlds/hosts/staged-host.ts'
import { settledJob, startServer, type TestServer } from '../server.ts'

const publicUrl = 'http://docs.example.com'

export interface HostedJob {
  id: string
  status: string
  prLink: string | null
  turns: number
  failure: { code: string; message: string } | null
  source: { ref: string }
  pullRequest: { number: number; state: string } | null
}

/** The product with its operator's and users' hands, for projects on staged hosts. */
export interface HostedServer extends AsyncDisposable {
  server: TestServer
  /** Every answer to a request of these tests so far. */
  answers: string[]
  ask: (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>
  /** `domain` is the host's name unless another is given. @returns the project's id */
  add: (host: StagedHost) => Promise<{ id: string; notes: string[] }>
  pages: (host: StagedHost) => Promise<number>
  /** Creates a job and waits for its end. */
  job: (projectId: string, prompt: string) => Promise<HostedJob>
  /** Sends a follow-up and waits for its end. */
  follow: (projectId: string, jobId: string, prompt: string) => Promise<HostedJob>
  read: (projectId: string, jobId: string) => Promise<HostedJob>
  /** The host calls, with `secret` in place of its own when given. @returns the status of the answer */
  tell: (host: StagedHost, happening: HostHappening, change?: (body: string) => string) => Promise<number>
  /** Where any of these stands, in whatever form, in what the server printed, answered, or keeps on disk. */
  find: (secrets: readonly string[]) => Promise<string[]>
}

export async function startHostedServer(environment: Record<string, string>): Promise<HostedServer> {
  const server = await startServer({
    environment: { DOCWRIGHT_PUBLIC_URL: publicUrl, LOG_LEVEL: 'debug', ...environment },
  })
  const file = (name: string): Promise<string> => readFile(join(server.dataFolder, name), 'utf8')
  const { url } = JSON.parse(await file('server.json')) as { url: string }
  const token = (await file('operator-token')).trim()
  const answers: string[] = []
  const local = { ...server, request: requestAt(url, answers) }
  const ask: HostedServer['ask'] = async (method, path, body) => {
    const response = await local.request(method, path, { key: token, body })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, body: isJson ? JSON.parse(text) : text }
  }
  const settled = async (path: string): Promise<HostedJob> =>
    (await settledJob(local, path, token)) as unknown as HostedJob
  return {
    server,
    answers,
    ask,
    async add({ name, kind, url: location, credential }) {
      const added = await ask('POST', '/admin/projects', { location, domain: name, host: kind, credential })
      expect([name, added.status]).toEqual([name, 201])
      return added.body as { id: string; notes: string[] }
    },
    async pages({ name }) {
      const { body } = await ask('GET', `/admin/projects/${name}`)
      return (body as { pages: number }).pages
    },
    async job(projectId, prompt) {
      const { status, body } = await ask('POST', `/v2/agent/${projectId}/job`, { prompt })
      expect(status).toBeLessThan(300)
      return settled(`/v2/agent/${projectId}/job/${(body as HostedJob).id}`)
    },
    async follow(projectId, jobId, prompt) {
      const path = `/v2/agent/${projectId}/job/${jobId}`
      const { status } = await ask('POST', `${path}/message`, { prompt })
      expect(status).toBeLessThan(300)
      return settled(path)
    },
    async read(projectId, jobId) {
      const { body } = await ask('GET', `/v2/agent/${projectId}/job/${jobId}`)
      return body as HostedJob
    },
    async tell(host, happening, change = (body) => body) {
      const call = host.tell(happening)
      expect(call.url).toMatch(/^http:\/\/docs\.example\.com\/hosts\/[\w-]+\/webhook$/)
      const response = await fetch(call.url.replace(publicUrl, url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...call.headers },
        body: change(call.body),
      })
      answers.push(await response.text())
      return response.status
    },
    async find(secrets) {
      const places = [
        { name: 'output', content: Buffer.from(server.output()) },
        { name: 'answers', content: Buffer.from(answers.join('\n')) },
      ]
      for (const name of await filesIn(server.dataFolder))
        places.push({ name, content: await readFile(name).catch(() => Buffer.alloc(0)) })
      return places.flatMap(({ name, content }) =>
        secrets
          .filter((secret) => formsOf(secret).some((form) => content.includes(form)))
          .map((secret) => `${name}: ${secret.slice(0, 10)}…`),
      )
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

export async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const found = await look()
    if (found) return found
    await new Promise((done) => setTimeout(done, 250))
  }
}

// The server answers at its public address only what is meant for it, so it is asked where it listens.
function requestAt(url: string, answers: string[]): TestServer['request'] {
  return async (method, path, { key, body } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    answers.push(await response.clone().text())
    return response
  }
}

/** As it is, and as it stands in base64 after anything else. */
export function formsOf(secret: string): string[] {
  const encoded = [0, 1, 2].map((before) =>
    Buffer.from(`${' '.repeat(before)}${secret}`)
      .toString('base64')
      .slice(before && 4, -4),
  )
  return [secret, ...encoded]
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

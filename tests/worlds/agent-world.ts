import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { cancelJob } from '../../src/features/agent/cancel-job.ts'
import { scriptedModels } from './scripted-model.ts'
import { createKey, revokeKey } from '../../src/nouns/keys/table.ts'
import { insertOrganization } from '../../src/features/projects/organizations.ts'
import { insertProject, type Project } from '../../src/features/projects/projects.ts'
import type { Store } from '../../src/store/database.ts'
import { createAccess } from '../../src/api/access.ts'
import { createApp } from '../../src/api/app.ts'
import type { App } from '../../src/api/endpoint.ts'
import { jobEndpoints } from '../../src/nouns/jobs/run.ts'
import { webhookDeeds } from '../../src/nouns/webhooks/run.ts'
import { httpDoor } from '../../src/verbs/http.ts'
import { testMachine } from './machine.ts'

/** For tests: the job endpoints over a real store, with nobody who runs the jobs. */
export interface AgentWorld {
  app: App
  store: Store
  project: Project
  /** Aborts what the server aborts when it stops. */
  stopping: AbortController
  /** Where the project's jobs are. */
  base: string
  send(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Response>
  newJob(): Promise<string>
  cancel(jobId: string): Promise<void>
  revokeKey(): Promise<void>
}

let domains = 0

export async function createAgentWorld(store: Store): Promise<AgentWorld> {
  const { project, key } = await store.transaction(async (tx) => {
    const { id: organizationId } = await insertOrganization(tx, 'Test')
    const place = { kind: 'path', location: '/srv/docs.git', ref: 'main', root: '', site: undefined } as const
    const domain = `agent-docs-${++domains}`
    return {
      project: await insertProject(tx, { organizationId, domain, ...place }),
      key: await createKey(tx, { kind: 'admin', organizationId }),
    }
  })
  const publicUrl = (): string => 'https://docs.example.com'
  const addressOf = () => '192.0.2.1'
  const access = createAccess({ store, operatorToken: 'operator', addressOf, publicUrl })
  const stopping = new AbortController()
  const models = scriptedModels({} as never)
  const machine = testMachine()
  const jobs = {
    access,
    store,
    queue: { send: () => Promise.resolve() },
    models,
    machine,
    publicUrl,
    repositoryUrl: () => 'https://docs.example.com/git/docs.git',
    mirror: () => Promise.reject(new Error('There is no mirror')),
    stopping: stopping.signal,
  }
  const app = createApp({ log: pino({ level: 'silent' }), isDraining: () => false }, [
    ...jobEndpoints(jobs),
    ...httpDoor(
      { access, publicUrl, store, secretKey: [randomBytes(32)] as const, toPrivate: false },
      webhookDeeds,
    ),
  ])
  const base = `/v2/agent/${project.id}`
  const send: AgentWorld['send'] = async (method, path, { body, headers, signal } = {}) =>
    app.request(path, {
      method,
      headers: { authorization: `Bearer ${key.secret}`, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  return {
    app,
    store,
    project,
    stopping,
    base,
    send,
    async newJob() {
      const response = await send('POST', `${base}/job`, { body: { prompt: 'Fix it' } })
      return ((await response.json()) as { id: string }).id
    },
    async cancel(jobId) {
      await cancelJob(store, project, jobId)
    },
    async revokeKey() {
      await store.transaction((tx) => revokeKey(tx, key.key.id))
    },
  }
}

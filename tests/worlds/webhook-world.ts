import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook as Verifier } from 'standardwebhooks'
import { sql } from 'kysely'
import { newId } from '../../src/lib/ids.ts'
import type { Store } from '../../src/store/database.ts'
import { createJob } from '../../src/features/agent/create-job.ts'
import { scriptedModels } from './scripted-model.ts'
import { createWebhook } from '../../src/nouns/webhooks/create-webhook.ts'
import type { WebhookPayload } from '../../src/features/agent/webhooks/payload.ts'
import { postDefaults } from '../../src/features/agent/webhooks/post-webhook.ts'
import {
  createWebhookSender,
  type SendPorts,
  type WebhookSender,
} from '../../src/features/agent/webhooks/send-webhooks.ts'
import { testMachine } from './machine.ts'

/** For tests: a receiver on this machine that answers as told and checks every signature. */
export interface Receiver extends AsyncDisposable {
  url: string
  port: number
  /** What each request was answered with is decided by this; a promise holds the answer back. */
  answer: (attempt: Received) => number | Promise<number>
  received: Received[]
}

interface Received {
  id: string
  payload: WebhookPayload
  headers: Record<string, string>
  body: string
}

export interface WebhookWorld {
  store: Store
  projectId: string
  ports: SendPorts
  newJob(): Promise<string>
  /** A webhook to the receiver, which from then on verifies with its secret. */
  add(receiver: Receiver, events?: string[]): Promise<string>
  sender(override?: Partial<SendPorts>): WebhookSender
  /** Sends until nothing is due and nothing is on its way. */
  sendAll(sender?: WebhookSender): Promise<void>
  /** Lets the time pass until the next attempt of everything. */
  makeDue(): Promise<void>
}

const secrets = new Map<string, string>()

export async function openReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const headers = request.headers as Record<string, string>
      // Throws, and so ends the test, for a signature that is not right.
      const payload = new Verifier(secrets.get(receiver.url) ?? '').verify(body, headers) as WebhookPayload
      const one = { id: headers['webhook-id'] ?? '', payload, headers, body }
      receiver.received.push(one)
      void Promise.resolve(receiver.answer(one)).then((status) => response.writeHead(status).end('ok'))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    answer: () => 204,
    received: [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  return receiver
}

export async function createWebhookWorld(store: Store): Promise<WebhookWorld> {
  const projectId = newId('prj')
  await store.transaction(async (tx) => {
    const organization_id = newId('org')
    const domain = `docs-${projectId.slice(-12)}`
    await tx.insertInto('organizations').values({ id: organization_id, name: 'Test' }).execute()
    await tx
      .insertInto('projects')
      .values({
        id: projectId,
        organization_id,
        domain,
        kind: 'path',
        location: '/srv/docs',
        ref: 'main',
        root: '',
      })
      .execute()
  })
  const ports: SendPorts = {
    ...postDefaults,
    store,
    secretKey: [randomBytes(32)],
    toPrivate: true,
    publicUrl: () => 'https://docs.example.com',
    reportError: (error) => {
      throw error
    },
    stopping: new AbortController().signal,
  }
  const sender = (override: Partial<SendPorts> = {}): WebhookSender =>
    createWebhookSender({ ...ports, ...override })
  return {
    store,
    projectId,
    ports,
    sender,
    async newJob() {
      const project = { id: projectId, ref: 'main', settings: {} }
      const jobPorts = {
        store,
        queue: { send: () => Promise.resolve() },
        models: scriptedModels({} as never),
        machine: testMachine(),
      }
      return (await createJob(jobPorts, project, { prompt: 'Fix it' }, () => Promise.resolve())).id
    },
    async add(receiver, events = []) {
      const { webhook, secret } = await createWebhook(ports, projectId, { url: receiver.url, events })
      secrets.set(receiver.url, secret)
      return webhook.id
    },
    async sendAll(one = sender()) {
      await one.sweep()
      await one.settled()
    },
    makeDue: () =>
      store.transaction(async (tx) => {
        await tx
          .updateTable('webhook_messages')
          .set({ next_attempt_at: sql<Date>`now()` })
          .where('state', '=', 'pending')
          .execute()
      }),
  }
}

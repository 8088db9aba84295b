import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { runCommand, settledJob, startServer } from './server.ts'

interface Told {
  id: string
  type: string
  job: { id: string; status: string; prLink: string | null }
}

it('tells a receiver of a job, once per event, though a process dies while it sends', async () => {
  const told: Told[] = []
  let secret = ''
  let answering = true
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const headers = request.headers as Record<string, string>
      const payload = new Webhook(secret).verify(Buffer.concat(chunks).toString(), headers) as {
        type: string
        data: { job: Told['job'] }
      }
      told.push({ id: headers['webhook-id'] ?? '', type: payload.type, job: payload.data.job })
      if (answering) response.writeHead(204).end()
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`

  const environment = { DOCWRIGHT_WEBHOOKS_TO_PRIVATE: 'true', LOG_LEVEL: 'debug' }
  await using server = await startServer({ environment })
  const { dataFolder } = server
  const { projectId, adminKey } = server.welcome
  const added = await runCommand(dataFolder, 'webhook', 'add', url, '--json')
  secret = (JSON.parse(added.stdout) as { secret: string }).secret
  expect((await runCommand(dataFolder, 'webhook', 'test', webhookOf(added.stdout))).code).toBe(0)
  expect(told.splice(0).map(({ type }) => type)).toEqual(['webhook.test'])

  answering = false
  const prompt = 'Replace "Docwright" with "Docwright server" in the quickstart page'
  const created = await server.request('POST', `/v2/agent/${projectId}/job`, {
    key: adminKey,
    body: { prompt },
  })
  const path = `/v2/agent/${projectId}/job/${((await created.json()) as { id: string }).id}`
  const job = await settledJob(server, path, adminKey)
  await expect.poll(() => told.length).toBeGreaterThan(0)
  await server.stop('SIGKILL')
  expect(server.output()).not.toContain(secret.slice(6))

  const held = told.splice(0).map(({ id }) => id)
  answering = true
  await using next = await startServer({ dataFolder, environment })
  // The dead process's claims are over by then.
  await expect.poll(() => told.length).toBe(3)
  const inOrder = told.toSorted((a, b) => (a.type < b.type ? -1 : 1))
  expect(inOrder.map(({ type, job: { status } }) => [type, status])).toEqual([
    ['job.completed', 'completed'],
    ['job.pull_request_opened', 'completed'],
    ['job.started', 'active'],
  ])
  const ids = told.map(({ id }) => id)
  expect(new Set(ids).size).toBe(3)
  for (const id of held) expect(ids).toContain(id)
  // Each process has a port of its own here, and links begin with the address of the one that sends.
  const link = String(job['prLink']).replace(server.url, next.url)
  expect(told.find(({ type }) => type === 'job.completed')?.job.prLink).toBe(link)
  receiver.closeAllConnections()
  receiver.close()
})

function webhookOf(text: string): string {
  return (JSON.parse(text) as { id: string }).id
}

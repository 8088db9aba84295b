import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startModelMock, type ModelAnswer } from '../model-mock.ts'
import { createBareRepository, git } from '../repository.ts'
import { runCommand, settledJob, startServer, startWorker, type TestServer } from '../server.ts'
import { createTestDatabase } from '../prepared-stores.ts'

const prompt = 'Describe the new flag on both pages and add a page about it'
const steps: ModelAnswer[] = [
  [['list_pages', {}]],
  [['read_file', { path: 'one.md' }]],
  [['edit_file', { path: 'one.md', edits: [{ search: 'Old one.', replace: 'New one with `--flag`.' }] }]],
  [
    ['read_file', { path: 'two.md' }],
    ['grep', { pattern: 'Old' }],
  ],
  [['edit_file', { path: 'two.md', edits: [{ search: 'Old two.', replace: 'New two with `--flag`.' }] }]],
  [['write_file', { path: 'flag.md', content: '# The flag\n\nIt is called `--flag`.\n' }]],
  [['set_front_matter', { path: 'flag.md', fields: { title: 'The flag' } }]],
  [['grep', { pattern: '--flag' }]],
  [['check', {}]],
  [['finish', { title: 'Describe the flag', summary: 'Both pages and a new one describe it.' }]],
]

it('makes one pull request when the server is killed at every step', async () => {
  await using receiver = await startReceiver()
  const plan = killPlan(everyMoment)
  await using model = await startModelMock(({ step }) => plan.answer(step, 0))
  const environment = { ...model.environment, DOCWRIGHT_WEBHOOKS_TO_PRIVATE: 'true' }
  const first = await startServer({ arguments: ['--no-demo'], environment })
  const key = first.welcome.adminKey
  const project = await addProject(first, receiver)
  plan.next()
  const job = await createJob(first, project.id)
  let server: TestServer = first
  for (let n = 0; n < everyMoment.length; n++) {
    await plan.reached()
    plan.next()
    await server.stop('SIGKILL')
    if (n < everyMoment.length - 1) server = await startServer({ dataFolder: first.dataFolder, environment })
  }
  await using last = await startServer({ dataFolder: first.dataFolder, environment })
  await expectOneResult(await settledJob(last, job, key), project.repository, receiver)
  // Killed twice at each step, and perhaps once more in a call that followed.
  for (const count of model.asked.values()) expect(count).toBeLessThanOrEqual(4)
})

it('makes one pull request when whichever of three workers has the job is killed at every step', async () => {
  await using receiver = await startReceiver()
  const waiting = everyMoment.filter(({ when }) => when === 'waiting')
  const plan = killPlan(waiting)
  const database = await createTestDatabase()
  // Each process has an address of its own, so that the one that calls is known.
  await using models = new AsyncDisposableStack()
  const environments: Record<string, string>[] = []
  for (const worker of [0, 1, 2, 3]) {
    const model = models.use(await startModelMock(({ step }) => plan.answer(step, worker)))
    const more = { DATABASE_URL: database, DOCWRIGHT_WEBHOOKS_TO_PRIVATE: 'true' }
    environments.push({ ...model.environment, ...more })
  }
  const [serving = {}, ...working] = environments
  let server = await startServer({ arguments: ['--no-demo'], environment: serving })
  const { dataFolder, welcome } = server
  const workers = await Promise.all(working.map((environment) => startWorker(dataFolder, environment)))
  try {
    const project = await addProject(server, receiver)
    plan.next()
    const job = await createJob(server, project.id)
    for (let n = 0; n < waiting.length; n++) {
      const caller = await plan.reached()
      plan.next()
      if (caller === 0) {
        await server.stop('SIGKILL')
        server = await startServer({ dataFolder, environment: serving })
      } else {
        workers[caller - 1]?.kill('SIGKILL')
        workers[caller - 1] = await startWorker(dataFolder, working[caller - 1] ?? {})
      }
    }
    const settled = await settledJob(server, job, welcome.adminKey)
    expect(settled['status']).toBe('completed')
    await expectOneResult(settled, project.repository, receiver)
  } finally {
    for (const worker of workers) worker.kill('SIGKILL')
    await server.stop('SIGKILL')
  }
})

interface Moment {
  step: number
  /** While the process waits for the model's answer, or soon after the answer came. */
  when: 'waiting' | 'soon after'
}

/** A step that changes a page and the last one, or all of them in the long runs. */
const killedSteps =
  process.env['TEST_ALL'] === undefined ? [4, steps.length - 1] : steps.map((_, step) => step)
const everyMoment: Moment[] = killedSteps.flatMap((step) => [
  { step, when: 'waiting' as const },
  { step, when: 'soon after' as const },
])

/** Answers as the model, and tells when the call has come at which somebody is to be killed. */
function killPlan(moments: readonly Moment[]) {
  const left = [...moments]
  let due: Moment | undefined
  let called = Promise.withResolvers<{ caller: number; when: Moment['when'] }>()
  return {
    async answer(step: number, caller: number): Promise<ModelAnswer> {
      if (due?.step === step) {
        const { when } = due
        due = undefined
        called.resolve({ caller, when })
        if (when === 'waiting') await delay(1000)
      }
      return steps[step] ?? 'There is nothing more'
    },
    /** Before the kill: whoever goes on may call at once. */
    next(): void {
      due = left.shift()
      called = Promise.withResolvers()
    },
    /** @returns which process called */
    async reached(): Promise<number> {
      const { caller, when } = await called.promise
      if (when === 'soon after') await delay(Math.random() * 60)
      return caller
    },
  }
}

interface Receiver extends AsyncDisposable {
  url: string
  /** Types of what came, by message id. */
  messages: Map<string, string>
}

async function startReceiver(): Promise<Receiver> {
  const messages = new Map<string, string>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { type } = JSON.parse(Buffer.concat(chunks).toString()) as { type: string }
      messages.set(String(request.headers['webhook-id']), type)
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    messages,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

async function addProject(
  server: TestServer,
  receiver: Receiver,
): Promise<{ id: string; repository: string }> {
  const repository = await createBareRepository({
    'one.md': '# One\n\nOld one.\n',
    'two.md': '# Two\n\nOld two.\n',
  })
  const added = await runCommand(
    server.dataFolder,
    'project',
    'add',
    repository,
    '--domain',
    'kills',
    '--json',
  )
  const { id } = JSON.parse(added.stdout) as { id: string }
  const hook = await server.request('POST', `/v2/agent/${id}/webhooks`, {
    key: server.welcome.adminKey,
    body: { url: receiver.url },
  })
  expect(hook.status).toBe(201)
  return { id, repository }
}

async function createJob(server: TestServer, projectId: string): Promise<string> {
  const key = server.welcome.adminKey
  const created = await server.request('POST', `/v2/agent/${projectId}/job`, { key, body: { prompt } })
  const { id } = (await created.json()) as { id: string }
  return `/v2/agent/${projectId}/job/${id}`
}

async function expectOneResult(
  job: Record<string, unknown>,
  repository: string,
  receiver: Receiver,
): Promise<void> {
  expect(job).toMatchObject({ status: 'completed', failure: null, pullRequest: { number: 1, state: 'open' } })
  const { ref } = job['source'] as { ref: string }
  expect(await git(repository, 'rev-list', '--count', `main..${ref}`)).toBe('1')
  expect((await git(repository, 'branch', '--list', 'docwright/*')).split('\n')).toHaveLength(1)
  expect(await git(repository, 'show', `${ref}:one.md`)).toBe('# One\n\nNew one with `--flag`.')
  expect(await git(repository, 'show', `${ref}:two.md`)).toBe('# Two\n\nNew two with `--flag`.')
  expect(await git(repository, 'show', `${ref}:flag.md`)).toContain('title: The flag')
  // Delivery goes on after the job is done; each event has one id, however often it was sent.
  const expected = ['job.completed', 'job.pull_request_opened', 'job.started']
  for (let tries = 0; tries < 100 && receiver.messages.size < expected.length; tries++) await delay(200)
  expect([...receiver.messages.values()].toSorted()).toEqual(expected)
}

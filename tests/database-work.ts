import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { startModelMock, type ModelAnswer } from './model-mock.ts'
import { createBareRepository, git } from './repository.ts'
import { runCommand, settledJob, startServer, startWorker, type TestServer } from './server.ts'

export const jobs = 8
/** Milliseconds: a limit for what hangs. */
export const waiting = { timeout: 300_000, interval: 500 }

interface DatabaseWork extends AsyncDisposable {
  server: TestServer
  /** How many jobs have begun. */
  begun(): Promise<number>
  /** Asks the assistant, and reads the answer to its end. */
  ask(): Promise<void>
  expectResults(): Promise<void>
}

/** A server with a project, and jobs that have been asked for; and workers beside it. */
export async function startWork(
  databaseUrl: string,
  more: Record<string, string> = {},
  workers = 0,
): Promise<DatabaseWork> {
  const prompts = Array.from({ length: jobs }, (_, n) => `Say New on page ${n}.`)
  const model = await startModelMock(async ({ prompt, step }) => {
    const n = prompts.findIndex((one) => prompt.includes(one))
    if (n < 0) return 'It is told on one of the pages.'
    await delay(2000)
    return stepsOf(n)[step] ?? 'There is nothing more'
  })
  const environment = { ...model.environment, DATABASE_URL: databaseUrl, ...more }
  const server = await startServer({ arguments: ['--no-demo'], environment })
  const beside = await startWorkers(server, environment, workers)
  const repository = await createBareRepository(
    Object.fromEntries(prompts.map((_, n) => [`page-${n}.md`, `# Page ${n}\n\nOld ${n}.\n`])),
  )
  const key = server.welcome.adminKey
  const run = async (...words: string[]): Promise<Record<string, string>> =>
    JSON.parse((await runCommand(server.dataFolder, ...words, '--json')).stdout) as Record<string, string>
  const { id } = await run('project', 'add', repository, '--domain', 'docs')
  const { key: assistantKey = '' } = await run('key', 'create', '--kind', 'assistant', '--project', 'docs')
  const paths: string[] = []
  for (const prompt of prompts) {
    const created = await server.request('POST', `/v2/agent/${id}/job`, { key, body: { prompt } })
    expect(created.status).toBe(201)
    paths.push(`/v2/agent/${id}/job/${((await created.json()) as { id: string }).id}`)
  }
  return {
    server,
    async begun() {
      const events = await Promise.all(
        paths.map(async (path) => (await server.request('GET', `${path}/events`, { key })).text()),
      )
      return events.filter((text) => text.includes('turn.started')).length
    },
    async ask() {
      const parts = [{ type: 'text', text: 'What does page 1 say?' }]
      const response = await server.request('POST', '/discovery/v2/assistant/docs/message', {
        key: assistantKey,
        body: { fp: 'someone', messages: [{ id: '1', role: 'user', parts }] },
      })
      expect(response.status).toBe(200)
      expect(await response.text()).toMatch(/"type":"finish"[^\n]*\n\ndata: \[DONE\]\n\n$/)
    },
    async expectResults() {
      for (const [n, path] of paths.entries()) {
        const job = await vi.waitFor(async () => {
          const settled = await settledJob(server, path, key)
          expect(settled).toHaveProperty('status')
          return settled
        }, waiting)
        expect(job).toMatchObject({ status: 'completed', failure: null })
        const { ref } = job['source'] as { ref: string }
        expect(await git(repository, 'show', `${ref}:page-${n}.md`)).toBe(`# Page ${n}\n\nNew ${n}.`)
        expect(await git(repository, 'rev-list', '--count', `main..${ref}`)).toBe('1')
      }
    },
    async [Symbol.asyncDispose]() {
      for (const worker of beside) worker.kill('SIGKILL')
      await server[Symbol.asyncDispose]()
      await model[Symbol.asyncDispose]()
    },
  }
}

/** What the model does for `Say New on page {n}.` */
export function stepsOf(n: number): ModelAnswer[] {
  return [
    [['read_file', { path: `page-${n}.md` }]],
    [['edit_file', { path: `page-${n}.md`, edits: [{ search: `Old ${n}.`, replace: `New ${n}.` }] }]],
    [['grep', { pattern: 'New' }]],
    [['finish', { title: `Say New on page ${n}`, summary: 'It says so.' }]],
  ]
}

async function startWorkers(
  { dataFolder }: TestServer,
  environment: Record<string, string>,
  count: number,
): Promise<ChildProcess[]> {
  const started: ChildProcess[] = []
  for (let n = 0; n < count; n++) started.push(await startWorker(dataFolder, environment))
  return started
}

import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBareRepository } from '../repository.ts'
import { readProject, runCommand, startServer } from '../server.ts'
import { startEndlessModel } from './endless-model.ts'

it('ends while a repository is being fetched, and goes on with it at the next start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-stop-'))
  const mark = join(folder, 'fetching')
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const hanging = `#!/bin/sh\ncase " $* " in *" fetch "*) touch '${mark}'; sleep 300 ;; esac\nexec '${git}' "$@"\n`
  await writeFile(join(folder, 'git'), hanging)
  await chmod(join(folder, 'git'), 0o755)
  const repository = await createBareRepository({ 'index.md': '# Start\n' })
  await using server = await startServer({
    arguments: ['--no-demo'],
    environment: { PATH: `${folder}:${process.env['PATH'] ?? ''}` },
  })
  const adding = runCommand(server.dataFolder, 'project', 'add', repository, '--domain', 'slow')
  while ((await readFile(mark).catch(() => undefined)) === undefined)
    await new Promise((done) => setTimeout(done, 50))
  expect(await server.stop()).toBe(0)
  expect((await adding).code).not.toBe(0)

  await using again = await startServer({ dataFolder: server.dataFolder })
  for (;;) {
    const { pages, sync } = await readProject(again, 'slow')
    expect(sync.state).not.toBe('failed')
    if (pages === 1) break
    await new Promise((done) => setTimeout(done, 250))
  }
})

it.for([
  { store: 'the embedded store', open: 20 },
  { store: 'PostgreSQL', open: 50 },
])(
  'tells the readers of $open open answers on $store that it stops, however busy its loop is',
  async ({ store, open }) => {
    await using model = await startEndlessModel()
    await using server = await startServer({
      nodeArguments: ['--import', join(import.meta.dirname, 'hold-loop.ts')],
      environment: model.environment,
      isEmbedded: store === 'the embedded store',
    })
    const ask = (n: number): Promise<Response> =>
      server.request('POST', '/discovery/v2/assistant/docwright/message', {
        key: server.welcome.assistantKey,
        body: {
          fp: 'a',
          messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: `Question ${n}` }] }],
        },
      })
    const responses = await Promise.all(Array.from({ length: open }, (_, n) => ask(n)))
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    const texts = responses.map((response) => response.text())
    server.process.kill('SIGUSR2')
    const stopped = server.stop()
    const readiness = async (): Promise<number> => {
      const response = await server.request('GET', '/readyz')
      await response.text()
      return response.status
    }
    // The first answers may be older than the signal. What comes after them is refused before connections are.
    await expect.poll(readiness, { timeout: 60_000, interval: 1 }).toBe(503)
    for (const text of await Promise.all(texts)) {
      expect(text).toMatch(/"type":"(error|finish)"/)
      expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true)
    }
    expect(await stopped).toBe(0)
    expect(server.output()).not.toMatch(/destroyed|is closed/)
  },
)

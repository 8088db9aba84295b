import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBareRepository } from '../repository.ts'
import { readProject, runCommand, startServer } from '../server.ts'

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
    await new Promise((done) => setTimeout(done, 50))
  }
})

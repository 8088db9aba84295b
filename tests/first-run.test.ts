import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { newDataFolder, runCommand, settledJob, startServer } from './server.ts'

const run = promisify(execFile)

it('takes a newcomer from nothing to a pull request and an answer, and keeps everything over a restart', async () => {
  // Nothing is prepared here, as on a newcomer's machine.
  await using server = await startServer({
    dataFolder: await mkdtemp(join(tmpdir(), 'docwright-first-')),
    fromSource: true,
  })
  const { projectId, domain, adminKey, assistantKey } = server.welcome
  expect(domain).toBe('docwright')

  // The two commands as they are printed.
  const [job = '', ask = ''] = [...server.output().matchAll(/^curl (?:.*\\\n)+.*$/gm)].map(
    ([command]) => command,
  )
  const created = JSON.parse(await runCurl(job)) as { id: string; status: string }
  expect(created.status).toBe('active')
  const path = `/v2/agent/${projectId}/job/${created.id}`
  const done = await settledJob(server, path, adminKey)
  expect(done).toMatchObject({ status: 'completed', failure: null })
  expect(done['prLink']).toContain(`${server.url}/projects/docwright/pulls/1`)
  expect((await fetch(String(done['prLink']))).status).toBe(200)
  const answer = await runCurl(ask)
  expect(answer).toContain('"type":"text-delta"')
  expect(answer).toContain('data: [DONE]')
  const { url: source } = JSON.parse(/data: (\{"type":"source-url".*\})/.exec(answer)?.[1] ?? '{}') as {
    url: string
  }
  expect((await fetch(source)).status).toBe(200)

  // The repository can be cloned with the address of the job.
  const { repository, ref } = done['source'] as { repository: string; ref: string }
  const clone = await mkdtemp(join(tmpdir(), 'docwright-clone-'))
  await run('git', ['clone', '-q', '--branch', ref, repository.replace('://', `://x:${adminKey}@`), clone])
  expect(await readFile(join(clone, 'docs.json'), 'utf8')).toContain('navigation')

  expect(await server.stop()).toBe(0)
  await using again = await startServer({ dataFolder: server.dataFolder })
  expect(again.output()).not.toContain(adminKey)
  const kept = await again.request('GET', path, { key: adminKey })
  const keptJob = (await kept.json()) as Record<string, unknown>
  expect(keptJob).toMatchObject({ id: created.id, status: 'completed' })
  // Another port: the link follows.
  expect(keptJob['prLink']).toContain(`${again.url}/projects/docwright/pulls/1`)
  expect(
    (
      await again.request('POST', `/discovery/v1/search/${domain}`, {
        key: assistantKey,
        body: { query: 'quickstart' },
      })
    ).status,
  ).toBe(200)
})

it('refuses a second server on the same data folder by name, and takes over from one that was killed', async () => {
  await using first = await startServer({ arguments: ['--no-demo'], isEmbedded: true })
  const second = await runCommand(first.dataFolder, 'serve', '--port', '0')
  expect(second.code).not.toBe(0)
  expect(second.stderr).toContain(`in use by process ${first.process.pid}`)
  await first.stop('SIGKILL')
  await using third = await startServer({ dataFolder: first.dataFolder })
  expect((await third.request('GET', '/readyz')).status).toBe(200)
})

it('shows the keys at the next start when the first one found its port taken', async () => {
  const dataFolder = await newDataFolder()
  await using other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const refused = await runCommand(dataFolder, 'serve', '--no-demo', '--port', String(port))
  expect(refused.code).toBe(3)
  expect(refused.stderr).toContain(`Port ${port} is already in use`)
  await using server = await startServer({ dataFolder, arguments: ['--no-demo'] })
  expect(server.output()).toMatch(/Admin key +svc_/)
})

it('says every problem of its configuration at once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-bad-'))
  await expect(
    startServer({
      dataFolder: folder,
      environment: { PORT: '99999', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://x' },
    }),
  ).rejects.toThrow(/LOG_LEVEL[^]*|DATABASE_URL[^]*/)
})

// The shell reads the command; what curl would get of it is asked for here, as not every machine has curl.
async function runCurl(command: string): Promise<string> {
  const { stdout } = await run('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`])
  const given = stdout.split('\0').slice(0, -1)
  const after = (option: string) => given.filter((_, index) => given[index - 1] === option)
  const [body = ''] = after('-d')
  const headers = after('-H').map((header): [string, string] => {
    const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(header) ?? []
    return [name, value]
  })
  const address = given.find((word) => word.startsWith('http')) ?? ''
  return (await fetch(address, { method: 'POST', headers, body })).text()
}

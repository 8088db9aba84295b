import { mkdtemp, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../prepared-stores.ts'
import { createBareRepository, git } from '../repository.ts'
import { runCommand, startServer } from '../server.ts'

interface Run {
  state: string
  jobId: string | null
  cause: { kind: string }
}

it('gives each event one run and one job with two processes, also when one of them is killed', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'docwright-rules-'))
  const rule = '---\nname: Typos\ntype: typos\non:\n  push: {}\n---\n'
  const bare = await createBareRepository({
    'index.md': '# Start\n\nWe recieve it.\n',
    '.docwright/automations/typos.md': rule,
  })
  const environment = { DATABASE_URL: await createTestDatabase(), DOCWRIGHT_SYNC_INTERVAL: '1' }
  const options = { dataFolder, environment, arguments: ['--no-demo'] }
  const first = await startServer(options)
  await using second = await startServer(options)
  const added = await runCommand(dataFolder, 'project', 'add', bare, '--json')
  const project = JSON.parse(added.stdout) as { id: string }
  const made = await runCommand(dataFolder, 'key', 'create', '--kind', 'admin', '--json')
  const { key } = JSON.parse(made.stdout) as { key: string }
  const ask = async <Body>(method: string, path: string, headers = {}, server = second): Promise<Body> => {
    const response = await server.request(method, path, { key, headers })
    expect([200, 202]).toContain(response.status)
    return (await response.json()) as Body
  }
  const runsOf = async () => (await ask<{ runs: Run[] }>('GET', `/v2/automation-runs/${project.id}`)).runs
  const path = `/v2/automations/${project.id}`
  await until(async () => (await ask<{ automations: unknown[] }>('GET', path)).automations.length === 1)
  const { automations } = await ask<{ automations: { id: string }[] }>('GET', path)
  const trigger = `/v1/workflow/${project.id}/${automations[0]?.id}/trigger`
  const calls = Array.from({ length: 50 }, (_, at) =>
    ask<object>('POST', trigger, { 'idempotency-key': 'release-1' }, at % 2 === 0 ? first : second),
  )
  const answers = await Promise.all(calls)
  expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
  expect(Object.keys(answers[0] ?? {})).toEqual(['schemaId', 'instanceId', 'jobId'])

  const person = join(await mkdtemp(join(tmpdir(), 'docwright-person-')), 'docs')
  await mkdir(person)
  await git(person, 'clone', '--quiet', bare, '.')
  await writeFile(join(person, 'guide.md'), '# Guide\n\nIt was succesful.\n')
  await git(person, 'add', '-A')
  await git(person, 'commit', '--quiet', '-m', 'Add a guide')
  await git(person, 'push', '--quiet')
  await until(async () => (await runsOf()).length === 2)
  await first.stop('SIGKILL')
  await until(async () => (await runsOf()).every(({ state }) => state !== 'running'))
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const runs = await runsOf()
  expect(runs.map(({ cause: { kind } }) => kind)).toEqual(['push', 'call'])
  // The merge request of the first run is open, so that the second brings it up to date.
  expect(new Set(runs.map(({ jobId }) => jobId)).size).toBe(1)
}, 180_000)

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (;;) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

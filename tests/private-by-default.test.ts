import { randomBytes } from 'node:crypto'
import { chmod, lstat, mkdtemp, readdir, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBareRepository, git } from './repository.ts'
import { runCommand, settledJob, startServer, type TestServer } from './server.ts'

const browser = { accept: 'text/html' }
const basic = (key: string) => `Basic ${Buffer.from(`x:${key}`).toString('base64')}`

it('shows pages to whom the project lets in: nobody else can tell it from none', async () => {
  await using server = await startServer()
  const { dataFolder, welcome } = server
  const run = async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCommand(dataFolder, ...words)
    expect(code, stderr).toBe(0)
    return stdout.trim()
  }
  const repository = await createBareRepository({ 'index.md': '# Plan\n\nThe classified plan.\n' })
  const added = await run('project', 'add', repository, '--domain', 'plans')
  expect(added).toContain('readers     signed-in: people who are signed in')
  expect(added).toContain('project set plans --visibility public|key|signed-in')
  const organization = await run('organization', 'add', 'Neighbours')
  const neighbour = await createBareRepository({ 'index.md': '# Other\n' })
  await run(
    'project',
    'add',
    neighbour,
    '--domain',
    'other',
    '--visibility',
    'key',
    '--organization',
    organization,
  )
  const keyOf = async (...words: string[]): Promise<string> =>
    (await run('key', 'create', ...words)).split('\n')[0] ?? ''
  const own = [welcome.adminKey, await keyOf('--kind', 'assistant', '--project', 'plans')]
  const neighbours = [
    await keyOf('--kind', 'admin', '--organization', organization),
    await keyOf('--kind', 'assistant', '--project', 'other'),
  ]
  const cookie = await signIn(server)
  const ask = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.url}/docs/${path}`, { redirect: 'manual', headers })
  const status = async (path: string, headers?: Record<string, string>): Promise<number> =>
    (await ask(path, headers)).status

  // What the first start prints works for whoever reads it.
  expect(await status('docwright/quickstart')).toBe(200)

  const strangers = [{}, browser, ...neighbours.map((key) => ({ authorization: basic(key) }))]
  const closedFor = async (headers: Record<string, string>[]): Promise<void> => {
    for (const sent of headers)
      for (const rest of ['', '/', '/index', '/?q=plan', '/?all=1', '/nope']) {
        const [there, absent] = [await ask(`plans${rest}`, sent), await ask(`absent${rest}`, sent)]
        expect(there.status, rest).toBe(absent.status)
        expect(await there.text()).toBe((await absent.text()).replaceAll('absent', 'plans'))
        expect([303, 401, 404]).toContain(there.status)
        expect(there.headers.get('cache-control')).toMatch(/no-store/)
      }
  }
  await closedFor([...strangers, ...own.map((key) => ({ authorization: `Bearer ${key}` }))])
  const first = await fetch(`${server.url}/docs/plans/index`, { headers: { cookie } })
  expect(await first.text()).toContain('The classified plan')

  await run('project', 'set', 'plans', '--visibility', 'key')
  await closedFor(strangers)
  for (const key of own)
    for (const authorization of [`Bearer ${key}`, basic(key)])
      expect(await status('plans/?q=plan', { authorization })).toBe(200)
  expect(await status('plans/?q=plan', { cookie })).toBe(200)

  await run('project', 'set', 'plans', '--visibility', 'public')
  for (const headers of strangers) expect(await status('plans/?q=plan', headers)).toBe(200)
  expect((await runCommand(dataFolder, 'doctor')).stdout).toContain('visible to anyone')
  const wrong = await runCommand(dataFolder, 'project', 'set', 'plans', '--visibility', 'all')
  expect(wrong).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('must be public, key or signed-in'),
  })
})

it.skipIf(process.platform === 'win32')(
  'keeps its files for their owner alone, and shares what it writes into folders of others',
  async () => {
    const repository = await createBareRepository({ 'index.md': '# Start\n\nOld words.\n' })
    await git(repository, 'config', 'core.sharedRepository', 'false')
    // As people have it who share a repository by its modes.
    for (const path of [repository, ...(await everythingIn(repository))])
      await chmod(path, (await lstat(path)).isDirectory() ? 0o755 : 0o644)
    const before = new Set(await everythingIn(repository))
    const dataFolder = await mkdtemp(join(tmpdir(), 'docwright-private-'))
    {
      await using server = await startServer({ dataFolder })
      const { stdout } = await runCommand(
        dataFolder,
        'project',
        'add',
        repository,
        '--domain',
        'shared',
        '--json',
      )
      const { id } = JSON.parse(stdout) as { id: string }
      const key = server.welcome.adminKey
      const created = await server.request('POST', `/v2/agent/${id}/job`, {
        key,
        body: { prompt: 'Replace "Old words" with "New words" in the index page' },
      })
      const { id: job } = (await created.json()) as { id: string }
      expect(await settledJob(server, `/v2/agent/${id}/job/${job}`, key)).toMatchObject({
        status: 'completed',
      })
      expect(await openIn(dataFolder)).toEqual([])
      const made = (await everythingIn(repository)).filter((path) => !before.has(path))
      expect(made.length).toBeGreaterThan(3)
      for (const path of made) expect((await lstat(path)).mode & 0o044, path).toBe(0o044)
      expect((await runCommand(dataFolder, 'doctor')).stdout).toContain('✓ files:')
      await server.stop()
    }
    // As an older version left them.
    for (const path of [dataFolder, ...(await everythingIn(dataFolder))]) {
      const { mode } = await lstat(path)
      await chmod(path, mode | (mode & 0o100 ? 0o055 : 0o044))
    }
    const doctor = await runCommand(dataFolder, 'doctor')
    expect(doctor.stdout).toMatch(/✗ files: .*operator-token \(644\).*chmod -R go=/)
    await using again = await startServer({ dataFolder })
    expect(again.output()).toMatch(/Closed [\d,]+ paths of the data folder to other users/)
    expect(await openIn(dataFolder)).toEqual([])
  },
)

it('moves its secrets from one key to another while it serves', async () => {
  const [first, second] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
  const started = await startServer()
  const { dataFolder } = started
  const reseal = async (): Promise<{ code: number | null; done: unknown }> => {
    const { code, stdout, stderr } = await runCommand(dataFolder, 'secrets', 'reseal', '--json')
    for (const secret of [first, second]) expect(stdout + stderr).not.toContain(secret)
    return { code, done: JSON.parse(stdout) }
  }
  const secretsLine = async (): Promise<string | undefined> =>
    (await runCommand(dataFolder, 'doctor')).stdout.split('\n').find((line) => line.includes('secrets:'))
  {
    // The key of the data folder.
    await using server = started
    await addWebhook(dataFolder, 'https://receiver.example.com/one')
    await addWebhook(dataFolder, 'https://receiver.example.com/two')
    expect(await secretsLine()).toBe('✓ secrets: 2 encrypted with the current key')
    await server.stop()
  }
  // It is replaced by a variable.
  const old = join(dataFolder, 'secret-key.previous')
  await rename(join(dataFolder, 'secret-key'), old)
  {
    await using server = await startServer({
      dataFolder,
      environment: { DOCWRIGHT_SECRET_KEY: first, DOCWRIGHT_SECRET_KEY_PREVIOUS_FILE: old },
    })
    expect(await secretsLine()).toContain('0 encrypted with the current key, 2 with an earlier one')
    await addWebhook(dataFolder, 'https://receiver.example.com/three')
    expect(await reseal()).toEqual({ code: 0, done: { resealed: 2, current: 1, earlier: 0, unreadable: [] } })
    expect(await reseal()).toEqual({ code: 0, done: { resealed: 0, current: 3, earlier: 0, unreadable: [] } })
    await server.stop()
  }
  {
    await using server = await startServer({ dataFolder, environment: { DOCWRIGHT_SECRET_KEY: first } })
    expect(await secretsLine()).toBe('✓ secrets: 3 encrypted with the current key')
    await server.stop()
  }
  // Another key, and nothing that opens what is there.
  await using server = await startServer({ dataFolder, environment: { DOCWRIGHT_SECRET_KEY: second } })
  const { code, done } = await reseal()
  expect(code).toBe(1)
  expect(done).toMatchObject({ resealed: 0, current: 0, unreadable: { length: 3 } })
  expect(await secretsLine()).toMatch(/✗ secrets: No key can decrypt webhook whk_/)
  expect(
    (await server.request('POST', '/admin/secrets/reseal', { key: server.welcome.adminKey })).status,
  ).toBe(401)
})

async function addWebhook(dataFolder: string, url: string): Promise<void> {
  const { code, stderr } = await runCommand(dataFolder, 'webhook', 'add', url)
  expect(code, stderr).toBe(0)
}

async function signIn({ url, dataFolder }: TestServer): Promise<string> {
  const { stdout } = await runCommand(dataFolder, 'sign-in')
  const token = new URL(stdout.trim()).searchParams.get('token') ?? ''
  const response = await fetch(`${url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ token }),
  })
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

async function everythingIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => !entry.isSymbolicLink()).map((entry) => join(entry.parentPath, entry.name))
}

/** What others may do anything with. */
async function openIn(folder: string): Promise<string[]> {
  const open: string[] = []
  for (const path of [folder, ...(await everythingIn(folder))]) {
    // The server works on: files come and go.
    const found = await lstat(path).catch(() => undefined)
    if (found && (found.mode & 0o077) !== 0) open.push(`${path} ${(found.mode & 0o777).toString(8)}`)
  }
  return open
}

import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFakeOrigin } from '../worlds/hosts/fake-origin.ts'
import { startFakeGitHub } from '../worlds/hosts/github/github-server.ts'
import type { FakeGitHub } from '../worlds/hosts/github/github-state.ts'
import { startFakeGitea } from '../worlds/hosts/gitea/gitea-server.ts'
import type { FakeGitea } from '../worlds/hosts/gitea/gitea-state.ts'
import type { rememberHeads } from '../worlds/hosts/remember-heads.ts'
import { plainGit } from '../worlds/git/temporary-git.ts'
import { readProject, runCommand, settledJob, startServer, type TestServer } from '../server.ts'

const publicUrl = 'http://docs.example.com'
const secrets = { github: 'ghp_all', gitea: 'all-of-gitea' }

let server: TestServer
let localUrl: string
let github: { origin: Origin; fake: FakeGitHub }
let gitea: { origin: Origin; fake: FakeGitea }

beforeAll(async () => {
  const [one, two] = await Promise.all([fakeOrigin(), fakeOrigin()])
  github = { origin: one, fake: await startFakeGitHub(one) }
  gitea = { origin: two, fake: await startFakeGitea(two) }
  gitea.fake.tokens.set(secrets.gitea, gitea.fake.tokens.get('all') ?? [])
  // Not one of an administrator: it sets up no webhook, so this host is asked.
  gitea.fake.settings.admin = false
  server = await startServer({
    environment: {
      DOCWRIGHT_PUBLIC_URL: publicUrl,
      DOCWRIGHT_SYNC_INTERVAL: '3',
      DOCWRIGHT_JOB_CONCURRENCY: '3',
      LOG_LEVEL: 'debug',
    },
  })
  const { url } = JSON.parse(await readFile(join(server.dataFolder, 'server.json'), 'utf8')) as {
    url: string
  }
  localUrl = url
})

afterAll(async () => {
  await server.stop()
  await Promise.all([github.fake.server, gitea.fake.server].map((one) => one[Symbol.asyncDispose]()))
  await Promise.all([github.origin, gitea.origin].map((one) => one[Symbol.asyncDispose]()))
})

it('serves two hosts and a local repository side by side, jobs at once', async () => {
  const first = await add('hub', `${github.fake.server.origin}/acme/docs.git`, secrets.github)
  expect(first.notes).toEqual([])
  const second = await add('tea', `${gitea.fake.server.origin}/acme/docs.git`, secrets.gitea)
  expect(second.notes).toEqual([expect.stringContaining('webhook') as string])
  const jobs = await Promise.all([
    job(first.id, 'Replace "one" with "two" in index.md'),
    job(second.id, 'Replace "one" with "two" in index.md'),
    job(server.welcome.projectId, 'Add a note to the quickstart page: "Tried beside two hosts."'),
  ])
  expect(jobs.map(({ status, failure }) => [status, failure])).toEqual([
    ['completed', null],
    ['completed', null],
    ['completed', null],
  ])
  expect(github.fake.pulls).toMatchObject([{ number: 1, state: 'open', base: 'main' }])
  expect(gitea.fake.pulls).toMatchObject([{ number: 1, state: 'open', base: 'main' }])
  const [hub, tea, local] = jobs
  expect(hub?.prLink).toMatch(new RegExp(`^${github.fake.server.origin}/`))
  expect(tea?.prLink).toMatch(new RegExp(`^${gitea.fake.server.origin}/`))
  expect(local?.prLink).toMatch(/^http:\/\/docs\.example\.com\/projects\/docwright\/pulls\/1/)
  expect(plainGit(github.origin.folder, ['show', `${hub?.source.ref}:index.md`])).toBe('two')
  await until(() => github.fake.statuses.find(({ body }) => (body as { state: string }).state === 'success'))
})

it('takes comments of people who may write as follow-ups, answers them, and follows the merge', async () => {
  const { id } = await project('hub')
  const [found] = (await jobsOf(id)).jobs
  const asked = github.fake.say({ pull: 1, body: '@docwright Replace "two" with "three" in index.md' })
  github.fake.say({ pull: 1, login: 'stranger', body: '@docwright Replace "two" with "evil" in index.md' })
  // Told twice by the host, and not by somebody else.
  const event = {
    action: 'created',
    repository: { full_name: 'acme/docs' },
    issue: { number: 1, pull_request: {} },
    comment: { id: asked.id, body: asked.body, user: { login: 'octocat' }, created_at: asked.at },
  }
  expect(await deliver(id, 'issue_comment', event, 'wrong')).toBe(401)
  expect(await deliver(id, 'issue_comment', event)).toBe(202)
  expect(await deliver(id, 'issue_comment', event)).toBe(202)
  const answer = await until(() => github.fake.said.find(({ body }) => body.includes('<!-- docwright')))
  expect(answer.body).toContain(`${publicUrl}/projects/hub/jobs/`)
  expect(github.fake.said.find((said) => said.id === asked.id)?.reactions).toEqual(['eyes'])
  const after = await settledJob(local(), `/v2/agent/${id}/job/${found?.id}`, server.welcome.adminKey)
  expect(after).toMatchObject({ status: 'completed', turns: 2, pullRequest: { number: 1, state: 'open' } })
  expect(plainGit(github.origin.folder, ['show', `${found?.source.ref}:index.md`])).toBe('three')

  const head = github.origin.head(found?.source.ref ?? '') ?? ''
  github.origin.merge('main', head)
  Object.assign(github.fake.pulls[0] ?? {}, { state: 'closed', mergedAt: '2026-05-01T10:00:00Z' })
  const merged = {
    action: 'closed',
    repository: { full_name: 'acme/docs' },
    pull_request: { number: 1, state: 'closed', merged_at: '2026-05-01T10:00:00Z' },
  }
  expect(await deliver(id, 'pull_request', merged)).toBe(202)
  await until(async () => (await jobsOf(id)).jobs[0]?.pullRequest?.state === 'merged')
})

it('asks hosts that do not call, though they may have taken the webhook', async () => {
  const { id } = await project('tea')
  // It calls no address that its administrator has not allowed, and says so to nobody.
  gitea.fake.settings.admin = true
  expect(await command('project', 'connect', 'tea')).toMatchObject({ code: 0 })
  expect(gitea.fake.hooks).toHaveLength(1)
  gitea.fake.say({ pull: 1, body: '@Docwright, replace "two" with "four" in index.md' })
  gitea.fake.say({ pull: 1, login: 'reader', body: '@docwright replace "two" with "evil" in index.md' })
  await until(() => gitea.fake.comments.find(({ body }) => body.includes('<!-- docwright')))
  const [followed] = (await jobsOf(id)).jobs
  expect(followed).toMatchObject({ turns: 2 })
  expect(plainGit(gitea.origin.folder, ['show', `${followed?.source.ref}:index.md`])).toBe('four')
  Object.assign(gitea.fake.pulls[0] ?? {}, { state: 'closed' })
  await until(async () => (await jobsOf(id)).jobs[0]?.pullRequest?.state === 'closed')
  expect((await jobsOf(id)).jobs[0]).toMatchObject({ turns: 2 })
})

it('reads pushed pages at once when the host calls', async () => {
  const { id } = await project('hub')
  github.origin.push('main', 'fresh.md', '# Fresh\n\nWritten just now.\n')
  const event = {
    ref: 'refs/heads/main',
    after: github.origin.head('main'),
    repository: { full_name: 'acme/docs' },
  }
  expect(await deliver(id, 'push', event)).toBe(202)
  await until(async () => (await project('hub')).pages === 2)
})

it('says what is missing, and pushes alone where nothing but git is known', async () => {
  github.fake.tokens.set('ghp_read', {})
  const read = await add('reader', `${github.fake.server.origin}/acme/docs.git`, 'ghp_read')
  expect(read.notes.join()).toMatch(/is missing/)
  const refused = await command(
    'project',
    'add',
    `${github.fake.server.origin}/acme/docs`,
    '--domain',
    'none',
    '--token-file',
    await secretFile('ghp_wrong'),
  )
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('credential') as string])

  const plain = await add(
    'plain',
    `${gitea.fake.server.origin}/acme/docs.git`,
    secrets.gitea,
    '--host',
    'git',
  )
  const done = await job(plain.id, 'Replace "one" with "five" in index.md')
  expect(done).toMatchObject({ status: 'completed', prLink: null, pullRequest: null })
  expect(gitea.origin.head(done.source.ref)).toBeDefined()
  const again = await send(plain.id, done.id, 'Replace "five" with "six" in index.md')
  expect(again).toMatchObject({ status: 'completed', prLink: null, turns: 2 })
  expect(plainGit(gitea.origin.folder, ['show', `${done.source.ref}:index.md`])).toBe('six')

  const doctor = await command('doctor')
  expect(doctor.stdout).toMatch(/host of hub: acme\/docs on \S+ as robot: ready for jobs/)
  expect(doctor.stdout).toMatch(/host of reader: .*is missing/)
})

it('pushes to a fork and opens the pull request upstream', async () => {
  const { origin } = github.fake.server
  const fork = ['--fork', `${origin}/robot/docs.git`]
  const { id } = await add('forked', `${origin}/acme/docs.git`, secrets.github, ...fork)
  const done = await job(id, 'Replace "three" with "seven" in index.md')
  expect(done).toMatchObject({ status: 'completed', failure: null })
  const pull = github.fake.pulls.find(({ head }) => head === done.source.ref)
  expect(pull).toMatchObject({ owner: 'robot', base: 'main', state: 'open' })
  const again = await send(id, done.id, 'Replace "seven" with "eight" in index.md')
  expect(again).toMatchObject({ status: 'completed', turns: 2, pullRequest: { number: pull?.number } })
  expect(plainGit(github.origin.folder, ['rev-list', '--count', `main..${done.source.ref}`])).toBe('2')
})

it('changes the credential later, and keeps secrets out of logs, files and answers', async () => {
  const changed = await command(
    'project',
    'connect',
    'reader',
    '--token-file',
    await secretFile(secrets.github),
    '--json',
  )
  expect(changed.code).toBe(0)
  expect(JSON.parse(changed.stdout)).toMatchObject({ notes: [] })
  const shown = await command('project', 'host', 'reader', '--json')
  for (const text of [server.output(), changed.stdout, shown.stdout])
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret)
  for (const secret of Object.values(secrets)) {
    for (const form of [secret, Buffer.from(secret).toString('base64').slice(0, -2)])
      expect(await filesWith(server.dataFolder, form)).toEqual([])
  }
})

type Origin = ReturnType<typeof rememberHeads>

// The server under test pushes over git: what is remembered of branches would be stale.
async function fakeOrigin(): Promise<Origin> {
  return { ...(await createFakeOrigin()), forget: () => undefined }
}

interface Body {
  id: string
  status: string
  prLink: string | null
  turns: number
  failure: unknown
  source: { ref: string }
  pullRequest: { number: number; state: string } | null
}

function local(): TestServer {
  const request: TestServer['request'] = (method, path, { key, body } = {}) =>
    fetch(`${localUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return { ...server, request }
}

function command(...words: string[]): ReturnType<typeof runCommand> {
  return runCommand(server.dataFolder, ...words)
}

async function secretFile(secret: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'docwright-secret-')), 'token')
  await writeFile(path, `${secret}\n`)
  return path
}

async function add(
  domain: string,
  url: string,
  secret: string,
  ...words: string[]
): Promise<{ id: string; notes: string[] }> {
  const file = await secretFile(secret)
  const added = await command(
    'project',
    'add',
    url,
    '--domain',
    domain,
    '--token-file',
    file,
    '--json',
    ...words,
  )
  expect([added.code, added.stderr]).toEqual([0, ''])
  return JSON.parse(added.stdout) as { id: string; notes: string[] }
}

function project(domain: string): ReturnType<typeof readProject> {
  return readProject(local(), domain)
}

async function job(projectId: string, prompt: string): Promise<Body> {
  const path = `/v2/agent/${projectId}/job`
  const response = await local().request('POST', path, { key: server.welcome.adminKey, body: { prompt } })
  const { id } = (await response.json()) as Body
  return (await settledJob(local(), `${path}/${id}`, server.welcome.adminKey)) as unknown as Body
}

async function send(projectId: string, id: string, prompt: string): Promise<Body> {
  const path = `/v2/agent/${projectId}/job/${id}`
  await local().request('POST', `${path}/message`, { key: server.welcome.adminKey, body: { prompt } })
  return (await settledJob(local(), path, server.welcome.adminKey)) as unknown as Body
}

async function jobsOf(projectId: string): Promise<{ jobs: Body[] }> {
  const path = `/v2/agent/${projectId}/jobs`
  const response = await local().request('GET', path, { key: server.welcome.adminKey })
  return (await response.json()) as { jobs: Body[] }
}

/** As GitHub calls, signed with the secret that it was given. */
async function deliver(projectId: string, event: string, payload: unknown, secret?: string): Promise<number> {
  const body = JSON.stringify(payload)
  const { config } = (github.fake.hooks[0]?.body ?? {}) as { config: { url: string; secret: string } }
  expect(config.url).toBe(`${publicUrl}/hosts/${projectId}/webhook`)
  const signature = createHmac('sha256', secret ?? config.secret)
    .update(body)
    .digest('hex')
  const response = await fetch(`${localUrl}/hosts/${projectId}/webhook`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': `${event}-1`,
      'x-hub-signature-256': `sha256=${signature}`,
    },
    body,
  })
  return response.status
}

async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const found = await look()
    if (found) return found
    await new Promise((done) => setTimeout(done, 250))
  }
}

async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const found: string[] = []
  for (const file of files) {
    const content = await readFile(file).catch(() => Buffer.alloc(0))
    if (content.includes(text)) found.push(file)
  }
  return found
}

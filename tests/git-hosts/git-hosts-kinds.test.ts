import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stageBitbucket } from '../worlds/hosts/staged-bitbucket.ts'
import { stageGitea } from '../worlds/hosts/staged-gitea.ts'
import { stageGitHubApp, type StagedGitHub } from '../worlds/hosts/staged-github.ts'
import { stageGitLab } from '../worlds/hosts/staged-gitlab.ts'
import type { StagedHost } from '../worlds/hosts/staged-host.ts'
import { plainGit } from '../worlds/git/temporary-git.ts'
import { formsOf, startHostedServer, until, type HostedJob, type HostedServer } from './hosted-server.ts'

let product: HostedServer
let github: StagedGitHub
let hosts: StagedHost[]
/** Of each host: its project, and two jobs on it. */
const projects = new Map<StagedHost, string>()
const jobs = new Map<StagedHost, [HostedJob, HostedJob]>()
/** What its interface was asked for. */
const addresses = new Map<StagedHost, string[]>()

beforeAll(async () => {
  github = await stageGitHubApp()
  hosts = [github, ...(await Promise.all([stageGitLab(), stageGitea(), stageBitbucket()]))]
  for (const host of hosts) {
    const asked: string[] = []
    addresses.set(host, asked)
    host.server.trouble = ({ path, query }) => {
      asked.push(`${path}?${query.toString()}`)
      return undefined
    }
  }
  product = await startHostedServer({
    DOCWRIGHT_JOB_CONCURRENCY: '4',
    GITLAB_URL: `${new URL(hosts[1]?.url ?? '').origin}/gitlab`,
  })
})

afterAll(async () => {
  await product[Symbol.asyncDispose]()
  await Promise.all(hosts.map((host) => host[Symbol.asyncDispose]()))
})

it('opens no repository with a wrong credential, by the interface of the host or by git alone', async () => {
  await each(async (host) => {
    const wrong = { kind: 'token', token: `wrong-${randomBytes(20).toString('hex')}` }
    for (const kind of [host.kind, 'git']) {
      const tried = { location: host.url, domain: `wrong-${host.name}`, host: kind, credential: wrong }
      const { body, status } = await product.ask('POST', '/admin/projects', tried)
      expect([host.name, kind, status]).toEqual([host.name, kind, 401])
      expect(body).toMatchObject({ error: expect.stringMatching(/credential|token/) as string })
    }
    expect(product.answers.join()).not.toContain(wrong.token)
  })
})

it('adds projects on every kind of host, jobs at once, and shows the state beside the commit', async () => {
  await each(async (host) => {
    const { id, notes } = await product.add(host)
    expect([host.name, notes]).toEqual([host.name, []])
    projects.set(host, id)
  })
  await each(async (host) => {
    const id = projectOf(host)
    const prompts = ['Replace "one" with "two" in index.md', 'Replace "one" with "three" in index.md']
    const [first, second] = await Promise.all(prompts.map((prompt) => product.job(id, prompt)))
    if (!first || !second) throw new Error('Both were created')
    jobs.set(host, [first, second])
    for (const [job, text] of [
      [first, 'two'],
      [second, 'three'],
    ] as const) {
      expect([host.name, job.status, job.failure]).toEqual([host.name, 'completed', null])
      expect(job.pullRequest?.state).toBe('open')
      expect(job.prLink).toMatch(/^https?:\/\/.+\/(?:docs|handbook)\//)
      expect(show(host, `${job.source.ref}:index.md`)).toBe(text)
    }
    expect(heads(host)).toEqual([first.source.ref, second.source.ref].toSorted())
    const commit = host.origin.head(first.source.ref) ?? ''
    await until(() => /^success/i.test(host.status(commit) ?? ''))
  })
})

it('asks an app for no more than each use needs, and gets another token when one is refused', async () => {
  const { fake } = github
  for (const asked of fake.issued) expect(asked).toMatchObject({ repositories: ['docs'] })
  const asked = new Set(
    fake.issued.map((body) => JSON.stringify((body as { permissions: object }).permissions)),
  )
  const uses = [
    { contents: 'write', metadata: 'read' },
    { contents: 'write', pull_requests: 'write', metadata: 'read', statuses: 'write' },
    { repository_hooks: 'write', metadata: 'read' },
  ]
  expect([...asked].toSorted()).toEqual(uses.map((use) => JSON.stringify(use)).toSorted())
  const before = fake.issued.length
  github.endTokens()
  const job = await product.job(projectOf(github), 'Replace "one" with "four" in index.md')
  expect([job.status, job.failure]).toEqual(['completed', null])
  expect(show(github, `${job.source.ref}:index.md`)).toBe('four')
  expect(fake.issued.length).toBeGreaterThanOrEqual(before + 2)
})

it('does what people who may write ask for in a comment, when the host calls', async () => {
  await each(async (host) => {
    const [job] = jobsOf(host)
    const number = job.pullRequest?.number ?? 0
    host.say(number, '@docwright Replace "two" with "evil" in index.md', 'stranger')
    const said = host.say(number, '@docwright Replace "two" with "five" in index.md', 'maintainer')
    const happening = { type: 'comment', said } as const
    expect(await product.tell(host, happening, (body) => body.replace('five', 'evil'))).toBe(401)
    expect(await product.tell(host, happening)).toBe(202)
    const [answer] = await until(() => (host.answers(number).length > 0 ? host.answers(number) : undefined))
    expect(answer).toContain(`/jobs/${job.id}`)
    // Bitbucket knows no reactions.
    if (host.kind !== 'bitbucket') expect([host.name, host.reactions(said)]).toEqual([host.name, ['eyes']])
    const after = await product.read(projectOf(host), job.id)
    expect(after).toMatchObject({ status: 'completed', turns: 2, pullRequest: { number, state: 'open' } })
    expect(show(host, `${job.source.ref}:index.md`)).toBe('five')
    // Told once more, and looked at again: nothing more comes of it.
    expect(await product.tell(host, happening)).toBe(202)
  })
})

it('notes what people merge and close, and reads what they push', async () => {
  await each(async (host) => {
    const [merged, closed] = jobsOf(host)
    const id = projectOf(host)
    host.merge(merged.pullRequest?.number ?? 0)
    host.close(closed.pullRequest?.number ?? 0)
    for (const [job, state] of [
      [merged, 'merged'],
      [closed, 'closed'],
    ] as const) {
      const number = job.pullRequest?.number ?? 0
      expect(await product.tell(host, { type: 'ended', number })).toBe(202)
      await until(async () => (await product.read(id, job.id)).pullRequest?.state === state)
    }
    host.origin.push('main', 'fresh.md', '# Fresh\n\nWritten just now.\n')
    expect(await product.tell(host, { type: 'push', branch: 'main' })).toBe(202)
    await until(async () => (await product.pages(host)) === 2)
    expect([host.name, host.answers(merged.pullRequest?.number ?? 0).length]).toEqual([host.name, 1])
    expect(await product.read(id, merged.id)).toMatchObject({ turns: 2 })
  })
})

it('shows and keeps no secret in plain', async () => {
  for (const host of hosts) {
    const path = `/v2/agent/${projectOf(host)}/job/${jobsOf(host)[0].id}`
    for (const more of ['', '/events', '/diff']) await product.ask('GET', `${path}${more}`)
  }
  expect(product.answers.join('')).toContain('pull_request.opened')
  const secrets = hosts.flatMap((host) => host.secrets())
  expect(secrets.length).toBeGreaterThanOrEqual(2 * hosts.length)
  expect(await product.find(secrets)).toEqual([])
  const seen = hosts.flatMap((host) => [
    host.written(),
    plainGit(host.origin.folder, ['log', '--all', '--patch']),
    ...(addresses.get(host) ?? []),
  ])
  for (const form of secrets.flatMap(formsOf)) expect(seen.filter((text) => text.includes(form))).toEqual([])
})

/** At once, on all hosts. */
async function each(work: (host: StagedHost) => Promise<void>): Promise<void> {
  await Promise.all(hosts.map(work))
}

function projectOf(host: StagedHost): string {
  return projects.get(host) ?? ''
}

function jobsOf(host: StagedHost): [HostedJob, HostedJob] {
  const found = jobs.get(host)
  if (!found) throw new Error(`There are no jobs on ${host.name}`)
  return found
}

function heads(host: StagedHost): string[] {
  return host
    .requests()
    .map(({ head }) => head)
    .toSorted()
}

function show(host: StagedHost, object: string): string {
  return plainGit(host.origin.folder, ['show', object])
}

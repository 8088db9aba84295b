import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ApiRequest, Trouble } from '../worlds/hosts/described-server.ts'
import type { GitTrouble } from '../worlds/hosts/git-backend.ts'
import { stageBitbucket } from '../worlds/hosts/staged-bitbucket.ts'
import { stageGitea } from '../worlds/hosts/staged-gitea.ts'
import { stageGitHubApp } from '../worlds/hosts/staged-github.ts'
import { stageGitLab } from '../worlds/hosts/staged-gitlab.ts'
import type { StagedHost } from '../worlds/hosts/staged-host.ts'
import { plainGit } from '../worlds/git/temporary-git.ts'
import { startHostedServer, until, type HostedJob, type HostedServer } from './hosted-server.ts'

let product: HostedServer
let hosts: StagedHost[]
const projects = new Map<StagedHost, string>()
const jobs = new Map<StagedHost, HostedJob[]>()

const broken = { status: 500, body: { message: '500 Internal Server Error' } }
const tooMany = { status: 429, headers: { 'retry-after': '1' }, body: { message: 'Too many requests' } }
const secondary = {
  status: 403,
  headers: { 'retry-after': '1' },
  body: {
    message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
    documentation_url: 'https://docs.github.com/rest',
  },
}
const faults: readonly [name: string, fault: (host: StagedHost) => Pick<Trouble, 'happens' | 'as'>][] = [
  ['an error', () => ({ happens: 'before', as: broken })],
  ['a broken connection, done', () => ({ happens: 'after', as: 'drop' })],
  ['a rate limit', ({ kind }) => ({ happens: 'before', as: kind === 'github' ? secondary : tooMany })],
  ['an error, done', () => ({ happens: 'after', as: broken })],
  ['a broken connection', () => ({ happens: 'before', as: 'drop' })],
  ['half an answer', () => ({ happens: 'after', as: 'truncate' })],
]
const silences: Pick<Trouble, 'happens' | 'as'>[] = [
  { happens: 'before', as: 'hang' },
  { happens: 'after', as: 'hang' },
]
const words = ['two', 'three', 'four']
const opens = /\/(?:pulls|merge_requests|pullrequests)$/

beforeAll(async () => {
  hosts = await Promise.all([stageGitHubApp(), stageGitLab(), stageGitea(), stageBitbucket()])
  for (const { origin } of hosts) origin.push('main', 'other.md', 'left\n')
  product = await startHostedServer({
    DOCWRIGHT_JOB_CONCURRENCY: '12',
    GITLAB_URL: `${new URL(hosts[1]?.url ?? '').origin}/gitlab`,
  })
})

afterAll(async () => {
  await product[Symbol.asyncDispose]()
  await Promise.all(hosts.map((host) => host[Symbol.asyncDispose]()))
})

it('opens one request for each job, whatever goes wrong with every call to the host twice', async () => {
  await each(async (host) => {
    const met = goWrongTwice(host)
    const { id, notes } = await product.add(host)
    expect([host.name, notes]).toEqual([host.name, []])
    projects.set(host, id)
    // No more than two for one turn, which is tried three times.
    host.gitTroubles.push(
      git('POST', /upload-pack$/, { happens: 'after', as: 'truncate' }),
      git('POST', /receive-pack$/, { happens: 'after', as: 'drop' }),
    )
    const made = await Promise.all(
      words.map((word) => product.job(id, `Replace "one" with "${word}" in index.md`)),
    )
    jobs.set(host, made)
    expectPublished(host, made)
    expect(host.gitTroubles).toEqual([])
    const opened = [...met].filter((one) => one.startsWith('POST') && opens.test(one.split(' ')[1] ?? ''))
    expect([host.name, opened.length]).toEqual([host.name, faults.length])
  })
})

it('takes a comment once and answers it once, through the same', async () => {
  await each(async (host) => {
    const [job] = jobsOf(host)
    const number = job?.pullRequest?.number ?? 0
    host.gitTroubles.push(
      git('GET', /info\/refs\?service=git-receive-pack$/, { happens: 'before', as: { status: 429 } }),
      git('POST', /receive-pack$/, { happens: 'before', as: 'drop' }),
    )
    const said = host.say(number, '@docwright Replace "two" with "five" in index.md', 'maintainer')
    expect(await product.tell(host, { type: 'comment', said })).toBe(202)
    await until(() => host.answers(number).length > 0)
    host.server.trouble = undefined
    expect(await product.read(projectOf(host), job?.id ?? '')).toMatchObject({
      status: 'completed',
      turns: 2,
    })
    expect([host.name, show(host, job, 'index.md')]).toEqual([host.name, 'five'])
    expect(host.answers(number)).toHaveLength(1)
    expectPublished(host, jobsOf(host).slice(1))
  })
})

it('goes on from branches that people force-pushed, while it pushed too, and that they deleted', async () => {
  await each(async (host) => {
    const [forced, raced, gone] = jobsOf(host)
    if (!forced || !raced || !gone) throw new Error('All were created')
    const follow = (job: HostedJob, prompt: string) => product.follow(projectOf(host), job.id, prompt)

    host.origin.push(forced.source.ref, 'forced.md', '# Forced\n')
    host.gitTroubles.push({
      ...git('POST', /receive-pack$/, { happens: 'before', as: 'pass' }),
      meanwhile: () => host.origin.push(raced.source.ref, 'raced.md', '# Raced\n'),
    })
    const changed = await follow(raced, 'Replace "left" with "right" in other.md')
    expect([host.name, changed.status, changed.failure]).toEqual([host.name, 'completed', null])
    expect(show(host, raced, 'raced.md')).toBe('# Raced')
    expect([show(host, raced, 'index.md'), show(host, raced, 'other.md')]).toEqual(['one', 'right'])
    expect(changed.pullRequest).toEqual(raced.pullRequest)

    host.origin.deleteBranch(gone.source.ref)
    const [onForced, onFresh] = await Promise.all([
      follow(forced, 'Replace "one" with "six" in index.md'),
      follow(gone, 'Replace "one" with "seven" in index.md'),
    ])
    expect([host.name, onForced.status, onForced.failure]).toEqual([host.name, 'completed', null])
    expect([show(host, forced, 'index.md'), show(host, forced, 'forced.md')]).toEqual(['six', '# Forced'])
    expect(onForced.pullRequest).toEqual(forced.pullRequest)
    expect([host.name, onFresh.status, onFresh.failure]).toEqual([host.name, 'completed', null])
    expect(onFresh.source.ref).not.toBe(gone.source.ref)
    expect(show(host, onFresh, 'index.md')).toBe('seven')
    expect(host.requests()).toHaveLength(4)
  })
})

it('waits no longer than it must for a host that is silent, before and after it opened a request', async () => {
  await each(async (host) => {
    for (const silence of silences)
      host.server.troubles.push({
        ...silence,
        matches: ({ method, path }) => method === 'POST' && opens.test(path),
      })
    const made = await Promise.all(
      ['eight', 'nine'].map((word) =>
        product.job(projectOf(host), `Replace "one" with "${word}" in index.md`),
      ),
    )
    expectPublished(host, made)
    expect(host.server.troubles).toEqual([])
  })
})

it('ends with what to do when the credential expires after the push, and goes on with a new one', async () => {
  await each(async (host) => {
    const id = projectOf(host)
    host.gitTroubles.push({
      ...git('POST', /receive-pack$/, { happens: 'before', as: 'pass' }),
      meanwhile: () => host.renew(),
    })
    const failed = await product.job(id, 'Replace "one" with "ten" in index.md')
    expect([host.name, failed.status, failed.failure?.message]).toEqual([
      host.name,
      'failed',
      expect.stringMatching(/rejected the credential.*Update or replace it/),
    ])
    const path = `/admin/projects/${host.name}/host`
    const { body, status } = await product.ask('PATCH', path, { credential: host.credential })
    expect([status, (body as { notes: string[] }).notes]).toEqual([200, []])
    const done = await product.follow(id, failed.id, 'Replace "ten" with "eleven" in index.md')
    expectPublished(host, [done])
    expect(show(host, done, 'index.md')).toBe('eleven')
  })
  expect(await product.find(hosts.flatMap((host) => host.secrets()))).toEqual([])
})

/** Each request meets two troubles before it goes well; those of one sort meet one after the other. @returns what met what */
function goWrongTwice(host: StagedHost): Set<string> {
  const met = new Set<string>()
  const places = new Map<string, { first: number; times: number }>()
  const counts = new Map<string, number>()
  host.server.trouble = ({ method, path, query, body }: ApiRequest) => {
    const sort = `${method} ${path.replaceAll(/[0-9a-f]{40}|docwright(?:%2F|\/)[\w-]+|\d+/g, '*')}`
    const key = `${method} ${path}?${query.toString()} ${JSON.stringify(body)}`
    const count = counts.get(sort) ?? 0
    if (!places.has(key)) counts.set(sort, count + 2)
    const place = places.get(key) ?? { first: count, times: 0 }
    places.set(key, place)
    const [name, fault] = faults[(place.first + place.times) % faults.length] ?? []
    if (place.times === 2 || fault === undefined) return undefined
    place.times += 1
    met.add(`${sort} ${name}`)
    return { ...fault(host), matches: () => true }
  }
  return met
}

function git(method: string, url: RegExp, trouble: Pick<GitTrouble, 'happens' | 'as'>): GitTrouble {
  return { ...trouble, matches: (request) => request.method === method && url.test(request.url) }
}

function expectPublished(host: StagedHost, made: readonly HostedJob[]): void {
  for (const job of made) {
    expect([host.name, job.status, job.failure]).toEqual([host.name, 'completed', null])
    const own = host.requests().filter(({ head }) => head === job.source.ref)
    const one = { number: job.pullRequest?.number, head: job.source.ref, state: 'open' }
    expect([host.name, own]).toEqual([host.name, [one]])
    // One commit on the base, of one file, however often it was tried.
    expect(plainGit(host.origin.folder, ['diff', '--name-only', `main...${job.source.ref}`])).toBe('index.md')
  }
}

async function each(work: (host: StagedHost) => Promise<void>): Promise<void> {
  await Promise.all(hosts.map(work))
}

function projectOf(host: StagedHost): string {
  return projects.get(host) ?? ''
}

function jobsOf(host: StagedHost): HostedJob[] {
  return jobs.get(host) ?? []
}

function show(host: StagedHost, job: HostedJob | undefined, path: string): string {
  return plainGit(host.origin.folder, ['show', `${job?.source.ref}:${path}`])
}

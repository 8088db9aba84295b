import { afterAll, beforeAll, expect, it } from 'vitest'
import { stageBitbucket } from '../worlds/hosts/staged-bitbucket.ts'
import { stageGitea } from '../worlds/hosts/staged-gitea.ts'
import { stageGitHubApp } from '../worlds/hosts/staged-github.ts'
import { stageGitLab } from '../worlds/hosts/staged-gitlab.ts'
import type { StagedHost } from '../worlds/hosts/staged-host.ts'
import { runCommand } from '../server.ts'
import { startHostedServer, until, type HostedJob, type HostedServer } from './hosted-server.ts'

let product: HostedServer
let hosts: StagedHost[]
const projects = new Map<StagedHost, string>()
const jobs = new Map<StagedHost, HostedJob[]>()

beforeAll(async () => {
  hosts = await Promise.all([stageGitHubApp(), stageGitLab(), stageGitea(), stageBitbucket()])
  product = await startHostedServer({
    DOCWRIGHT_JOB_CONCURRENCY: '4',
    GITLAB_URL: `${new URL(hosts[1]?.url ?? '').origin}/gitlab`,
  })
  await each(async (host) => {
    const { id } = await product.add(host)
    projects.set(host, id)
    const made: HostedJob[] = []
    for (const word of ['two', 'three', 'four'])
      made.push(await product.job(id, `Replace "one" with "${word}" in index.md`))
    expect([host.name, made.map(({ failure }) => failure)]).toEqual([host.name, [null, null, null]])
    jobs.set(host, made)
  })
})

afterAll(async () => {
  await product[Symbol.asyncDispose]()
  await Promise.all(hosts.map((host) => host[Symbol.asyncDispose]()))
})

it('shows a pull request of a job with the styles that its repository allows', async () => {
  await each(async (host) => {
    host.merges.styles = host.kind === 'gitlab' ? ['merge', 'squash'] : ['squash', 'merge', 'rebase']
    const { status, body } = await product.ask('GET', pathOf(host, 0))
    expect([host.name, status]).toEqual([host.name, 200])
    const head = host.origin.head(jobAt(host, 0).source.ref) ?? ''
    expect(body).toMatchObject({
      state: 'open',
      base: 'main',
      link: jobAt(host, 0).prLink,
      headCommit: expect.stringMatching(new RegExp(`^${head.slice(0, 12)}`)) as string,
      mergeStyles: host.kind === 'gitlab' ? ['merge', 'squash'] : ['merge', 'squash', 'rebase'],
      mergeability: { state: 'clean', conflicts: [] },
      judgement: { verdict: 'ready' },
    })
  })
})

it('merges neither what nobody looked at nor what no job has opened, nor in a style that is not allowed', async () => {
  await each(async (host) => {
    host.merges.styles = ['squash']
    const old = await product.ask('POST', `${pathOf(host, 0)}/merge?headCommit=${'a'.repeat(40)}`)
    expect([host.name, old]).toMatchObject([
      host.name,
      { status: 409, body: { error: said(/other commits/) } },
    ])
    const other = await product.ask('POST', `${pathOf(host, 0)}/merge?style=merge`)
    expect([host.name, other]).toMatchObject([
      host.name,
      { status: 400, body: { error: said(/allows squash$/) } },
    ])
    const path = `/admin/projects/${host.name}/pulls/77`
    expect((await product.ask('POST', `${path}/merge`)).status).toBe(404)
    expect(host.merges.done).toEqual([])
  })
})

it('says in the words of the host why it does not merge, and asks it once', async () => {
  const words: Record<string, [refusal: string, said: RegExp]> = {
    github: ['Required status check "ci" is expected.', /Required status check "ci" is expected.*checks/],
    gitlab: ['not_approved', /not approved.*approved at the host/],
    gitea: ['Not all required status checks successful', /Not all required status checks.*checks/],
    bitbucket: ['This pull request needs 2 approvals.', /needs 2 approvals.*approved at the host/],
  }
  await each(async (host) => {
    const [refusal, message] = words[host.kind] ?? ['', /^$/]
    host.merges.refusal = refusal
    const before = merges(host)
    const refused = await product.ask('POST', `${pathOf(host, 0)}/merge`)
    host.merges.refusal = undefined
    expect([host.name, refused]).toMatchObject([host.name, { status: 409, body: { error: said(message) } }])
    expect([host.name, merges(host) - before]).toEqual([host.name, 1])
  })
})

it('says when the credential may not merge', async () => {
  await each(async (host) => {
    // Of an app, tokens are asked for with it.
    if (host.kind === 'github') return
    host.merges.may = false
    const refused = await product.ask('POST', `${pathOf(host, 0)}/merge`)
    host.merges.may = true
    expect([host.name, refused]).toMatchObject([
      host.name,
      { status: 403, body: { error: said(/credential|account/) } },
    ])
    expect(host.merges.done).toEqual([])
  })
})

it('merges once although the answer is lost, in the only style that is allowed, and reads the pages', async () => {
  await each(async (host) => {
    const isMerge = ({ method, path }: { method: string; path: string }) =>
      method !== 'GET' && path.endsWith('/merge')
    host.server.troubles.push({ matches: isMerge, happens: 'after', as: 'drop' })
    const job = jobAt(host, 0)
    const head = host.origin.head(job.source.ref) ?? ''
    const merged = await product.ask('POST', `${pathOf(host, 0)}/merge`)
    expect([host.name, merged]).toMatchObject([host.name, { status: 200, body: { state: 'merged' } }])
    expect(host.merges.done).toEqual([{ number: numberOf(host, 0), style: 'squash', head }])
    const id = projects.get(host) ?? ''
    expect(await product.read(id, job.id)).toMatchObject({ pullRequest: { state: 'merged' } })
    const again = await product.ask('POST', `${pathOf(host, 0)}/merge`)
    expect([host.name, again]).toMatchObject([
      host.name,
      { status: 409, body: { error: said(/merged already|already merged/) } },
    ])
    expect(host.merges.done).toHaveLength(1)
    await until(async () =>
      JSON.stringify((await product.ask('GET', `/admin/projects/${host.name}`)).body).includes(
        host.origin.head('main') ?? '-',
      ),
    )
  })
})

it('does not merge a commit that came while it was asked to', async () => {
  await each(async (host) => {
    // A merge of Bitbucket takes no commit: it is compared right before.
    if (host.kind === 'bitbucket') return
    const { ref } = jobAt(host, 1).source
    let isPushed = false
    host.server.trouble = ({ method, path }) => {
      if (method !== 'GET' && path.endsWith('/merge') && !isPushed) {
        isPushed = true
        host.origin.push(ref, 'sneaked.md', '# Unseen\n', ref)
      }
      return undefined
    }
    const refused = await product.ask('POST', `${pathOf(host, 1)}/merge`)
    host.server.trouble = undefined
    expect([host.name, isPushed]).toEqual([host.name, true])
    expect([host.name, refused]).toMatchObject([
      host.name,
      { status: 409, body: { error: said(/other commits/) } },
    ])
    expect(host.merges.done).toHaveLength(1)
  })
})

it('merges from the terminal, with the style that is asked for', async () => {
  for (const host of hosts) {
    host.merges.styles = ['merge', 'squash']
    // As long as it still compares the branches.
    if (host.kind === 'gitea') host.merges.early = 2
    const words = ['pull', 'merge', String(numberOf(host, 2)), '--project', host.name, '--style', 'squash']
    const done = await runCommand(product.server.dataFolder, ...words)
    expect([host.name, done.stderr, done.code]).toEqual([host.name, '', 0])
    expect(done.stdout).toMatch(/merged/)
    expect(host.merges.done.at(-1)).toMatchObject({ number: numberOf(host, 2), style: 'squash' })
  }
})

/** At once, on all hosts. */
async function each(work: (host: StagedHost) => Promise<void>): Promise<void> {
  await Promise.all(hosts.map(work))
}

function jobAt(host: StagedHost, at: number): HostedJob {
  const found = jobs.get(host)?.[at]
  if (!found) throw new Error('It was made')
  return found
}

function numberOf(host: StagedHost, at: number): number {
  return jobAt(host, at).pullRequest?.number ?? 0
}

function pathOf(host: StagedHost, at: number): string {
  return `/admin/projects/${host.name}/pulls/${numberOf(host, at)}`
}

function said(words: RegExp): string {
  return expect.stringMatching(words) as string
}

function merges(host: StagedHost): number {
  return host.server.requests.filter((name) => /^(?:PUT|POST) .*\/merge$/.test(name)).length
}

import { afterAll, beforeAll, expect, it } from 'vitest'
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
const jobs = new Map<StagedHost, HostedJob>()

beforeAll(async () => {
  hosts = await Promise.all([stageGitHubApp(), stageGitLab(), stageGitea(), stageBitbucket()])
  for (const { origin } of hosts)
    origin.push('main', 'pull_request_template.md', '## What\n\n## Checklist\n\n- [ ] Read by a person\n')
  product = await startHostedServer({
    DOCWRIGHT_JOB_CONCURRENCY: '4',
    GITLAB_URL: `${new URL(hosts[1]?.url ?? '').origin}/gitlab`,
  })
})

afterAll(async () => {
  await product[Symbol.asyncDispose]()
  await Promise.all(hosts.map((host) => host[Symbol.asyncDispose]()))
})

it('uses the template, and keeps in a follow-up what people wrote', async () => {
  await each(async (host) => {
    const { id, notes } = await product.add(host)
    expect([host.name, notes]).toEqual([host.name, []])
    projects.set(host, id)
    const job = await product.job(id, 'Replace "one" with "two" in index.md')
    expect([host.name, job.status, job.failure]).toEqual([host.name, 'completed', null])
    jobs.set(host, job)
    const number = job.pullRequest?.number ?? 0
    const { body } = host.text(number)
    expect(body).toMatch(/^## What\n[^]*Checks[^]*## Checklist\n\n- \[ \] Read by a person$/)
    host.edit(number, { title: 'docs: say two', body: `Closes #77\r\n\r\n${body.replace('[ ]', '[x]')}` })
    const after = await product.follow(id, job.id, 'Replace "two" with "three" in index.md')
    expect([host.name, after.status, after.failure]).toEqual([host.name, 'completed', null])
    const now = host.text(number)
    expect(now.title).toBe('docs: say two')
    expect(now.body).toMatch(/^Closes #77\n[^]*Replaced `two` with `three`[^]*- \[x\] Read by a person$/)
    expect(now.body.match(/Created by Docwright/g)).toHaveLength(1)
  })
})

it('follows a repository that was renamed', async () => {
  await each(async (host) => {
    host.rename('manual')
    const [id, job] = [projects.get(host) ?? '', jobs.get(host)]
    const after = await product.follow(id, job?.id ?? '', 'Replace "three" with "four" in index.md')
    expect([host.name, after.status, after.failure]).toEqual([host.name, 'completed', null])
    expect(plainGit(host.origin.folder, ['show', `${job?.source.ref}:index.md`])).toBe('four')
    const before = await product.pages(host)
    host.origin.push('main', 'fresh.md', '# Fresh\n\nWritten just now.\n')
    expect(await product.tell(host, { type: 'push', branch: 'main' })).toBe(202)
    await until(async () => (await product.pages(host)) > before)
    const { body } = await product.ask('GET', `/admin/projects/${host.name}`)
    expect(body).toMatchObject({ repository: expect.stringContaining('/manual.git') as string })
  })
})

it('says in jobs what the host says, and waits for one that answers with a page', async () => {
  await each(async (host) => {
    const id = projects.get(host) ?? ''
    const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html>\n<h1>Soon' }
    host.gitTroubles.push({ matches: () => true, happens: 'before', as: page })
    const job = await product.job(id, 'Replace "one" with "five" in index.md')
    expect([host.name, job.status, job.failure]).toEqual([host.name, 'completed', null])
    host.renew()
    const refused = await product.job(id, 'Replace "one" with "six" in index.md')
    expect([host.name, refused.status, refused.failure]).toEqual([
      host.name,
      'failed',
      {
        code: 'permission_missing',
        message: expect.stringMatching(/credential|private key|GitHub App/) as string,
      },
    ])
  })
})

/** At once, on all hosts. */
async function each(work: (host: StagedHost) => Promise<void>): Promise<void> {
  await Promise.all(hosts.map(work))
}

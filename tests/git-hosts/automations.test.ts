import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFakeOrigin } from '../worlds/hosts/fake-origin.ts'
import { startFakeGitHub } from '../worlds/hosts/github/github-server.ts'
import type { FakeGitHub } from '../worlds/hosts/github/github-state.ts'
import { startFakeGitea } from '../worlds/hosts/gitea/gitea-server.ts'
import type { FakeGitea } from '../worlds/hosts/gitea/gitea-state.ts'
import { plainGit } from '../worlds/git/temporary-git.ts'
import { startHostedServer, until, type HostedServer } from './hosted-server.ts'

type Origin = Awaited<ReturnType<typeof fakeOrigin>>

const fakeOrigin = async () => ({ ...(await createFakeOrigin()), forget: () => undefined })

let product: HostedServer
let projectId: string
let docs: { origin: Origin; fake: FakeGitea }
let code: { origin: Origin; fake: FakeGitHub }

beforeAll(async () => {
  const [one, two] = await Promise.all([fakeOrigin(), fakeOrigin()])
  docs = { origin: one, fake: await startFakeGitea(one) }
  code = { origin: two, fake: await startFakeGitHub(two) }
  docs.fake.settings.admin = false
  product = await startHostedServer({
    DOCWRIGHT_SYNC_INTERVAL: '2',
    GITEA_URL: docs.fake.server.origin,
    GITEA_TOKEN: 'all',
    GITHUB_URL: code.fake.server.origin,
    GITHUB_TOKEN: 'ghp_all',
  })
})

afterAll(async () => {
  await product[Symbol.asyncDispose]()
  await Promise.all([docs.fake.server, code.fake.server].map((one) => one[Symbol.asyncDispose]()))
  await Promise.all([docs.origin, code.origin].map((one) => one[Symbol.asyncDispose]()))
})

it('says on a pull request of a context repository which pages it touches, once, and edits it', async () => {
  const { origin, fake } = code
  origin.push('main', 'src/limits.ts', 'export const maxUploadSize = 5\n')
  docs.origin.push('main', 'limits.md', '# Limits\n\nSet `maxUploadSize` to allow larger files.\n')
  projectId = await addProject()
  const propose = (branch: string): void => {
    const sha = origin.head(branch) ?? ''
    // As hosts keep them.
    plainGit(origin.folder, ['update-ref', 'refs/pull/1/head', sha])
    const [present] = fake.pulls
    if (present) present.sha = sha
    else fake.pulls.push({ ...pull, head: branch, sha })
  }
  origin.push('rename', 'src/limits.ts', 'export const maxTransferSize = 5\n')
  propose('rename')
  const first = await until(() => fake.said[0])
  expect(first.body).toContain('**1 certain, 0 likely, 0 edited already, 0 to look at**')
  expect(first.body).toContain('`limits.md:3`')
  const status = await until(() => fake.statuses[0])
  expect(status).toMatchObject({
    sha: origin.head('rename'),
    body: { state: 'success', description: 'Documentation: 1 certain, 0 likely, 0 edited already' },
  })
  // Two more rounds say nothing more.
  await new Promise((done) => setTimeout(done, 12_000))
  expect([fake.said.length, fake.statuses.length]).toEqual([1, 1])
  origin.push('rename', 'src/limits.ts', 'export const maxUploadSize = 6\n', 'rename')
  propose('rename')
  await until(() => fake.statuses[1])
  expect(fake.said).toHaveLength(1)
  expect(fake.said[0]?.body).toContain('**0 certain')
  const { body } = await product.ask('GET', `/v2/automation-runs/${projectId}`)
  expect(JSON.stringify(body)).toContain('Pull request #1 of @app')
})

it('merges what is clean if the rule says so, and leaves a draft to people', async () => {
  const run = async (front: string, prompt: string): Promise<string> => {
    const source = `---\nname: By itself\n${front}---\n\n${prompt}\n`
    const { body } = await product.ask('POST', `/v2/automations/${projectId}`, { source })
    const { id } = body as { id: string }
    const started = await product.ask('POST', `/v1/workflow/${projectId}/${id}/trigger`)
    expect([started.status, started.body]).toMatchObject([202, { schemaId: id }])
    const { instanceId } = started.body as { instanceId: string }
    return `/v2/automation-runs/${projectId}/${instanceId}`
  }
  const stateOf = async (path: string) =>
    (await product.ask('GET', path)).body as { state: string; reasons: string[] }
  const draft = await run('', 'Replace "larger" with "bigger" in limits.md')
  const merged = await run('automerge: true\n', 'Replace "one" with "two" in index.md')
  const isIn = (path: string, state: string) => until(async () => (await stateOf(path)).state === state)
  await isIn(merged, 'accepted')
  await isIn(draft, 'review')
  expect((await stateOf(merged)).reasons).toContain('Merged by the rule.')
  expect(docs.fake.merges.done).toHaveLength(1)
  expect(plainGit(docs.origin.folder, ['show', 'main:index.md'])).toBe('two')
  expect(docs.fake.pulls.filter((one) => one.merged)).toHaveLength(1)
  expect(docs.fake.pulls).toHaveLength(2)
})

it('writes the documentation of a pull request ahead, which follows its end', async () => {
  const { origin, fake } = code
  const propose = (number: number): void => {
    const head = `rename-${number}`
    origin.push(head, 'src/limits.ts', `export const limitOf${number} = 5\n`)
    const sha = origin.head(head) ?? ''
    plainGit(origin.folder, ['update-ref', `refs/pull/${number}/head`, sha])
    fake.pulls.push({ ...pull, number, head, sha })
  }
  // The other page stands in an open pull request.
  docs.origin.push('main', 'uploads.md', '# Uploads\n\nSet `maxUploadSize` to allow larger files.\n')
  const source = `---\nname: Ahead\non:\n  pull: { repo: app, job: true }\n---\n\nReplace "maxUploadSize" with "uploadLimit" in uploads.md\n`
  const { body } = await product.ask('POST', `/v2/automations/${projectId}`, { source })
  const { id } = body as { id: string }
  const before = docs.fake.pulls.length
  propose(2)
  const second = await until(() => docs.fake.pulls[before])
  expect(second).toMatchObject({ state: 'open', title: expect.stringMatching(/^WIP: /) as string })
  const said = () => fake.said.filter((one) => one.pull === 2)
  await until(() => said().some((one) => /^.{0,80}\n\*\*Documentation ready in \[#/.test(one.body)))
  const [present] = fake.pulls.filter(({ number }) => number === 2)
  Object.assign(present ?? {}, { state: 'closed' })
  await until(() => docs.fake.pulls[before]?.state === 'closed')
  propose(3)
  await until(() => docs.fake.pulls[before + 1])
  const [other] = fake.pulls.filter(({ number }) => number === 3)
  Object.assign(other ?? {}, { state: 'closed', mergedAt: '2026-03-01T10:00:00Z' })
  await until(() => docs.fake.pulls[before + 1]?.title.startsWith('WIP: ') === false)
  expect(docs.fake.pulls[before + 1]).toMatchObject({ state: 'open' })
  const runs = await product.ask('GET', `/v2/automation-runs/${projectId}?automationId=${id}`)
  const listed = (runs.body as { runs: { state: string; reasons: string[] }[] }).runs
  expect(listed.map(({ state, reasons }) => [state, reasons.at(-1)])).toEqual(
    expect.arrayContaining([
      ['closed', expect.anything()],
      ['review', expect.anything()],
    ]),
  )
  const reasons = JSON.stringify(listed)
  expect(reasons).toContain('Closed, as the pull request of the code was closed.')
  expect(reasons).toContain('Marked as ready, as the pull request of the code was merged.')
  expect(said()).toHaveLength(1)
}, 300_000)

const pull = {
  number: 1,
  title: 'Rename the limit',
  body: '',
  owner: 'acme',
  base: 'main',
  draft: false,
  maintainer_can_modify: true,
  state: 'open' as const,
  mergedAt: null,
  labels: [],
  reviewers: [],
  assignees: [],
}

async function addProject(): Promise<string> {
  const location = `${docs.fake.server.origin}/acme/docs.git`
  const added = await product.ask('POST', '/admin/projects', { location, domain: 'tea', host: 'gitea' })
  expect(added.status).toBe(201)
  const { id } = added.body as { id: string }
  const settings = {
    contextRepositories: [{ name: 'app', location: `${code.fake.server.origin}/acme/docs.git`, ref: 'main' }],
  }
  const changed = await product.ask('PATCH', '/admin/projects/tea/settings', settings)
  expect([changed.status, changed.body]).toMatchObject([200, {}])
  const source = '---\nname: Preview\ntype: code-changes\non:\n  pull: { repo: app }\n---\n'
  const created = await product.ask('POST', `/v2/automations/${id}`, { source })
  expect([created.status, created.body]).toMatchObject([201, { problems: [], notes: [] }])
  return id
}

import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createGitea } from '../../src/integrations/forges/gitea/gitea.ts'
import type { HostedRepository } from '../../src/integrations/forges/host.ts'
import { plainGit } from '../worlds/git/temporary-git.ts'
import { describedFetch, differences } from './described-fetch.ts'
import {
  createPerson,
  createRepository,
  createToken,
  giteaSite,
  pushPage,
  type GiteaRepository,
  type Person,
} from './gitea-site.ts'

const [owner, bot, reader, stranger] = [
  await createPerson('keeper'),
  await createPerson('helper'),
  await createPerson('visitor'),
  await createPerson('passer'),
]
const ports = {
  fetch: describedFetch,
  now: () => new Date(),
  delay: (milliseconds: number) => delay(milliseconds),
}
const text = { title: 'Say more', body: 'Why', base: 'main', draft: false }

async function open({ path }: GiteaRepository, as: Person, fork?: string): Promise<HostedRepository> {
  return openWith(path, await createToken(as), fork)
}

function openWith(path: string, token: string, fork?: string): HostedRepository {
  const site = giteaSite
  const pushed = fork === undefined ? undefined : { site, path: fork }
  return createGitea().open(ports, { kind: 'token', token }, { site, path }, pushed)
}

async function createOwnRepository(): Promise<GiteaRepository> {
  const repository = await createRepository(owner, [bot])
  await owner.ask('PUT', `/repos/${repository.path}/collaborators/${reader.name}`, { permission: 'read' })
  return repository
}

describe('what a credential may do', () => {
  it('tells of an owner, a writer, a reader, a stranger and a wrong token', async () => {
    await using repository = await createOwnRepository()
    const { path } = repository
    const common = { defaultBranch: 'main', path, archived: false }
    const check = async (as: Person) => (await open(repository, as)).checkAccess()
    expect(await check(owner)).toEqual({ ...common, login: owner.name, missing: [] })
    expect(await check(bot)).toEqual({ ...common, login: bot.name, missing: [] })
    expect(await check(reader)).toMatchObject({ missing: [`write access to ${path}`] })
    await expect(check(stranger)).rejects.toMatchObject({ code: 'not_found' })
    await expect(openWith(path, '0'.repeat(40)).checkAccess()).rejects.toMatchObject({ code: 'unauthorized' })
    await owner.ask('PATCH', `/repos/${path}`, { archived: true })
    expect(await check(bot)).toMatchObject({ archived: true, missing: [] })
    await owner.ask('PATCH', `/repos/${path}`, { archived: false })
  })

  it('knows in an organization the members of its own teams, and asks for the others', async () => {
    const organization = `org-${bot.name}`
    await owner.ask('POST', '/orgs', { username: organization })
    const createTeam = async (name: string, permission: string, members: Person[]) => {
      const units = ['repo.code', 'repo.issues', 'repo.pulls']
      const settings = { name, permission, units, includes_all_repositories: true }
      const team = (await owner.ask('POST', `/orgs/${organization}/teams`, settings)) as { id: number }
      for (const member of members) await owner.ask('PUT', `/teams/${team.id}/members/${member.name}`)
    }
    await createTeam('writers', 'write', [bot, stranger])
    await createTeam('readers', 'read', [reader])
    await using repository = await createRepository(owner, [], organization)
    const hosted = await open(repository, bot)
    // The owners' team writes too, and shows its members to nobody else.
    expect(await hosted.checkAccess()).toMatchObject({
      missing: [],
      missingForComments: expect.stringContaining('every team') as string,
    })
    expect((await (await open(repository, owner)).checkAccess()).missingForComments).toBeUndefined()
    pushPage(repository, 'work', 'a.md', 'a', 'main')
    const { number } = await hosted.forge.open({
      ...text,
      head: 'work',
      reviewers: [`${organization}/writers`],
    })
    for (const who of [stranger, reader, owner]) {
      await who.ask('POST', `/repos/${repository.path}/issues/${number}/comments`, { body: 'Please' })
    }
    const said = async (by: HostedRepository) =>
      (await by.forge.commentsSince(number, undefined)).map(({ author, trusted }) => [author, trusted])
    const told = new Map((await said(hosted)).map(([author, trusted]) => [author, trusted] as const))
    expect(told.get(stranger.name)).toBe(true)
    // Newer ones let the reader be assigned, and so may a writer be: then it is unknown.
    expect(told.get(reader.name) ?? false).toBe(false)
    expect(told.get(owner.name)).toBeUndefined()
    expect(told.size).toBe(3)
    // As an owner it is a member of the team of owners alone, but administers.
    expect(await said(await open(repository, owner))).toEqual([
      [stranger.name, true],
      [reader.name, false],
      [owner.name, true],
    ])
  })
})

describe('a pull request', () => {
  it('gets labels, reviewers and assignees, but for unknown ones', async () => {
    await using repository = await createOwnRepository()
    const { path } = repository
    await owner.ask('POST', `/repos/${path}/labels`, { name: 'Docs', color: '#00aabb' })
    const { forge } = await open(repository, bot)
    pushPage(repository, 'work', 'a.md', 'a', 'main')
    const people = { reviewers: ['nobody-at-all', owner.name], assignees: ['nobody-at-all'] }
    const first = await forge.open({ ...text, head: 'work', labels: ['docs', 'New'], ...people })
    expect(await owner.ask('GET', `/repos/${path}/pulls/${first.number}`)).toMatchObject({
      labels: expect.arrayContaining([
        expect.objectContaining({ name: 'Docs' }),
        expect.objectContaining({ name: 'New' }),
      ]) as unknown,
    })
    const asked = (await owner.ask('GET', `/repos/${path}/pulls/${first.number}/reviews`)) as unknown[]
    expect(asked).toMatchObject([{ user: { login: owner.name }, state: 'REQUEST_REVIEW' }])
    pushPage(repository, 'more', 'b.md', 'b', 'main')
    const second = await forge.open({ ...text, head: 'more', assignees: ['nobody-at-all', owner.name] })
    expect(await owner.ask('GET', `/repos/${path}/pulls/${second.number}`)).toMatchObject({
      assignees: [{ login: owner.name }],
    })
  })

  it('is a draft by its title, and comes from a fork', async () => {
    await using repository = await createOwnRepository()
    const { path } = repository
    const { full_name: fork } = (await bot.ask('POST', `/repos/${path}/forks`, {})) as { full_name: string }
    pushPage(repository, 'work', 'a.md', 'a', 'main')
    const own = await (await open(repository, bot)).forge.open({ ...text, head: 'work', draft: true })
    expect(own.draft).toBe(true)
    plainGit(repository.folder, ['push', '--quiet', bot.address(fork), 'HEAD:refs/heads/work'])
    const forked = await open(repository, bot, fork)
    expect(await forked.checkAccess()).toMatchObject({ missing: [] })
    expect(await forked.forge.findByHead('work')).toBeUndefined()
    const opened = await forked.forge.open({ ...text, head: 'work' })
    expect(opened).toMatchObject({ head: 'work', draft: false })
    expect(opened.number).not.toBe(own.number)
    expect(await forked.forge.findByHead('work')).toEqual(opened)
    expect(await forked.forge.open({ ...text, head: 'work' })).toEqual(opened)
    expect(await (await open(repository, bot)).forge.findByHead('work')).toEqual(own)
  })

  it('is one, though two servers open it at once', async () => {
    await using repository = await createOwnRepository()
    pushPage(repository, 'work', 'a.md', 'a', 'main')
    const both = [await open(repository, bot), await open(repository, bot)]
    const opened = await Promise.all(both.map(({ forge }) => forge.open({ ...text, head: 'work' })))
    expect(opened[0]).toEqual(opened[1])
    expect(await both[0]?.forge.listOpen()).toHaveLength(1)
  })
})

describe('what is said', () => {
  it('is posted once, reacted to, and found on lines and in reviews', async () => {
    await using repository = await createOwnRepository()
    const { path } = repository
    const hosted = await open(repository, bot)
    pushPage(repository, 'work', 'a.md', 'a\nb\n', 'main')
    const { number } = await hosted.forge.open({ ...text, head: 'work' })
    await hosted.postComment(number, 'Done', 'first')
    await hosted.postComment(number, 'Done', 'first')
    await hosted.postComment(number, 'Done', 'second')
    expect(await owner.ask('GET', `/repos/${path}/issues/${number}/comments`)).toHaveLength(2)
    await owner.ask('POST', `/repos/${path}/issues/${number}/comments`, { body: 'First' })
    await owner.ask('POST', `/repos/${path}/pulls/${number}/reviews`, {
      event: 'COMMENT',
      body: 'Second',
      comments: [{ path: 'a.md', body: 'Third', new_position: 2 }],
    })
    await reader.ask('POST', `/repos/${path}/issues/${number}/comments`, { body: 'Fourth' })
    const said = await hosted.forge.commentsSince(number, undefined)
    expect(said.map(({ author, body, trusted }) => [author, body, trusted])).toEqual(
      expect.arrayContaining([
        [owner.name, 'First', true],
        [owner.name, 'Second', true],
        [owner.name, 'Third', true],
        [reader.name, 'Fourth', false],
      ]),
    )
    expect(said).toHaveLength(4)
    expect(said.find(({ body }) => body === 'Third')).toMatchObject({ path: 'a.md', line: 2 })
    for (const { id } of said) {
      await hosted.react(number, id)
      await hosted.react(number, id)
    }
    const id = said.find(({ body }) => body === 'First')?.id.split('-')[1]
    expect(await owner.ask('GET', `/repos/${path}/issues/comments/${id}/reactions`)).toMatchObject([
      { user: { login: bot.name }, content: 'eyes' },
    ])
  })

  it('is a state beside the commit, of which the newest counts', async () => {
    await using repository = await createOwnRepository()
    const hosted = await open(repository, bot)
    const head = plainGit(repository.folder, ['rev-parse', 'HEAD'])
    for (const state of ['pending', 'success', 'success'] as const) {
      await hosted.setStatus(head, { state, description: 'Done', link: 'https://docs.example.com/job/1' })
    }
    expect(await owner.ask('GET', `/repos/${repository.path}/commits/${head}/status`)).toMatchObject({
      state: 'success',
      statuses: [{ context: 'docwright', target_url: 'https://docs.example.com/job/1' }],
    })
  })
})

describe('a webhook', () => {
  it('is there once, goes with its server, and is an administrator’s alone', async () => {
    await using repository = await createOwnRepository()
    const hooks = async () => (await owner.ask('GET', `/repos/${repository.path}/hooks`)) as unknown[]
    const hosted = await open(repository, owner)
    const url = 'https://docs.example.com/v2/hooks/1'
    const events = ['push', 'delete', 'pull_request', 'pull_request_comment']
    for (const secret of ['one', 'two']) expect(await hosted.ensureWebhook(url, secret)).toBe(true)
    expect(await hooks()).toMatchObject([
      {
        active: true,
        type: 'gitea',
        config: { url, content_type: 'json' },
        events: expect.arrayContaining(events) as unknown,
      },
    ])
    const other = await open(repository, bot)
    expect(await other.ensureWebhook(url, 'three')).toBe(false)
    expect(await other.removeWebhook(url)).toBe(false)
    expect(await hosted.removeWebhook(url)).toBe(true)
    expect(await hooks()).toEqual([])
  })
})

it('is all as the newest Gitea and Forgejo describe it', () => {
  expect([...differences].sort()).toEqual([])
})

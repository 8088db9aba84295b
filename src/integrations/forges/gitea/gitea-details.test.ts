import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createGiteaWorld, type GiteaWorld } from '../../../../tests/worlds/hosts/gitea/gitea-world.ts'
import { createGitea } from './gitea.ts'

const text = { title: 'Say more', body: 'Why', base: 'main', draft: false }
const run = promisify(execFile)

async function openWork(world: GiteaWorld): Promise<number> {
  await world.push('work', 'a.md', 'a')
  return (await world.forge.open({ ...text, head: 'work' })).number
}

describe('opening a pull request on Gitea', () => {
  it('says by the title that it is a draft, and keeps it one', async () => {
    await using world = await createGiteaWorld()
    await world.push('work', 'a.md', 'a')
    const { number } = await world.forge.open({ ...text, head: 'work', draft: true })
    expect(world.fake.pulls[0]?.title).toBe('WIP: Say more')
    await world.forge.update(number, { body: '' })
    expect(world.fake.pulls[0]?.title).toBe('WIP: Say more')
    expect(await world.forge.listOpen()).toMatchObject([{ title: 'Say more' }])
  })

  it('asks for labels, reviewers and assignees, and leaves out whom Gitea does not take', async () => {
    await using world = await createGiteaWorld()
    await world.push('work', 'a.md', 'a')
    const asked = {
      labels: ['docs', 'New'],
      reviewers: ['nobody', 'maintainer'],
      assignees: ['acme', 'nobody', 'maintainer'],
    }
    await world.forge.open({ ...text, head: 'work', ...asked })
    expect(world.fake.labels.map(({ name }) => name)).toEqual(['Docs', 'New'])
    expect(world.fake.pulls[0]).toMatchObject({
      labels: world.fake.labels.map(({ id }) => id),
      reviewers: ['maintainer'],
      assignees: ['acme', 'maintainer'],
    })
  })

  it('comes from the fork, apart from a branch of the same name', async () => {
    await using world = await createGiteaWorld()
    const own = await openWork(world)
    const { forge } = world.open({ kind: 'token', token: 'all' }, 'robot/docs')
    expect(await forge.findByHead('work')).toBeUndefined()
    const forked = await forge.open({ ...text, head: 'work' })
    expect(world.fake.pulls.map(({ from }) => from)).toEqual([1, 2])
    expect(world.fake.pulls[1]).toMatchObject({ allow_maintainer_edit: true })
    expect(await forge.open({ ...text, head: 'work' })).toEqual(forked)
    expect(await world.forge.findByHead('work')).toMatchObject({ number: own })
  })

  it('takes no pull request for its own that a stranger opens from another fork', async () => {
    await using world = await createGiteaWorld()
    await world.push('work', 'a.md', 'a')
    const { forge } = world.open({ kind: 'token', token: 'all' }, 'Robot/docs')
    const own = await forge.open({ ...text, head: 'work' })
    const [first] = world.fake.pulls
    if (!first) throw new Error('there is none')
    world.fake.pulls.push({ ...first, number: 2, from: 3 })
    expect(await forge.findByHead('work')).toMatchObject({ number: own.number })
    await world.close(own.number)
    expect(await forge.findByHead('work')).toMatchObject({ number: own.number, state: 'closed' })
  })

  it('passes on no link that is none to a web page', async () => {
    await using world = await createGiteaWorld()
    const number = await openWork(world)
    const side = { label: 'main', ref: 'main', repo_id: 1 }
    const request = {
      number,
      html_url: 'javascript:alert(1)',
      title: '',
      state: 'open',
      head: side,
      base: side,
    }
    world.fake.server.troubles.push({
      happens: 'before',
      as: { status: 200, body: request },
      matches: ({ path }) => path.endsWith(`/pulls/${number}`),
    })
    await expect(world.forge.read(number)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('goes on with the first of two when nobody lived to close the second', async () => {
    await using world = await createGiteaWorld()
    const first = await openWork(world)
    const [pull] = world.fake.pulls
    if (!pull) throw new Error('there is none')
    world.fake.pulls.push({ ...pull, number: 2 })
    expect(await world.forge.findByHead('work')).toMatchObject({ number: first })
    expect(await world.forge.open({ ...text, head: 'work' })).toMatchObject({ number: first })
    // Wherever one page ends.
    world.fake.settings.pageSize = 3
    for (let n = 3; n <= 4; n++) world.fake.pulls.push({ ...pull, number: n, head: `other-${n}` })
    expect(await world.forge.findByHead('work')).toMatchObject({ number: first })
    await world.close(first)
    expect(await world.forge.findByHead('work')).toMatchObject({ number: 2, state: 'open' })
  })

  it('refuses what changes nothing, which Gitea would take', async () => {
    await using world = await createGiteaWorld()
    await world.push('same', 'a.md', 'a')
    world.origin.merge('main', world.origin.head('same') ?? '')
    await expect(world.forge.open({ ...text, head: 'same' })).rejects.toMatchObject({ code: 'conflict' })
    expect(world.fake.pulls).toEqual([])
  })

  it('finds one page after page, and one of long ago', async () => {
    await using world = await createGiteaWorld()
    const number = await openWork(world)
    const [first] = world.fake.pulls
    if (!first) throw new Error('there is none')
    world.fake.settings.pageSize = 20
    for (let n = 2; n <= 61; n++) world.fake.pulls.push({ ...first, number: n, head: `other-${n}` })
    expect(await world.forge.findByHead('work')).toMatchObject({ number, state: 'open' })
    expect(await world.forge.listOpen()).toHaveLength(0)
    for (const pull of world.fake.pulls) pull.state = 'closed'
    for (let n = 62; n <= 400; n++) world.fake.pulls.push({ ...first, number: n, head: `other-${n}` })
    expect(await world.forge.findByHead('work')).toMatchObject({ number, state: 'closed' })
  })

  it('says what to do when it is archived, and which scope is missing', async () => {
    await using world = await createGiteaWorld()
    await world.push('work', 'a.md', 'a')
    world.fake.settings.archived = true
    await expect(world.forge.open({ ...text, head: 'work' })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('archived'),
    })
    expect(await world.hosted.checkAccess()).toMatchObject({ archived: true, missing: [] })
    world.fake.settings.archived = false
    world.fake.tokens.set('less', ['read:repository', 'write:issue'])
    const less = world.open({ kind: 'token', token: 'less' })
    await expect(less.forge.open({ ...text, head: 'work' })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('write:repository'),
    })
    expect(await less.checkAccess()).toEqual({
      login: undefined,
      defaultBranch: 'main',
      path: 'acme/docs',
      archived: false,
      missing: ['the scope write:repository'],
    })
    world.fake.tokens.set('quiet', ['write:repository'])
    // Publishing needs no more.
    expect(await world.open({ kind: 'token', token: 'quiet' }).checkAccess()).toMatchObject({
      missing: [],
      missingForReplies: 'the scope write:issue',
    })
    expect(() => world.open({ kind: 'github_app', appId: '1', privateKey: 'x' })).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    )
  })
})

describe('a repository on Gitea', () => {
  it('takes comments, reviews and their lines, and passes over itself', async () => {
    await using world = await createGiteaWorld()
    const number = await openWork(world)
    const at = (minute: number): string => `2026-05-01T12:0${minute}:00+02:00`
    const review = { pull: number, login: 'maintainer', state: 'COMMENT' } as const
    world.fake.reviews.push(
      { ...review, id: 1, body: 'Over all', at: at(3) },
      { ...review, id: 2, body: 'Not sent yet', at: at(3), state: 'PENDING' },
      { ...review, id: 3, body: '', at: at(1), state: 'APPROVED' },
    )
    world.fake.say({ pull: number, body: 'This line', at: at(2), login: 'reader', review: 3 })
    world.fake.say({ pull: number, body: 'Hello', at: at(1), login: 'acme' })
    for (const body of ['Done', 'Done']) await world.hosted.postComment(number, body, 'turn-7')
    expect(world.fake.comments.map(({ body }) => body)).toEqual([
      'This line',
      'Hello',
      '<!-- docwright turn_7 -->\nDone',
    ])
    const comments = await world.forge.commentsSince(number, undefined)
    expect(comments.map(({ author, body, trusted, line }) => [author, body, trusted, line])).toEqual([
      ['acme', 'Hello', true, undefined],
      ['reader', 'This line', false, 3],
      ['maintainer', 'Over all', true, undefined],
    ])
    expect(comments[0]?.createdAt).toEqual(new Date('2026-05-01T10:01:00Z'))
    expect(await world.forge.commentsSince(number, new Date('2026-05-01T10:03:00Z'))).toHaveLength(1)
    for (const { id } of comments) await world.hosted.react(number, id)
    expect(world.fake.comments.map(({ reactions }) => reactions)).toEqual([['eyes'], ['eyes'], []])
  })

  it('trusts, where it may not ask, writers to what belongs to a person and members of its own teams', async () => {
    await using world = await createGiteaWorld()
    const number = await openWork(world)
    world.fake.settings.admin = false
    for (const login of ['acme', 'maintainer', 'reader']) world.fake.say({ pull: number, body: login, login })
    const trusted = async () =>
      (await world.forge.commentsSince(number, undefined))
        .filter((one) => one.trusted !== false)
        .map(({ body, trusted }) => `${body} ${trusted}`)
    // That takes no scope for organizations.
    const scopes = world.fake.tokens.get('all') ?? []
    world.fake.tokens.set('all', ['write:repository', 'write:issue'])
    expect(await trusted()).toEqual(['acme true', 'maintainer true'])
    expect(await world.hosted.checkAccess()).toMatchObject({ missing: [], missingForComments: undefined })

    world.fake.tokens.set('all', scopes)
    world.fake.settings.organization = true
    const team = (id: number, level: string, members: string[]) =>
      ({ id, name: `team ${id}`, permission: level, units_map: { 'repo.code': level }, members }) as const
    world.fake.teams.push(team(1, 'write', ['robot', 'maintainer']), team(2, 'read', ['reader']))
    world.fake.people.delete('acme')
    world.fake.say({ pull: number, body: 'stranger', login: 'stranger' })
    // The reader was added alone, and with what permission is not told.
    expect(await trusted()).toEqual(['maintainer true', 'reader undefined'])
    expect(await world.hosted.checkAccess()).toMatchObject({ missingForComments: undefined })
    world.fake.teams.push(team(3, 'admin', ['boss', 'acme']))
    expect(await trusted()).toEqual(['acme undefined', 'maintainer true', 'reader undefined'])
    expect(await world.hosted.checkAccess()).toMatchObject({
      missingForComments: expect.stringContaining('administration of acme/docs') as string,
    })
    expect(await world.hosted.ensureWebhook('https://docwright.example/hosts/prj_1/webhook', 'x')).toBe(false)
    expect(await world.hosted.removeWebhook('https://docwright.example/hosts/prj_1/webhook')).toBe(false)
  })

  it('trusts members of teams that write to some units, of whom it is told that they read', async () => {
    await using world = await createGiteaWorld()
    const number = await openWork(world)
    world.fake.settings.organization = true
    const units = { 'repo.code': 'write', 'repo.wiki': 'none' }
    const team = { name: 'writers', permission: 'none', units_map: units }
    world.fake.people.clear()
    world.fake.people.set('reader', 'read')
    world.fake.teams.push({ ...team, id: 1, members: ['robot', 'maintainer'] })
    for (const login of ['maintainer', 'reader', 'boss', 'stranger'])
      world.fake.say({ pull: number, body: login, login })
    const trusted = async () =>
      (await world.forge.commentsSince(number, undefined)).map(({ trusted }) => trusted)
    expect(await trusted()).toEqual([true, false, false, false])
    expect(await world.hosted.checkAccess()).toMatchObject({ missingForComments: undefined })
    world.fake.teams.push({ ...team, id: 2, members: ['boss'] })
    expect(await trusted()).toEqual([true, undefined, undefined, false])
    expect(await world.hosted.checkAccess()).toMatchObject({
      missingForComments: expect.stringMatching(/^membership .* owners/) as string,
    })
  })

  it('has one webhook however often it is set up, with the secret of now', async () => {
    await using world = await createGiteaWorld()
    const [before, url] = [
      'https://before.example/hosts/prj_1/webhook',
      'https://now.example/hosts/prj_1/webhook',
    ]
    expect(await world.hosted.ensureWebhook(before, 'one')).toBe(true)
    for (const secret of ['two', 'three']) expect(await world.hosted.ensureWebhook(url, secret)).toBe(true)
    expect(world.fake.hooks).toMatchObject([
      { body: { type: 'gitea', active: true, config: { url, secret: 'three' } } },
    ])
  })

  it('takes what an old Gitea does not find for a wrong token, where it is one', async () => {
    await using world = await createGiteaWorld()
    world.fake.settings.old = true
    const { checkAccess } = world.open({ kind: 'token', token: 'wrong' })
    await expect(checkAccess()).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('opens to git by its token', async () => {
    await using world = await createGiteaWorld()
    const url = `${world.fake.server.origin}/acme/docs.git`
    const list = (username: string, password: string) => {
      const basic = Buffer.from(`${username}:${password}`).toString('base64')
      const header = `http.extraHeader=Authorization: Basic ${basic}`
      return run('git', ['-c', header, 'ls-remote', '--heads', url], {
        env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
      })
    }
    const { username, password } = await world.hosted.gitCredential()
    expect((await list(username, password)).stdout).toContain('refs/heads/main')
    await expect(list(username, 'wrong')).rejects.toThrow('git')
  })
})

it('knows a Gitea when it sees one', async () => {
  await using world = await createGiteaWorld()
  const host = createGitea()
  expect(await host.detect(world.ports, world.fake.server.origin)).toBe(true)
  expect(await host.detect(world.ports, `${world.fake.server.origin}/elsewhere`)).toBe(false)
  world.fake.server.troubles.push({
    happens: 'before',
    as: { status: 403, body: { message: 'Only signed in user is allowed to call APIs.' } },
    matches: () => true,
  })
  expect(await host.detect(world.ports, world.fake.server.origin)).toBe(true)
})

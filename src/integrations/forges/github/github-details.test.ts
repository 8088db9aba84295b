import { describe, expect, it } from 'vitest'
import { createGitHubWorld } from '../../../../tests/worlds/hosts/github/github-world.ts'
import { createGitHub } from './github.ts'

const text = { title: 'Say more', body: 'Why', base: 'main', draft: false }
describe('opening a pull request on GitHub', () => {
  it('asks for labels, reviewers and assignees, and leaves out whom GitHub does not take', async () => {
    await using world = await createGitHubWorld()
    await world.push('work', 'a.md', 'a')
    world.fake.people.set('reviewer', 'read')
    await world.forge.open({
      ...text,
      head: 'work',
      labels: ['docs'],
      reviewers: ['nobody', 'reviewer'],
      assignees: ['octocat'],
    })
    expect(world.fake.pulls[0]).toMatchObject({
      labels: ['docs'],
      reviewers: ['reviewer'],
      assignees: ['octocat'],
    })
  })

  it('says by the title that it is a draft where there are none', async () => {
    await using world = await createGitHubWorld()
    await world.push('work', 'a.md', 'a')
    world.fake.settings.drafts = false
    const opened = await world.forge.open({ ...text, head: 'work', draft: true })
    expect(world.fake.pulls).toMatchObject([
      { number: opened.number, draft: false, title: 'Draft: Say more' },
    ])
  })

  it('comes from the fork, apart from a branch of the same name', async () => {
    await using world = await createGitHubWorld()
    await world.push('work', 'a.md', 'a')
    const own = await world.forge.open({ ...text, head: 'work' })
    const { forge } = world.open({ kind: 'token', token: 'ghp_all' }, 'robot/docs')
    expect(await forge.findByHead('work')).toBeUndefined()
    const forked = await forge.open({ ...text, head: 'work' })
    expect(forked.number).not.toBe(own.number)
    expect(world.fake.pulls[1]).toMatchObject({ maintainer_can_modify: true })
    expect(world.fake.pulls[1]).toMatchObject({ owner: 'robot', head: 'work' })
    expect(await forge.open({ ...text, head: 'work' })).toEqual(forked)
    expect(await world.forge.findByHead('work')).toEqual(own)
  })

  it('opens from the fork of an organization, into which nobody can be let', async () => {
    await using world = await createGitHubWorld()
    await world.push('work', 'a.md', 'a')
    world.fake.settings.organizationFork = true
    const { forge } = world.open({ kind: 'token', token: 'ghp_all' }, 'robot/docs')
    await forge.open({ ...text, head: 'work' })
    expect(world.fake.pulls).toMatchObject([{ owner: 'robot', maintainer_can_modify: false }])
  })

  it('finds what is there though its owner was renamed since', async () => {
    await using world = await createGitHubWorld()
    await world.push('work', 'a.md', 'a')
    const opened = await world.forge.open({ ...text, head: 'work' })
    const { open } = world.forge
    // The filter by head knows the new name only.
    world.fake.server.troubles.push(
      ...[1, 2].map(() => ({
        happens: 'before' as const,
        as: { status: 200, body: [] },
        matches: ({ method, path }: { method: string; path: string }) =>
          method === 'GET' && path.endsWith('/pulls'),
      })),
    )
    expect(await open({ ...text, head: 'work' })).toEqual(opened)
  })

  it.each([
    ['archived', 'forbidden', 'unarchive'],
    ['without permission', 'forbidden', '"Pull requests: write"'],
    ['without a base', 'not_found', '"gone"'],
    ['without changes', 'conflict', 'already has everything'],
  ])('says what to do when the repository or request is %s', async (what, code, advice) => {
    await using world = await createGitHubWorld()
    await world.push('work', 'a.md', 'a')
    await world.push('same', 'a.md', 'a')
    world.origin.merge('main', world.origin.head('same') ?? '')
    world.fake.settings.archived = what === 'archived'
    if (what === 'without permission') world.fake.tokens.set('ghp_all', { contents: 'write' })
    const opening = world.forge.open({
      ...text,
      head: what === 'without changes' ? 'same' : 'work',
      base: what === 'without a base' ? 'gone' : 'main',
    })
    await expect(opening).rejects.toMatchObject({ code, message: expect.stringContaining(advice) })
    expect(world.fake.pulls).toEqual([])
  })
})

describe('a repository on GitHub', () => {
  it('tells what a token may do by asking for what can never be', async () => {
    await using world = await createGitHubWorld()
    expect(await world.hosted.checkAccess()).toEqual({
      login: 'robot',
      defaultBranch: 'main',
      path: 'acme/docs',
      archived: false,
      missing: [],
    })
    for (const expires of ['2026-12-01 10:00:00 UTC', '2026-12-01 12:00:00 +0200']) {
      world.fake.settings.expires = expires
      expect(await world.hosted.checkAccess()).toMatchObject({ expiresAt: new Date('2026-12-01T10:00:00Z') })
    }
    world.fake.tokens.set('ghp_less', { pull_requests: 'read' })
    const access = await world.open({ kind: 'token', token: 'ghp_less' }).checkAccess()
    expect(access.missing).toEqual(['"Contents: write"', '"Pull requests: write"'])
    expect(world.fake.pulls).toEqual([])
    const wrong = world.open({ kind: 'token', token: 'ghp_gone' }).checkAccess()
    await expect(wrong).rejects.toMatchObject({
      code: 'unauthorized',
      message: expect.not.stringContaining('ghp_'),
    })
  })

  it('is followed when it was renamed', async () => {
    await using world = await createGitHubWorld()
    world.fake.settings.name = 'acme/handbook'
    expect(await world.hosted.checkAccess()).toMatchObject({ path: 'acme/handbook', missing: [] })
    await world.push('work', 'a.md', 'a')
    const opened = await world.forge.open({ ...text, head: 'work' })
    expect(await world.forge.read(opened.number)).toEqual(opened)
  })

  it('says that it is not there when the path is wrong', async () => {
    await using world = await createGitHubWorld()
    world.fake.server.troubles.push({
      happens: 'before',
      as: { status: 404, body: { message: 'Not Found' } },
      matches: () => true,
    })
    await expect(world.hosted.checkAccess()).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('doesn’t exist'),
    })
  })

  it('takes its comments, trusting those alone who may write, and passes over bots and itself', async () => {
    await using world = await createGitHubWorld()
    await world.push('work', 'a.md', 'a')
    const { number } = await world.forge.open({ ...text, head: 'work' })
    const at = (minute: number): string => `2026-05-01T10:0${minute}:00Z`
    world.fake.people.set('writer', 'write').set('reader', 'read')
    world.fake.say({ pull: number, body: 'On it', at: at(1), login: 'reader' })
    world.fake.say({ pull: number, body: 'Over all', at: at(3), login: 'writer', kind: 'review' })
    world.fake.say({ pull: number, body: 'This line', at: at(2), login: 'stranger', kind: 'line' })
    world.fake.say({ pull: number, body: '', at: at(2), kind: 'review' })
    world.fake.say({ pull: number, body: 'Deployed', at: at(4), login: 'preview[bot]' })
    await world.hosted.postComment(number, 'Done', 'turn--> 7')
    await world.hosted.postComment(number, 'Done', 'turn--> 7')
    expect(world.fake.said.filter(({ login }) => login === 'robot').map(({ body }) => body)).toEqual([
      '<!-- docwright turn_7 -->\nDone',
    ])
    const comments = await world.forge.commentsSince(number, undefined)
    expect(comments.map(({ author, body, trusted, line }) => [author, body, trusted, line])).toEqual([
      ['reader', 'On it', false, undefined],
      ['stranger', 'This line', false, 3],
      ['writer', 'Over all', true, undefined],
    ])
    expect((await world.forge.commentsSince(number, new Date(at(2)))).map(({ author }) => author)).toEqual([
      'stranger',
      'writer',
    ])
    for (const { id } of comments) await world.hosted.react(number, id)
    expect(world.fake.said.filter(({ reactions }) => reactions.length > 0).map(({ login }) => login)).toEqual(
      ['reader', 'stranger'],
    )
  })

  it('gives the newest of many comments, and reads no more than what is new', async () => {
    await using world = await createGitHubWorld()
    await world.push('work', 'a.md', 'a')
    const { number } = await world.forge.open({ ...text, head: 'work' })
    const at = (n: number): string => new Date(Date.parse('2026-05-01T10:00:00Z') + n * 1000).toISOString()
    for (let n = 0; n < 1250; n++) world.fake.say({ pull: number, body: `${n}`, kind: 'review', at: at(n) })
    const comments = await world.forge.commentsSince(number, undefined)
    expect([comments.length, comments[0]?.body, comments.at(-1)?.body]).toEqual([1000, '250', '1249'])
    const before = world.fake.server.requests.length
    const later = await world.forge.commentsSince(number, new Date(at(1190)))
    expect([later.length, later[0]?.body, later.at(-1)?.body]).toEqual([60, '1190', '1249'])
    const asked = world.fake.server.requests.slice(before).filter((name) => name.includes('reviews'))
    expect(asked).toHaveLength(3)
  })

  it('has one webhook however often it is set up, and none where the credential may not', async () => {
    await using world = await createGitHubWorld()
    const url = 'https://docwright.example/hosts/prj_1/webhook'
    const other = 'https://docwright.example/hosts/prj_2/webhook'
    const moved = 'https://moved.example/below/hosts/prj_1/webhook'
    expect(await world.hosted.ensureWebhook(url, 'one')).toBe(true)
    expect(await world.hosted.ensureWebhook(url, 'two')).toBe(true)
    expect(world.fake.hooks).toMatchObject([{ body: { active: true, config: { url, secret: 'two' } } }])
    expect(await world.hosted.ensureWebhook(other, 'one')).toBe(true)
    expect(await world.hosted.ensureWebhook(moved, 'one')).toBe(true)
    const urls = () => world.fake.hooks.map(({ body }) => (body['config'] as { url: string }).url)
    expect(urls()).toEqual([moved, other])
    expect(await world.hosted.removeWebhook(url)).toBe(true)
    expect(await world.hosted.removeWebhook(url)).toBe(true)
    expect(urls()).toEqual([other])
    world.fake.tokens.set('ghp_less', { pull_requests: 'write' })
    const less = world.open({ kind: 'token', token: 'ghp_less' })
    expect(await less.ensureWebhook(url, 'x')).toBe(false)
    expect(await less.removeWebhook(other)).toBe(false)
  })

  it('shortens what a status says', async () => {
    await using world = await createGitHubWorld()
    await world.hosted.setStatus('a'.repeat(40), {
      state: 'pending',
      description: 'x'.repeat(200),
      link: '/jobs/1',
    })
    expect(world.fake.statuses).toEqual([
      {
        sha: 'a'.repeat(40),
        body: { state: 'pending', context: 'docwright', description: `${'x'.repeat(139)}…` },
      },
    ])
  })
})

it('knows a GitHub server when it sees one', async () => {
  await using world = await createGitHubWorld()
  const host = createGitHub()
  expect(await host.detect(world.ports, world.fake.server.origin)).toBe(true)
  expect(await host.detect(world.ports, `${world.fake.server.origin}/elsewhere`)).toBe(false)
})

import { describe, expect, it } from 'vitest'
import { createBitbucketWorld } from '../../../tests/worlds/hosts/bitbucket/bitbucket-world.ts'
import { createGiteaWorld } from '../../../tests/worlds/hosts/gitea/gitea-world.ts'
import { createGitHubWorld } from '../../../tests/worlds/hosts/github/github-world.ts'
import { createGitLabWorld } from '../../../tests/worlds/hosts/gitlab/gitlab-world.ts'

const text = { title: 'Say more', body: 'Why', base: 'main', draft: true, head: 'work' }

const worlds = {
  GitHub: async () => {
    const world = await createGitHubWorld()
    const said = (): string[] => world.fake.said.map(({ body }) => body)
    const fork = world.open({ kind: 'token', token: 'ghp_all' }, 'robot/docs')
    return { world, said, openOfFork: async () => void (await fork.forge.open(text)) }
  },
  Gitea: async () => {
    const world = await createGiteaWorld()
    const said = (): string[] => world.fake.comments.map(({ body }) => body)
    const fork = world.open({ kind: 'token', token: 'all' }, 'robot/docs')
    return { world, said, openOfFork: async () => void (await fork.forge.open(text)) }
  },
  GitLab: async () => {
    const world = await createGitLabWorld()
    const { state, origin } = world
    const openOfFork = async (): Promise<void> => {
      state.projects.push({ id: 8, path: 'bots/handbook', origin, archived: false })
      state.requests.push({ ...world.request(1), iid: 2, source_project_id: 8, labels: [] })
    }
    return { world, said: () => state.notes.map(({ body }) => body), openOfFork }
  },
  Bitbucket: async () => {
    const world = await createBitbucketWorld()
    const { state, origin } = world
    const openOfFork = async (): Promise<void> => {
      state.repositories.push({ full_name: 'bots/handbook', origin })
      state.pulls.push({ ...world.pull(1), id: 2, from: 'bots/handbook' })
    }
    return { world, said: () => state.remarks.map(({ raw }) => raw), openOfFork }
  },
}

describe.each(Object.entries(worlds))('pull requests of code on %s', (host, createWorld) => {
  it('are listed with their commit, labels, text, and whether a fork brings them', async () => {
    const { world, openOfFork } = await createWorld()
    await using _world = world
    await world.push('work', 'a.md', 'a')
    await world.forge.open({ ...text, labels: ['docs'] })
    await openOfFork()
    const list = await world.hosted.codeRequests.list()
    // Bitbucket has no labels, and tells the beginning of a commit.
    const isBitbucket = host === 'Bitbucket'
    const commit = world.origin.head('work')?.slice(0, isBitbucket ? 12 : undefined)
    const labels = isBitbucket ? [] : [/docs/i]
    expect(list.toSorted((one, other) => one.number - other.number)).toMatchObject(
      [
        { number: 1, title: 'Say more', base: 'main', headCommit: commit, isFork: false, labels },
        { number: 2, headCommit: commit, isFork: true, labels: [] },
      ].map((one) => ({ ...one, labels: one.labels.map((label) => expect.stringMatching(label)) })),
    )
    expect(list[0]?.updatedAt.getTime()).toBeGreaterThan(Date.parse('2026-01-01'))
  })

  it('have one comment of a marker, which is edited and never repeated', async () => {
    const { world, said } = await createWorld()
    await using _world = world
    await world.push('work', 'a.md', 'a')
    const { number } = await world.forge.open({ ...text, draft: false })
    const keep = (one: string, onlyEdit?: boolean) =>
      world.hosted.codeRequests.keepComment(number, one, 'preview:1', onlyEdit)
    await keep('Zero', true)
    expect(said()).toEqual([])
    for (const one of ['One', 'One', 'Two']) await keep(one)
    await world.hosted.codeRequests.keepComment(number, 'Other', 'preview:2')
    expect(said().map((one) => one.split('\n').at(-1))).toEqual(['Two', 'Other'])
    expect(await world.forge.commentsSince(number, undefined)).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { createGiteaWorld } from '../../../tests/worlds/hosts/gitea/gitea-world.ts'
import { createGitHubWorld } from '../../../tests/worlds/hosts/github/github-world.ts'

const worlds = {
  GitHub: async () => {
    const world = await createGitHubWorld()
    const said = (): string[] => world.fake.said.map(({ body }) => body)
    return { world, said, fork: () => world.open({ kind: 'token', token: 'ghp_all' }, 'robot/docs') }
  },
  Gitea: async () => {
    const world = await createGiteaWorld()
    const said = (): string[] => world.fake.comments.map(({ body }) => body)
    return { world, said, fork: () => world.open({ kind: 'token', token: 'all' }, 'robot/docs') }
  },
}

describe.each(Object.entries(worlds))('pull requests of code on %s', (_, createWorld) => {
  it('are listed with their commit, labels, text, and whether a fork brings them', async () => {
    const { world, fork } = await createWorld()
    await using _world = world
    await world.push('work', 'a.md', 'a')
    const text = { title: 'Say more', body: 'Why', base: 'main', draft: true, head: 'work' }
    await world.forge.open({ ...text, labels: ['docs'] })
    await fork().forge.open(text)
    const list = await world.hosted.codeRequests?.list()
    const commit = world.origin.head('work')
    expect(list?.toSorted((one, other) => one.number - other.number)).toMatchObject(
      [
        { number: 1, title: 'Say more', base: 'main', headCommit: commit, isFork: false, labels: [/docs/i] },
        { number: 2, headCommit: commit, isFork: true, labels: [] },
      ].map((one) => ({ ...one, labels: one.labels.map((label) => expect.stringMatching(label)) })),
    )
    expect(list?.[0]?.updatedAt.getTime()).toBeGreaterThan(Date.now() - 60_000)
  })

  it('have one comment of a marker, which is edited and never repeated', async () => {
    const { world, said } = await createWorld()
    await using _world = world
    await world.push('work', 'a.md', 'a')
    const { number } = await world.forge.open({
      title: 'Say more',
      body: 'Why',
      base: 'main',
      draft: false,
      head: 'work',
    })
    const keep = (text: string, onlyEdit?: boolean) =>
      world.hosted.codeRequests?.keepComment(number, text, 'preview:1', onlyEdit)
    await keep('Zero', true)
    expect(said()).toEqual([])
    for (const text of ['One', 'One', 'Two']) await keep(text)
    await world.hosted.codeRequests?.keepComment(number, 'Other', 'preview:2')
    expect(said().map((text) => text.split('\n').at(-1))).toEqual(['Two', 'Other'])
    expect(await world.forge.commentsSince(number, undefined)).toEqual([])
  })
})

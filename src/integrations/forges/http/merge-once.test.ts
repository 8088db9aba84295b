import { describe, expect, it } from 'vitest'
import { createGiteaWorld } from '../../../../tests/worlds/hosts/gitea/gitea-world.ts'
import { createGitHubWorld } from '../../../../tests/worlds/hosts/github/github-world.ts'
import type { Trouble } from '../../../../tests/worlds/hosts/described-server.ts'

const broken = { status: 502, body: { message: 'Server Error', url: '' } }
const troubles: [name: string, happens: Trouble['happens'], as: Trouble['as']][] = [
  ['no answer', 'before', 'hang'],
  ['no answer though it was done', 'after', 'hang'],
  ['a broken connection after it was done', 'after', 'drop'],
  ['a server error', 'before', broken],
  ['a server error after it was done', 'after', broken],
]

describe.each([
  ['GitHub', createGitHubWorld],
  ['Gitea', createGiteaWorld],
] as const)('merging at %s', (_, createWorld) => {
  it.each(troubles)('is asked for once, and told of as it is, after %s', async (_name, happens, as) => {
    await using world = await createWorld({ requestLimit: 500 })
    const { forge, hosted, fake } = world
    await world.push('work', 'a.md', 'a')
    await forge.open({ title: 'Say more', body: '', head: 'work', base: 'main', draft: false })
    const view = await hosted.merging.look(1)
    if (!view) throw new Error('It is open')
    fake.server.troubles.push({ matches: ({ path }) => path.endsWith('/merge'), happens, as })
    const merging = hosted.merging.merge(view, 'squash')
    if (happens === 'after') await merging
    else await expect(merging).rejects.toMatchObject({ code: 'unavailable' })
    expect(fake.server.requests.filter((name) => name.endsWith('/merge'))).toHaveLength(1)
    expect(fake.merges.done).toHaveLength(happens === 'after' ? 1 : 0)
  })
})

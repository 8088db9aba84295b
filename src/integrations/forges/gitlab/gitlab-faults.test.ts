import { describe, expect, it } from 'vitest'
import { faults } from '../fake-hosts/fault.fixture.ts'
import type { Fault } from '../fake-hosts/fault.fixture.ts'
import { addNote } from '../fake-hosts/gitlab-notes.fixture.ts'
import { createGitLabWorld } from '../fake-hosts/gitlab-world.fixture.ts'
import type { GitLabWorld } from '../fake-hosts/gitlab-world.fixture.ts'

const text = { title: 'Say more', body: 'Why.', head: 'work', base: 'main', draft: false }
const link = 'https://docwright.example/jobs/1'
const tries = 4

async function startedWorld(): Promise<GitLabWorld> {
  const world = await createGitLabWorld({ requestLimit: 700 })
  await world.push('work', 'a.md', 'a')
  return world
}

describe.each(faults)('after %s', (fault: Fault) => {
  it('does what it was asked for once, however the first request of each kind ends', async () => {
    await using world = await startedWorld()
    const { state, hosted, forge } = world
    const goesWrong = async (method: string, path: RegExp, work: () => Promise<unknown>) => {
      world.fail(fault, method, path)
      const first = work()
      if (fault === '401') await expect(first).rejects.toMatchObject({ code: 'unauthorized' })
      else await first
      return work()
    }
    const opened = await goesWrong('POST', /merge_requests$/, () => forge.open(text))
    expect(opened).toMatchObject({ number: 1, state: 'open' })
    expect(state.requests).toHaveLength(1)
    await goesWrong('PUT', /merge_requests\/1$/, () => forge.update(1, { title: 'Other', body: 'New' }))
    expect(world.request(1)).toMatchObject({ title: 'Other', description: 'New' })
    await goesWrong('POST', /notes$/, () => hosted.postComment(1, 'Done', 'turn:1'))
    expect(state.notes).toHaveLength(1)
    const note = addNote(state, 1, 'Please', world.maintainer)
    await goesWrong('POST', /award_emoji$/, () => hosted.react(1, String(note.id)))
    expect(state.notes.at(-1)?.awards).toEqual(['eyes'])
    const commit = world.origin.head('work') ?? ''
    await goesWrong('POST', /statuses/, () =>
      hosted.setStatus(commit, { state: 'pending', description: 'Works', link }),
    )
    expect(state.statuses).toHaveLength(1)
    await goesWrong('POST', /hooks$/, () => hosted.ensureWebhook(link, 'secret'))
    expect(state.hooks).toHaveLength(1)
  })

  it('says so when it does not pass, and ends with one merge request when it has passed', async () => {
    await using world = await startedWorld()
    world.fail(fault, 'POST', /merge_requests$/, tries)
    // When it was opened after all, it is found by looking.
    const isOpened = fault.endsWith('after')
    const first: unknown = await world.forge.open(text).catch((error: unknown) => error)
    if (isOpened) expect(first).toMatchObject({ number: 1 })
    else expect(first).toMatchObject({ code: fault === '401' ? 'unauthorized' : 'unavailable' })
    world.server.troubles.length = 0
    expect(await world.forge.open(text)).toMatchObject({ number: 1, state: 'open' })
    expect(world.state.requests).toHaveLength(1)
  })

  it('reads again what it could not read', async () => {
    await using world = await startedWorld()
    await world.forge.open(text)
    await world.comment(1, 'Please')
    const reads = [
      { path: /merge_requests$/, read: () => world.forge.findByHead('work') },
      { path: /merge_requests\/1$/, read: () => world.forge.read(1) },
      { path: /merge_requests$/, read: () => world.forge.listOpen() },
      { path: /diffs$/, read: () => world.forge.changedPaths(1) },
      { path: /notes$/, read: () => world.forge.commentsSince(1, undefined) },
      { path: /projects\/[^/]*$/, read: () => world.hosted.checkAccess() },
    ]
    for (const { path, read } of reads) {
      const expected = await read()
      world.fail(fault, 'GET', path)
      if (fault === '401') await expect(read()).rejects.toMatchObject({ code: 'unauthorized' })
      expect(await read()).toEqual(expected)
    }
  })
})

it('waits as long as GitLab says', async () => {
  await using world = await startedWorld()
  world.fail('429', 'POST', /merge_requests$/)
  await world.forge.open(text)
  // Less what went by since it said so.
  expect(world.waits.some((wait) => wait > 5000 && wait <= 7000)).toBe(true)
})

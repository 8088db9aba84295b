import { expect, it } from 'vitest'
import { describeFaults } from '../../../../tests/worlds/hosts/describe-faults.ts'
import { addNote } from '../../../../tests/worlds/hosts/gitlab/gitlab-notes.ts'
import { createGitLabWorld, type GitLabWorld } from '../../../../tests/worlds/hosts/gitlab/gitlab-world.ts'

async function createWorld(): Promise<GitLabWorld> {
  const world = await createGitLabWorld({ requestLimit: 700 })
  await world.push('work', 'a.md', 'a')
  return world
}

describeFaults<GitLabWorld>({
  createWorld,
  paths: {
    requests: /merge_requests$/,
    request: /merge_requests\/1$/,
    comments: /notes$/,
    changes: /diffs$/,
    repository: /projects\/[^/]*$/,
  },
  requests: ({ state }) => state.requests,
  comments: ({ state }) => state.notes,
  async more({ state, hosted, maintainer }, goesWrong) {
    const note = addNote(state, 1, 'Please', maintainer)
    await goesWrong('POST', /award_emoji$/, () => hosted.react(1, String(note.id)))
    expect(state.notes.at(-1)?.awards).toEqual(['eyes'])
  },
})

it('waits as long as GitLab says', async () => {
  await using world = await createWorld()
  world.fail('429', 'POST', /merge_requests$/)
  await world.forge.open({ title: 'Say more', body: 'Why.', head: 'work', base: 'main', draft: false })
  // Less what went by since it said so.
  expect(world.waits.some((wait) => wait > 5000 && wait <= 7000)).toBe(true)
})

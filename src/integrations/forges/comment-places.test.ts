import { expect, it } from 'vitest'
import { placeOf as placeOnBitbucket } from './bitbucket/bitbucket-answers.ts'
import { placeOf as placeOnGitHub } from './github/comment-place.ts'
import { placeOf as placeOnGitLab } from './gitlab/gitlab-answers.ts'

const [now, then, base] = ['a', 'b', 'c'].map((letter) => letter.repeat(40))

it('takes the lines of GitHub from the commit that they are of', () => {
  const commits = { commit_id: now, original_commit_id: then, original_line: 4 }
  expect(placeOnGitHub({ ...commits, line: 6 })).toMatchObject({ line: 6, commit: now, outdated: undefined })
  expect(placeOnGitHub({ ...commits, line: null })).toMatchObject({ line: 4, commit: then, outdated: true })
  expect(placeOnGitHub({ ...commits, line: null, side: 'LEFT' })).toMatchObject({
    side: 'old',
    commit: undefined,
    outdated: true,
  })
})

it('takes the lines of GitLab from the two commits that were compared', () => {
  const at = { new_path: 'a.md', old_path: 'a.md', head_sha: then, base_sha: base }
  expect(placeOnGitLab({ ...at, new_line: 3, old_line: 2 })).toMatchObject({ line: 3, commit: then })
  expect(placeOnGitLab({ ...at, new_line: null, old_line: 2 })).toMatchObject({ side: 'old', commit: base })
})

it('knows of Bitbucket whether lines are outdated', () => {
  expect(placeOnBitbucket({ path: 'a.md', to: 3, outdated: true })).toMatchObject({ line: 3, outdated: true })
  expect(placeOnBitbucket({ path: 'a.md', to: 3 }).outdated).toBeUndefined()
})

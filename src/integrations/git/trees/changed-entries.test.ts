import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changedEntries } from './changed-entries.ts'
import { createRepository } from '../mirrors/create-repository.ts'
import { resolveReference } from '../resolve-reference.ts'
import { plainGit, someone, temporaryGit, text } from '../../../../tests/worlds/git/temporary-git.ts'
import { writeTree } from './write-tree.ts'

test('names every file on both sides, a moved one twice, with modes', async () => {
  const { git, folder } = await temporaryGit()
  const { repository } = await createRepository(git, join(folder, 'repo.git'), {
    branch: 'main',
    files: ['a.md', 'dir/b.md', 'dir/c.md', 'run.sh'].map((path) => ({ path, content: text(path) })),
    message: 'Seed',
    author: someone,
    date: new Date(0),
  })
  const commit = (await resolveReference(repository, 'refs/heads/main')) ?? ''
  const tree = await writeTree(repository, {
    base: commit,
    changes: [
      { path: 'a.md', content: text('new') },
      { path: 'dir/b.md', content: undefined },
      { path: 'dir "ä"\n/b.md', content: text('dir/b.md') },
      { path: 'run.sh', content: text('run.sh'), mode: '100755' },
    ],
  })
  const entries = await changedEntries(repository, commit, tree)
  expect(entries.map(({ path, old, now }) => [path, old?.mode, now?.mode])).toEqual([
    ['a.md', '100644', '100644'],
    ['dir "ä"\n/b.md', undefined, '100644'],
    ['dir/b.md', '100644', undefined],
    ['run.sh', '100644', '100755'],
  ])
  expect(entries[1]?.now?.oid).toBe(entries[2]?.old?.oid)
  expect(entries[3]?.now?.oid).toBe(entries[3]?.old?.oid)
  expect(await changedEntries(repository, tree, tree)).toEqual([])
  // Nothing refers to the tree, and no branch was made on the way.
  expect(plainGit(repository.folder, ['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/main')
})

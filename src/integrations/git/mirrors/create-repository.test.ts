import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRepository, writeCommit } from './create-repository.ts'
import type { Repository } from '../git.ts'
import { listTree } from '../trees/list-tree.ts'
import { requireSafePath } from '../trees/safe-path.ts'
import { resolveReference } from '../resolve-reference.ts'
import { plainGit, someone, temporaryGit, text } from '../../../../tests/worlds/git/temporary-git.ts'
import type { FileChange } from '../trees/plan-changes.ts'

const date = new Date('2026-01-02T03:04:05Z')

async function seeded(): Promise<{ repository: Repository; commit: string }> {
  const { git, folder } = await temporaryGit()
  const { repository } = await createRepository(git, join(folder, 'repo.git'), {
    branch: 'main',
    files: [
      { path: 'a.md', content: text('a\n') },
      { path: 'run.sh', content: text('x'), mode: '100755' },
      { path: 'dir/b.md', content: text('b\n') },
    ],
    message: 'Seed',
    author: someone,
    date,
  })
  return { repository, commit: (await resolveReference(repository, 'refs/heads/main')) ?? '' }
}

async function change(repository: Repository, parent: string, changes: FileChange[]): Promise<string[]> {
  const { commit } = await writeCommit(repository, {
    parents: [parent],
    changes,
    message: 'm',
    author: someone,
    date,
  })
  return (await listTree(repository, commit)).map((entry) => `${entry.mode} ${entry.path}`)
}

test('the same input gives the same commit, in another repository too', async () => {
  const one = await seeded()
  const other = await seeded()
  expect(one.commit).toBe(other.commit)
  const input = {
    changes: [{ path: 'n.md', content: text('n') }],
    message: 'Wörds\r\n\r\nbody\n\n',
    author: someone,
    date,
  }
  const first = await writeCommit(one.repository, { ...input, parents: [one.commit] })
  const again = await writeCommit(one.repository, { ...input, parents: [one.commit] })
  const elsewhere = await writeCommit(other.repository, { ...input, parents: [other.commit] })
  expect([again, elsewhere]).toEqual([first, first])
  const shown = plainGit(one.repository.folder, ['log', '-1', '--format=%an <%ae> %at %ct %B', first.commit])
  expect(shown).toBe('Someone <someone@example.com> 1767323045 1767323045 Wörds\n\nbody')
})

test('files keep their mode, and may give way to folders and back', async () => {
  const { repository, commit } = await seeded()
  expect(await change(repository, commit, [{ path: 'run.sh', content: text('y') }])).toContain(
    '100755 run.sh',
  )
  const folder = await change(repository, commit, [
    { path: 'a.md/inner.md', content: text('1') },
    { path: 'a.md', content: undefined },
  ])
  expect(folder).toEqual(['100644 a.md/inner.md', '100644 dir/b.md', '100755 run.sh'])
  const file = await change(repository, commit, [
    { path: 'dir', content: text('1') },
    { path: 'dir/b.md', content: undefined },
  ])
  expect(file).toEqual(['100644 a.md', '100644 dir', '100755 run.sh'])
  expect(await change(repository, commit, [{ path: 'not-there.md', content: undefined }])).toHaveLength(3)
})

test('nothing is lost silently: files in the way of folders, folders in the way of files, paths named twice', async () => {
  const { repository, commit } = await seeded()
  const refused: FileChange[][] = [
    [{ path: 'a.md/inner.md', content: text('1') }],
    [{ path: 'dir', content: text('1') }],
    [{ path: 'dir', content: undefined }],
    [
      { path: 'x', content: text('1') },
      { path: 'x/y', content: text('1') },
    ],
    [
      { path: 'x', content: text('1') },
      { path: 'x', content: text('2') },
    ],
  ]
  for (const changes of refused) {
    await expect(change(repository, commit, changes)).rejects.toMatchObject({ code: 'invalid' })
  }
})

test('two thousand files go in with a handful of processes', async () => {
  const { repository, commit } = await seeded()
  const changes = Array.from({ length: 2000 }, (_, n) => ({
    path: `many/${n}.md`,
    content: text(`page ${n}`),
  }))
  expect(await change(repository, commit, changes)).toHaveLength(2003)
})

test('unsafe paths are refused', () => {
  const unsafe = [
    '',
    '/etc/passwd',
    'C:/x',
    'a//b',
    'a/',
    './a',
    'a/../b',
    '..',
    'a\\..\\b',
    'a\0b',
    '\ud800.md',
    '.git',
    '.git/config',
    'a/.GIT/hooks',
    '.git.',
    '.git ',
    '.git . .',
    'git~1',
    'GIT~2/x',
    '.git::$INDEX_ALLOCATION',
    '.g\u200cit/x',
    '.Git\ufeff',
    'a\\.git\\x',
    'x'.repeat(256),
    'x/'.repeat(2001) + 'y',
  ]
  for (const path of unsafe) expect(() => requireSafePath(path)).toThrow('cannot be written')
  for (const path of ['.github/x.yml', '.gitignore', 'git', 'a.git/b', '-x', 'a\nb', '...', 'a\\b']) {
    expect(requireSafePath(path)).toBe(path)
  }
})

test('an identity or message that git would refuse is refused in words', async () => {
  const { repository, commit } = await seeded()
  const input = { parents: [commit], changes: [], message: 'm', author: someone, date }
  await expect(writeCommit(repository, { ...input, author: { name: ' <> ', email: 'x@y' } })).rejects.toThrow(
    'identity',
  )
  await expect(writeCommit(repository, { ...input, message: ' \n\0' })).rejects.toThrow('needs a message')
  const { commit: tricky } = await writeCommit(repository, {
    ...input,
    author: { name: 'Eve\ncommitter Other <o@o> 1 +0000', email: 'e@e>\n' },
  })
  expect(plainGit(repository.folder, ['log', '-1', '--format=%cn <%ce>', tricky])).toBe(
    'Evecommitter Other o@o 1 +0000 <e@e>',
  )
})

test('a repository that exists is returned as it is', async () => {
  const { repository, commit } = await seeded()
  const again = await createRepository(repository.git, repository.folder, {
    branch: 'main',
    files: [],
    message: 'Other',
    author: someone,
    date,
  })
  expect(again.created).toBe(false)
  expect(await resolveReference(repository, 'refs/heads/main')).toBe(commit)
})

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAncestor, mergeBase } from './ancestry.ts'
import { changedFiles } from './changed-files.ts'
import { commitTree } from './commit-tree.ts'
import { diffTrees } from './diff-trees.ts'
import type { Repository } from '../git.ts'
import { listCommits } from './list-commits.ts'
import { listTree } from './list-tree.ts'
import { mergeTrees } from './merge-trees.ts'
import { openMirror } from '../mirrors/open-mirror.ts'
import { resolveReference } from '../resolve-reference.ts'
import { someone, temporaryGit, text } from '../../../../tests/worlds/git/temporary-git.ts'
import { writeCommit } from '../mirrors/create-repository.ts'

async function empty(): Promise<Repository> {
  const { git, folder } = await temporaryGit()
  return openMirror(git, join(folder, 'one.git'))
}

async function commit(
  repository: Repository,
  parents: string[],
  files: Record<string, string | undefined>,
  message = 'm',
): Promise<string> {
  const changes = Object.entries(files).map(([path, content]) => ({
    path,
    content: content === undefined ? undefined : text(content),
  }))
  const result = await writeCommit(repository, {
    parents,
    changes,
    message,
    author: someone,
    date: new Date(0),
  })
  return result.commit
}

const page = Array.from({ length: 30 }, (_, n) => `line ${n}\n`).join('')

test('changes come with status, counts, modes and renames', async () => {
  const repository = await empty()
  const from = await commit(repository, [], {
    'move\nme.md': page,
    'edit.md': 'a\r\nb\r\n',
    'gone.md': 'x\n',
    'data.bin': 'a\0b',
  })
  const to = await commit(repository, [from], {
    'move\nme.md': undefined,
    'moved/Über.md': page,
    'edit.md': 'a\r\nc\r\nd',
    'gone.md': undefined,
    'data.bin': 'a\0c',
    '-new.md': 'n\n',
  })
  const files = await changedFiles(repository, from, to)
  expect(
    files.map(({ path, oldPath, status, additions, deletions, binary }) => [
      path,
      oldPath,
      status,
      additions,
      deletions,
      binary,
    ]),
  ).toEqual([
    ['-new.md', undefined, 'added', 1, 0, false],
    ['data.bin', undefined, 'modified', 0, 0, true],
    ['edit.md', undefined, 'modified', 2, 1, false],
    ['gone.md', undefined, 'deleted', 0, 1, false],
    ['moved/Über.md', 'move\nme.md', 'renamed', 0, 0, false],
  ])
  expect(files[0]).toMatchObject({ mode: '100644', oldMode: undefined })
  const { text: diff, truncated } = await diffTrees(repository, from, to)
  expect(truncated).toBe(false)
  expect(diff).toContain('@@ -1,2 +1,3 @@\n a\r\n-b\r\n+c\r\n+d\n\\ No newline at end of file\n')
  expect(diff).toContain('rename to moved/Über.md')
})

test('a long diff ends after a whole line with a note', async () => {
  const repository = await empty()
  const from = await commit(repository, [], { 'a.md': 'x\n' })
  const to = await commit(repository, [from], { 'a.md': page.repeat(100) })
  const { text: diff, truncated } = await diffTrees(repository, from, to, { maxBytes: 500 })
  expect(truncated).toBe(true)
  expect(diff).toMatch(/\n\+line \d+\n# The diff is longer than 500 bytes; the rest is left out\.\n$/)
})

test('attributes of a repository hide no change from the diff', async () => {
  const repository = await empty()
  const from = await commit(repository, [], {
    '.gitattributes': '*.md -diff diff=evil filter=evil\n',
    'a.md': 'old\n',
  })
  const to = await commit(repository, [from], { 'a.md': 'new\n' })
  expect((await diffTrees(repository, from, to)).text).toContain('-old\n+new\n')
})

test('branches merge without a checkout, and conflicts name their files', async () => {
  const repository = await empty()
  const base = await commit(repository, [], { 'a.md': page, 'b.md': 'b\n' })
  const ours = await commit(repository, [base], { 'a.md': page.replace('line 2\n', 'ours\n') })
  const theirs = await commit(repository, [base], { 'a.md': page.replace('line 25\n', 'theirs\n') })
  const other = await commit(repository, [base], {
    'a.md': page.replace('line 2\n', 'other\n'),
    'b.md': undefined,
  })

  const merged = await mergeTrees(repository, ours, theirs)
  expect(merged.clean).toBe(true)
  const merge = await commitTree(repository, merged.tree, {
    parents: [ours, theirs],
    message: 'Merge',
    author: someone,
    date: new Date(0),
  })
  const { text: diff } = await diffTrees(repository, ours, merge)
  expect(diff).toContain('-line 25\n+theirs\n')
  expect(await mergeTrees(repository, ours, other)).toMatchObject({ clean: false, conflicts: ['a.md'] })

  const stranger = await commit(repository, [], { 'a.md': 'unrelated\n' })
  await expect(mergeTrees(repository, ours, stranger)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('share no history'),
  })
})

test('ancestry and the commits in between', async () => {
  const repository = await empty()
  const one = await commit(repository, [], { 'a.md': '1' }, 'one')
  const two = await commit(repository, [one], { 'a.md': '2' }, 'two\n\nwith\n\n\na body')
  const three = await commit(repository, [two], { 'a.md': '3' }, 'three')
  const side = await commit(repository, [one], { 'b.md': '3' }, 'side')
  const stranger = await commit(repository, [], { 'z.md': '3' }, 'stranger')
  expect(await mergeBase(repository, three, side)).toBe(one)
  expect(await mergeBase(repository, three, stranger)).toBeUndefined()
  expect(await isAncestor(repository, one, three)).toBe(true)
  expect(await isAncestor(repository, three, one)).toBe(false)
  const commits = await listCommits(repository, { from: one, to: three })
  expect(commits.map(({ id, parents, message }) => ({ id, parents, message }))).toEqual([
    { id: three, parents: [two], message: 'three' },
    { id: two, parents: [one], message: 'two\n\nwith\n\n\na body' },
  ])
  expect(await listCommits(repository, { to: three, limit: 1 })).toHaveLength(1)
  expect(await resolveReference(repository, three)).toBe(three)
  expect(await resolveReference(repository, '1'.repeat(40))).toBeUndefined()
  const [entry] = await listTree(repository, three)
  expect(await resolveReference(repository, entry?.oid ?? '')).toBeUndefined()
  await expect(resolveReference(repository, '--all')).rejects.toMatchObject({ code: 'invalid' })
})

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openBlobReader, readBlobs } from './blob-reader.ts'
import { createRepository, writeCommit } from '../mirrors/create-repository.ts'
import type { Repository } from '../git.ts'
import { grepTree } from './grep-tree.ts'
import { listTree } from './list-tree.ts'
import { resolveReference } from '../resolve-reference.ts'
import { plainGit, someone, temporaryGit } from '../../../../tests/worlds/git/temporary-git.ts'

const oddFiles: Record<string, Buffer> = {
  'crlf.md': Buffer.from('one\r\ntwo\r\n'),
  'bom.md': Buffer.from('\ufeff# Title\n'),
  'no-final-newline.md': Buffer.from('end'),
  'empty.md': Buffer.alloc(0),
  'line\nend.md': Buffer.from('in a path with a line end\n'),
  '-dash.md': Buffer.from('dash\n'),
  '--upload-pack=touch x': Buffer.from('option\n'),
  'Über/日本語 "quoted"\\back.md': Buffer.from('Größe\n'),
  '\ufeffbom-path.md': Buffer.from('path\n'),
  'tab\tand space .md': Buffer.from('tab\n'),
  'latin1.md': Buffer.from([0x47, 0x72, 0xf6, 0xdf, 0x65, 0x0a]),
  'nul.bin': Buffer.from('a\0b\n\0'),
  ':(top)magic.md': Buffer.from('magic\n'),
}

async function seeded(
  files: Record<string, Uint8Array>,
): Promise<{ repository: Repository; commit: string }> {
  const { git, folder } = await temporaryGit()
  const { repository } = await createRepository(git, join(folder, 'repo.git'), {
    branch: 'main',
    files: Object.entries(files).map(([path, content]) => ({ path, content })),
    message: 'Seed',
    author: someone,
    date: new Date('2026-01-02T03:04:05Z'),
  })
  const commit = await resolveReference(repository, 'refs/heads/main')
  return { repository, commit: commit ?? 'none' }
}

test('odd contents and paths go in and come out byte for byte', async () => {
  const { repository, commit } = await seeded(oddFiles)
  const entries = await listTree(repository, commit)
  const found: Record<string, Buffer> = {}
  let index = 0
  for await (const blob of readBlobs(
    repository,
    entries.map((entry) => entry.oid),
  )) {
    const entry = entries[index++]
    if (entry === undefined || blob.state !== 'read') throw new Error(`not read: ${blob.oid}`)
    found[entry.path] = blob.content
  }
  expect(Object.keys(found).toSorted()).toEqual(Object.keys(oddFiles).toSorted())
  for (const [path, content] of Object.entries(oddFiles)) expect(found[path]?.equals(content)).toBe(true)
  // The same as git itself sees it.
  expect(plainGit(repository.folder, ['fsck', '--strict', '--no-dangling'])).toBe('')
})

test('an edit leaves every other odd file as it was', async () => {
  const { repository, commit } = await seeded(oddFiles)
  const before = new Map((await listTree(repository, commit)).map((entry) => [entry.path, entry.oid]))
  const result = await writeCommit(repository, {
    parents: [commit],
    changes: [
      { path: 'line\nend.md', content: Buffer.from('new') },
      { path: '-dash.md', content: undefined },
    ],
    message: 'Edit',
    author: someone,
    date: new Date(0),
  })
  const after = new Map((await listTree(repository, result.commit)).map((entry) => [entry.path, entry.oid]))
  expect(after.get('line\nend.md')).not.toBe(before.get('line\nend.md'))
  expect(after.has('-dash.md')).toBe(false)
  const untouched = [...after].filter(([path]) => path !== 'line\nend.md')
  for (const [path, oid] of untouched) expect(before.get(path)).toBe(oid)
  expect(after.size).toBe(before.size - 1)
})

test('files over the limit, missing ids and folders are told apart, in order', async () => {
  const { repository, commit } = await seeded({
    'small.md': Buffer.from('s'),
    'dir/big.md': Buffer.alloc(5000, 'x'),
  })
  const [big, small] = await listTree(repository, commit)
  const tree = plainGit(repository.folder, ['rev-parse', 'main:dir'])
  const ids = [big?.oid ?? '', '0'.repeat(39) + '1', tree, small?.oid ?? '']
  const states: string[] = []
  for await (const blob of readBlobs(repository, ids, { maxBytes: 1000 })) states.push(blob.state)
  expect(states).toEqual(['too_large', 'missing', 'missing', 'read'])
})

test('an open reader answers calls made at the same time, and refuses what is no id', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, n) => [`${n}.md`, Buffer.from(`page ${n}\n`.repeat(n))]),
  )
  const { repository, commit } = await seeded(files)
  const entries = await listTree(repository, commit)
  await using reader = await openBlobReader(repository)
  const read = await Promise.all(entries.map((entry) => reader.read(entry.oid)))
  for (const [index, blob] of read.entries()) {
    expect(
      blob.state === 'read' && blob.content.equals(files[entries[index]?.path ?? ''] ?? Buffer.alloc(0)),
    ).toBe(true)
  }
  await expect(reader.read('HEAD\ncontents HEAD')).rejects.toThrow('not a full object id')
})

test('a search finds lines with their place, in odd paths and other alphabets too', async () => {
  const { repository, commit } = await seeded({ ...oddFiles, 'many.md': Buffer.from('needle\n'.repeat(500)) })
  const odd = await grepTree(repository, commit, 'line end', { fixed: true })
  expect(odd.matches).toEqual([{ path: 'line\nend.md', line: 1, text: 'in a path with a line end' }])
  const folded = await grepTree(repository, commit, 'GRÖSSE|GRÖßE', { ignoreCase: true })
  expect(folded.matches.map((match) => match.text)).toEqual(['Größe'])
  const within = await grepTree(repository, commit, 'magic', { paths: [':(top)magic.md', '-dash.md'] })
  expect(within.matches).toHaveLength(1)
  const many = await grepTree(repository, commit, 'needle', { limit: 20 })
  expect(many).toMatchObject({ truncated: true })
  expect(many.matches).toHaveLength(20)
  expect((await grepTree(repository, commit, '--open-files-in-pager=touch x')).matches).toEqual([])
  expect((await grepTree(repository, commit, 'nowhere')).matches).toEqual([])
})

test('a pattern that cannot work is the caller’s error', async () => {
  const { repository, commit } = await seeded({ 'a.md': Buffer.from('a'.repeat(5000)) })
  for (const pattern of ['(', '', 'a\nb', 'a\0']) {
    await expect(grepTree(repository, commit, pattern)).rejects.toMatchObject({ code: 'invalid' })
  }
})

test('a pattern that explodes ends', async () => {
  const { repository, commit } = await seeded({ 'a.md': Buffer.from('a'.repeat(5000)) })
  const outcome = await grepTree(repository, commit, '(a+)+$b|(a|a)*c\\1').then(
    (found) => found.matches.length,
    (error: unknown) => error,
  )
  expect(outcome === 0 || outcome instanceof Error).toBe(true)
})

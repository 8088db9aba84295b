import { expect, it } from 'vitest'
import { treeFiles } from './tree-files.ts'
import type { BlobRead } from './blob-reader.ts'

const contents = new Map([
  ['1', '../CHANGELOG.md'],
  ['2', 'changes.md'],
  ['3', '../../outside.md'],
  ['4', '/etc/passwd'],
  ['5', 'loop.md'],
  ['6', '../src'],
])
const reader = {
  readSome: async (oids: readonly string[]): Promise<BlobRead[]> =>
    oids.map((oid) => ({ state: 'read', oid, content: Buffer.from(contents.get(oid) ?? '') })),
}
const link = (path: string, oid: string) => ({ path, oid, mode: '120000' })

it('takes a link for the file of the tree that it leads to, and leaves out what leads elsewhere', async () => {
  const files = await treeFiles(
    [
      { path: 'CHANGELOG.md', oid: 'a', mode: '100644' },
      link('docs/again.md', '2'),
      link('docs/changes.md', '1'),
      link('docs/loop.md', '5'),
      link('docs/outside.md', '3'),
      link('docs/source', '6'),
      link('docs/system.md', '4'),
      { path: 'src/a.md', oid: 'b', mode: '100755' },
      { path: 'sub', oid: 'c', mode: '160000' },
    ],
    reader,
  )
  expect([...files]).toEqual([
    ['CHANGELOG.md', 'a'],
    ['docs/again.md', 'a'],
    ['docs/changes.md', 'a'],
    ['src/a.md', 'b'],
  ])
})

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { BaseTree } from './base-tree.ts'
import { openWorkspace } from './workspace.ts'

const bytes = (text: string) => Buffer.from(text)

function tree(files: Record<string, string>, modes: Record<string, string> = {}): BaseTree {
  return {
    listFiles: async () =>
      Object.entries(files).map(([path, text]) => ({
        path,
        oid: createHash('sha1')
          .update(`blob ${Buffer.byteLength(text)}\0${text}`)
          .digest('hex'),
        mode: modes[path] ?? '100644',
        size: text.length,
      })),
    read: async (path) => (files[path] === undefined ? undefined : bytes(files[path])),
    grep: async () => ({ matches: [], truncated: false }),
  }
}

describe('a workspace', () => {
  it('shows the tree with its changes, and the base without them', async () => {
    const workspace = await openWorkspace(tree({ 'a.md': 'a', 'b/c.md': 'c' }))
    workspace.write('b/d.md', bytes('d'))
    workspace.write('a.md', bytes('A'))
    workspace.remove('b/c.md')
    expect(workspace.list().map((file) => file.path)).toEqual(['a.md', 'b/d.md'])
    expect(String(await workspace.read('a.md'))).toBe('65')
    expect(await workspace.read('b/c.md')).toBeUndefined()
    expect(await workspace.readBase('b/c.md')).toEqual(bytes('c'))
    expect(await workspace.readSome(['a.md', 'b/c.md', 'b/d.md', 'none'])).toEqual(
      [bytes('A'), undefined, bytes('d'), undefined].map((part) => part && Uint8Array.from(part)),
    )
    expect(
      workspace
        .base()
        .list()
        .map((file) => file.path),
    ).toEqual(['a.md', 'b/c.md'])
    expect(workspace.changes().map(({ path, content }) => [path, content?.length])).toEqual([
      ['a.md', 1],
      ['b/c.md', undefined],
      ['b/d.md', 1],
    ])
  })

  it('forgets a change that restores the base, and reports that to the journal', async () => {
    const workspace = await openWorkspace(tree({ 'a.md': 'a', 'b.md': 'b' }), [
      { path: 'a.md', content: bytes('stored') },
      { path: 'b.md', content: undefined },
    ])
    expect(workspace.takeDirty()).toEqual([])
    workspace.write('a.md', bytes('a'))
    workspace.write('b.md', bytes('b'))
    workspace.write('new.md', bytes('n'))
    workspace.remove('new.md')
    expect(workspace.changes()).toEqual([])
    expect(workspace.takeDirty()).toEqual([
      { path: 'a.md', state: 'restored' },
      { path: 'b.md', state: 'restored' },
      { path: 'new.md', state: 'restored' },
    ])
    workspace.remove('a.md')
    workspace.write('c.md', bytes('c'))
    expect(workspace.takeDirty()).toEqual([
      { path: 'a.md', state: 'removed' },
      { path: 'c.md', state: 'written', content: Uint8Array.from(bytes('c')) },
    ])
    expect(workspace.takeDirty()).toEqual([])
  })

  it('follows, reads and changes no link and no submodule', async () => {
    const modes = { link: '120000', sub: '160000' }
    const workspace = await openWorkspace(tree({ link: '/etc/passwd', sub: '', 'a.md': 'a' }, modes))
    expect(workspace.list().map((file) => file.path)).toEqual(['a.md'])
    for (const path of ['link', 'sub']) {
      await expect(workspace.read(path)).rejects.toThrow('never followed')
      expect(() => workspace.write(path, bytes('x'))).toThrow('never changed')
      expect(() => workspace.write(`${path}/x.md`, bytes('x'))).toThrow('not a folder')
      expect(() => workspace.remove(path)).toThrow('never changed')
    }
  })

  it('makes several changes completely or not at all', async () => {
    const workspace = await openWorkspace(tree({ 'a.md': 'a', 'b.md': 'b' }))
    const changes = [
      { path: 'a.md', content: undefined },
      { path: 'c.md', content: bytes('c') },
      { path: '../d.md', content: bytes('d') },
    ]
    expect(() => workspace.apply(changes)).toThrow('cannot be written')
    expect(workspace.changes()).toEqual([])
    // A file may be replaced by a folder of the same name, or renamed only in case.
    workspace.apply([
      { path: 'a.md', content: undefined },
      { path: 'a.md/x.md', content: bytes('x') },
      { path: 'b.md', content: undefined },
      { path: 'B.md', content: bytes('b') },
    ])
    expect(workspace.list().map((file) => file.path)).toEqual(['B.md', 'a.md/x.md'])
  })

  it('has limits', async () => {
    const workspace = await openWorkspace(tree({}))
    expect(() => workspace.write('a.md', new Uint8Array(4 * 1024 * 1024 + 1))).toThrow('4 MiB')
    for (let index = 0; index < 16; index++) workspace.write(`${index}.md`, new Uint8Array(4 * 1024 * 1024))
    expect(() => workspace.write('more.md', new Uint8Array(1))).toThrow('64 MiB')
    workspace.write('0.md', new Uint8Array(1))
    workspace.write('more.md', new Uint8Array(1))
  })
})

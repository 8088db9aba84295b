import { describe, expect, it } from 'vitest'
import { openTree } from './open-tree.ts'

describe('write_file', () => {
  it('makes new files and replaces short ones that were read, with their line ends and their end', async () => {
    const { call, text } = await openTree({ 'a.md': 'one\r\ntwo\r\nthree', 'long.md': 'x\n'.repeat(200) })
    expect(await call('write_file', { path: 'new/b.md', content: '# B' })).toMatchObject({ path: 'new/b.md' })
    expect(await text('new/b.md')).toBe('# B\n')
    expect(await call('write_file', { path: 'a.md', content: 'x' })).toMatchObject({
      error: { code: 'not_read' },
    })
    expect(await call('write_file', { path: 'new/b.md', content: '# Better\n' })).toMatchObject({
      path: 'new/b.md',
    })
    expect(await text('new/b.md')).toBe('# Better\n')
    await call('read_file', { path: 'a.md' })
    await call('write_file', { path: 'a.md', content: 'one\n2\n2b\nthree\n' })
    expect(await text('a.md')).toBe('one\r\n2\r\n2b\r\nthree')
    await call('read_file', { path: 'long.md' })
    expect(await call('write_file', { path: 'long.md', content: 'x' })).toMatchObject({
      error: { code: 'too_long' },
    })
  })

  it('refuses paths that the policy guards or other systems cannot hold', async () => {
    const { call, workspace } = await openTree(
      { 'docs/a.md': 'a', 'docs/link': { mode: '120000', content: '..' } },
      { root: 'docs' },
    )
    for (const path of [
      '.github/workflows/a.yml',
      'README.md',
      'docs/.gitattributes',
      'docs/x.sh',
      'docs/package.json',
      'docs/x.js',
      'docs/y.svg',
    ]) {
      expect([path, await call('write_file', { path, content: 'x' })]).toMatchObject([
        path,
        { error: { code: 'forbidden' } },
      ])
    }
    for (const path of [
      'docs/link/b.md',
      'docs/a.md/b.md',
      'docs/A.md',
      'docs/a:b.md',
      'docs/new\nline.md',
      'docs/.git/x.md',
      'docs/../../x.md',
    ]) {
      expect([path, await call('write_file', { path, content: 'x' })]).toMatchObject([
        path,
        { error: { code: 'invalid_path' } },
      ])
    }
    expect(await call('write_file', { path: 'docs/link', content: 'x' })).toHaveProperty('error')
    expect(workspace.changes()).toEqual([])
  })
})

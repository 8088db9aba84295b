import { describe, expect, it } from 'vitest'
import { legacyPages } from '../worlds/legacy-pages.ts'
import { openTree } from './open-tree.ts'

const names = Object.keys(legacyPages) as (keyof typeof legacyPages)[]
const replaced = (bytes: Buffer, from: string, to: string): Buffer => {
  const at = bytes.indexOf(from)
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(to), bytes.subarray(at + from.length)])
}

describe.each(names)('a page in %s', (name) => {
  const page = Buffer.from(legacyPages[name].base64, 'base64')
  const open = async () => {
    const opened = await openTree({ 'page.md': page, 'other.md': '# Other\n', LICENSE: 'x' })
    const bytes = async (path: string) => Buffer.from((await opened.workspace.read(path)) ?? '')
    return { ...opened, bytes }
  }
  const refused = {
    error: { code: 'not_encodable', message: expect.stringContaining('not UTF-8') as string },
  }

  it('is edited in ASCII by every tool, with all its other bytes as they were', async () => {
    const { call, bytes } = await open()
    await call('read_file', { path: 'page.md' })
    const edits = [{ search: 'Acme', replace: 'Globex' }]
    expect(await call('edit_file', { path: 'page.md', edits })).toMatchObject({ replacements: 1 })
    const edited = replaced(page, 'Acme', 'Globex')
    expect(await bytes('page.md')).toEqual(edited)
    await call('replace_in_files', { search: 'Globex', replace: 'Initech', apply: true })
    expect(await bytes('page.md')).toEqual(replaced(edited, 'Globex', 'Initech'))
    await call('set_front_matter', { path: 'page.md', fields: { sidebar: 'Settings' } })
    expect((await bytes('page.md')).includes('sidebar: Settings\n')).toBe(true)
    expect(await call('move_page', { from: 'other.md', to: 'guides/new.md' })).toMatchObject({
      changed: ['page.md'],
    })
    const moved = await bytes('page.md')
    expect(moved.includes('](guides/new.md)')).toBe(true)
    // Behind the link nothing has changed.
    expect(moved.subarray(moved.indexOf(')'))).toEqual(page.subarray(page.indexOf(')')))
    await call('move_page', { from: 'page.md', to: 'guides/page.md' })
    const there = await bytes('guides/page.md')
    expect(there.subarray(there.indexOf(')'))).toEqual(page.subarray(page.indexOf(')')))
  })

  it('takes characters beyond ASCII from no tool', async () => {
    const { call, workspace } = await open()
    await call('read_file', { path: 'page.md' })
    const edits = [{ search: 'Acme', replace: 'Ācme 設 é' }]
    for (const [tool, input] of [
      ['edit_file', { path: 'page.md', edits }],
      ['write_file', { path: 'page.md', content: 'Ā é 設\n' }],
      ['write_file', { path: 'page.md', content: 'Ā é 設\n', exact: true }],
      ['replace_in_files', { search: 'Acme', replace: 'Ācme', apply: true }],
      ['set_front_matter', { path: 'page.md', fields: { title: 'Ācme' } }],
      ['move_page', { from: 'other.md', to: 'guides/Ā.md' }],
    ] as const)
      expect([tool, await call(tool, input)]).toEqual([tool, expect.objectContaining(refused)])
    expect(workspace.changes()).toEqual([])
  })
})

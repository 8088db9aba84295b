import { describe, expect, it } from 'vitest'
import { openTree } from './open-tree.ts'

const antora = {
  'docs/antora.yml': "name: kit\nversion: '2.1'\nnav:\n- modules/ROOT/nav.adoc\n",
  'docs/modules/ROOT/nav.adoc':
    '.Start\n* xref:index.adoc[Home]\n* xref:old.adoc#part[Old]\n** xref:api:use.adoc[Use]\n',
  'docs/modules/ROOT/pages/index.adoc':
    '= Home\n\nSee xref:old.adoc[], xref:2.1@kit:ROOT:old.adoc#part[it], <<old.adoc#part,part>>, and xref:other:x.adoc[].\n',
  'docs/modules/ROOT/pages/old.adoc':
    '= Old\nAda Lovelace\n:page-aliases: older.adoc\n\n[#part]\n== Part\n\nxref:index.adoc[Home], image:a.png[A] image:a.png[B]\n\nimage::a.png[]\n\ninclude::partial$note.adoc[]\n\n----\ninclude::example$a.sh[]\n----\n',
  'docs/modules/ROOT/partials/note.adoc': 'NOTE: See xref:old.adoc[].\n',
  'docs/modules/ROOT/examples/a.sh': 'run\n',
  'docs/modules/ROOT/images/a.png': 'png',
  'docs/modules/api/pages/use.adoc': '= Use\n\nxref:ROOT:old.adoc[Old] and xref:ROOT:older.adoc[].\n',
}

it('keeps lines of titles in reStructuredText as long as the titles', async () => {
  const { call, text } = await openTree({
    'conf.py': '',
    'index.rst': '====\nHome\n====\n\nAPI\n===\n\nText.\n\nWide\n------\n',
  })
  expect(await call('read_file', { path: 'index.rst', heading: 'API' })).toMatchObject({ startLine: 5 })
  const edits = [
    { search: 'Home', replace: 'A home page' },
    { search: 'API', replace: 'Interfaces' },
    { search: 'Wide', replace: 'Wider' },
  ]
  await call('edit_file', { path: 'index.rst', edits })
  expect(await text('index.rst')).toBe(
    '===========\nA home page\n===========\n\nInterfaces\n==========\n\nText.\n\nWider\n------\n',
  )
})

describe('Antora', () => {
  it('moves a page to another module with all references, its entry, and an alias', async () => {
    const { call, text } = await openTree(antora)
    const moved = await call('move_page', {
      from: 'docs/modules/ROOT/pages/old.adoc',
      to: 'docs/modules/api/pages/deep/new.adoc',
    })
    expect(moved).toMatchObject({ redirect: true })
    expect(await text('docs/modules/ROOT/nav.adoc')).toBe(
      '.Start\n* xref:index.adoc[Home]\n* xref:api:deep/new.adoc#part[Old]\n** xref:api:use.adoc[Use]\n',
    )
    expect(await text('docs/modules/ROOT/pages/index.adoc')).toBe(
      '= Home\n\nSee xref:api:deep/new.adoc[], xref:2.1@kit:api:deep/new.adoc#part[it], <<api:deep/new.adoc#part,part>>, and xref:other:x.adoc[].\n',
    )
    expect(await text('docs/modules/api/pages/deep/new.adoc')).toBe(
      '= Old\nAda Lovelace\n:page-aliases: ROOT:old.adoc, ROOT:older.adoc\n\n[#part]\n== Part\n\nxref:ROOT:index.adoc[Home], image:ROOT:a.png[A] image:ROOT:a.png[B]\n\nimage::ROOT:a.png[]\n\ninclude::ROOT:partial$note.adoc[]\n\n----\ninclude::ROOT:example$a.sh[]\n----\n',
    )
    // Names in a partial count from the page that shows it, which is in the other module now.
    expect(await text('docs/modules/ROOT/partials/note.adoc')).toBe('NOTE: See xref:deep/new.adoc[].\n')
    expect(await text('docs/modules/api/pages/use.adoc')).toBe(
      '= Use\n\nxref:deep/new.adoc[Old] and xref:ROOT:older.adoc[].\n',
    )
  })

  it('writes former names anew in a page that moves, and replaces texts in prose', async () => {
    const { call, text } = await openTree({
      ...antora,
      'docs/modules/ROOT/pages/b.adoc':
        '= B\n\nxref:older.adoc[Old pages] or `Old pages`\n\n----\nOld pages\n----\n',
    })
    await call('move_page', { from: 'docs/modules/ROOT/pages/b.adoc', to: 'docs/modules/api/pages/b.adoc' })
    await call('replace_in_files', {
      search: 'Old pages',
      replace: 'Former pages',
      skipCode: true,
      apply: true,
    })
    expect(await text('docs/modules/api/pages/b.adoc')).toBe(
      '= B\n:page-aliases: ROOT:b.adoc\n\nxref:ROOT:old.adoc[Former pages] or `Old pages`\n\n----\nOld pages\n----\n',
    )
  })

  it('adds a page to the navigation as its neighbours are, and removes one', async () => {
    const { call, text } = await openTree(antora)
    await call('write_file', { path: 'docs/modules/api/pages/more.adoc', content: '= More [1]\n' })
    await call('add_to_navigation', { path: 'docs/modules/api/pages/more.adoc' })
    await call('delete_page', { path: 'docs/modules/ROOT/pages/old.adoc' })
    expect(await text('docs/modules/ROOT/nav.adoc')).toBe(
      '.Start\n* xref:index.adoc[Home]\n* xref:api:use.adoc[Use]\n* xref:api:more.adoc[More [1\\]]\n',
    )
  })
})

it('moves a plain page of AsciiDoc with what it names', async () => {
  const { call, text } = await openTree({
    'index.adoc': '= Home\n\nxref:guide/a.adoc#x[A], <<guide/a.adoc#x>>\n\ninclude::guide/part.adoc[]\n',
    'guide/a.adoc': '= A\n\n[#x]\n== X\n\nxref:../index.adoc[Home]\n\nimage::shot.png[]\n',
    'guide/part.adoc': 'Part.\n',
    'guide/shot.png': 'png',
  })
  await call('move_page', { from: 'guide/a.adoc', to: 'b.adoc' })
  expect(await text('index.adoc')).toContain('xref:b.adoc#x[A], <<b.adoc#x>>')
  expect(await text('b.adoc')).toBe('= A\n\n[#x]\n== X\n\nxref:index.adoc[Home]\n\nimage::guide/shot.png[]\n')
})

import { expect, it } from 'vitest'
import { openTree } from './open-tree.ts'

const tree = {
  'mkdocs.yml': 'site_name: x\n',
  'docs/a.md':
    '# A\n\nFirst.\n\n## Setup\n\nSee [b](b.md) and ![](img/x.png).\n\n```sh\n# Not a heading\n```\n\n## Use\n\nLast.\n',
  'docs/b.md': '# B\r\n\r\nOwn.\r\n',
  'docs/img/x.png': 'x',
}

it('splits a page: its lines go to a new one, and their links lead where they did', async () => {
  const { call, text } = await openTree(tree)
  const read = await call('read_file', { path: 'docs/a.md', heading: 'setup' })
  expect(read).toMatchObject({ startLine: 5, endLine: 12 })
  const moved = { from: 'docs/a.md', start: 5, end: 12, to: 'docs/more/setup.md' }
  expect(await call('move_lines', moved)).toMatchObject({ created: true })
  expect(await text('docs/a.md')).toBe('# A\n\nFirst.\n\n## Use\n\nLast.\n')
  expect(await text('docs/more/setup.md')).toBe(
    '## Setup\n\nSee [b](../b.md) and ![](../img/x.png).\n\n```sh\n# Not a heading\n```\n\n',
  )
  // The job's own page.
  expect(await call('write_file', { path: 'docs/more/setup.md', content: '# Setup\n' })).not.toHaveProperty(
    'error',
  )
})

it('moves lines into another page and within one, with the line ends of each', async () => {
  const { call, text, reads } = await openTree(tree)
  expect(
    await call('move_lines', { from: 'docs/a.md', start: 3, end: 4, to: 'docs/b.md', at: 3 }),
  ).toMatchObject({
    error: { code: 'not_read' },
  })
  await call('move_lines', { from: 'docs/a.md', start: 3, end: 4, to: 'docs/b.md', at: 3 })
  expect(await text('docs/b.md')).toBe('# B\r\n\r\nFirst.\r\n\r\nOwn.\r\n')
  reads.beginAnswer()
  await call('read_file', { path: 'docs/a.md' })
  await call('move_lines', { from: 'docs/a.md', start: 11, end: 13, to: 'docs/a.md', at: 3 })
  expect(await text('docs/a.md')).toBe(
    '# A\n\n## Use\n\nLast.\n\n## Setup\n\nSee [b](b.md) and ![](img/x.png).\n\n```sh\n# Not a heading\n```\n\n',
  )
})

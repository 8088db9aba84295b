import { expect, it } from 'vitest'
import { problemsAfter } from './change-tree.ts'
import { openTree } from './open-tree.ts'

const docs = {
  'docusaurus.config.js': 'export default { title: "x" }',
  'docs/a.md': "# A\n\nimport Note from './shared/_note.mdx'\n\n<Note />\n\nMore.\n",
  'docs/b.md': "# B\n\nimport Note from './shared/_note.mdx'\n\n<Note />\n",
  'docs/c.md': '# C\n\n[retries](./a.md#retries)\n',
  'docs/shared/_note.mdx': '## Retries\n\nSee [C](../c.md).\n',
}

it('finds broken links of included texts in the first page that shows them', async () => {
  const { call } = await openTree({
    ...docs,
    'docs/shared/_note.mdx': '## Retries\n\nSee [C](../gone.md).\n',
  })
  expect(await call('check', {})).toMatchObject({
    total: 1,
    checked: 2,
    problems: [
      {
        check: 'link',
        path: 'docs/a.md',
        line: 5,
        message: expect.stringContaining('It is written in docs/shared/_note.mdx, line 3') as string,
        hint: 'Fix it in docs/shared/_note.mdx',
      },
    ],
  })
  expect(await call('check', { paths: ['docs/b.md'] })).toMatchObject({ total: 1 })
})

it('knows the anchors of included texts, and misses them when the text changes', async () => {
  const { call } = await openTree(docs)
  expect(await call('check', {})).toMatchObject({ total: 0, checked: 2, broken: 0, notLookedAt: [] })
  const after = await problemsAfter(docs, { 'docs/shared/_note.mdx': '## Tries\n\nSee [C](../d.md).\n' })
  expect(after.map(({ check, path }) => [check, path])).toEqual([
    ['link', 'docs/a.md'],
    ['anchor', 'docs/c.md'],
  ])
  expect(await problemsAfter(docs, { 'docs/shared/_note.mdx': '## Retries\n\nNone.\n' })).toEqual([])
})

import { expect, it } from 'vitest'
import type { StoredPage } from '../../features/docs/pages.ts'
import type { Project } from '../../features/projects/projects.ts'
import { renderPage } from './render-page.ts'
import { toPlacedTree } from './to-tree.ts'

const oid = 'a'.repeat(40)

it('shows images of the repository, and says what the others are', async () => {
  const project = { id: 'prj_1', domain: 'docs', framework: 'markdown' } as unknown as Project
  const content =
    '![A "chart"](./img/chart.png)\n\n![Far](https://evil.example/x.png)\n\n<img src="gone.png" onerror="x" alt="Gone">\n\n![](__proto__)\n'
  const page = {
    path: 'guide/a.md',
    url: '/guide/a',
    title: 'A',
    sections: [],
    content,
  } as unknown as StoredPage
  const asked: unknown[] = []
  const html = await renderPage(
    ({ markdown, mdx, images = false }) => Promise.resolve(toPlacedTree(markdown, mdx, { images })?.tree),
    project,
    page,
    () => undefined,
    (_project, { path }, addresses) => {
      asked.push(path, addresses)
      return Promise.resolve({ './img/chart.png': oid })
    },
  )
  expect(asked).toEqual([
    'guide/a.md',
    ['./img/chart.png', 'https://evil.example/x.png', 'gone.png', '__proto__'],
  ])
  const text = String(html)
  expect(text).toContain(`src="/docs/docs/-/images/${oid}"`)
  expect(text).toContain('alt="A &#x22;chart&#x22;"')
  expect(text.match(/<img/g)).toHaveLength(1)
  expect(text).toContain('Image: Far')
  expect(text).toContain('Image: Gone')
  expect(text).not.toContain('evil.example')
})

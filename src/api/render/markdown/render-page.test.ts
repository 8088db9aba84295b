import { expect, it } from 'vitest'
import type { StoredPage } from '../../../features/docs/pages.ts'
import type { Project } from '../../../features/projects/projects.ts'
import { docsPath, sitePath } from '../docs-path.ts'
import { withHome } from './home-page.ts'
import { printMarkdown } from './print-markdown.ts'
import type { ReadMarkdown } from './read-markdown.ts'
import { renderPage } from './render-page.ts'
import { toPlacedTree } from './to-tree.ts'

const oid = 'a'.repeat(40)
const read: ReadMarkdown = async ({
  markdown,
  mdx,
  images = false,
  isPage = false,
  printed,
  showAddresses,
}) => {
  const tree = toPlacedTree(isPage ? withHome(markdown) : markdown, mdx, { images })?.tree
  const nothing = () => Promise.resolve({ images: [], links: [] })
  return tree && printMarkdown(tree, printed, showAddresses ?? nothing)
}

/** Of a page without links and images. */
async function render(content: string): Promise<string> {
  const project = { id: 'prj_1', domain: 'docs', framework: 'markdown' } as unknown as Project
  const page = { path: 'a.md', url: '/a', title: 'T', sections: [], content } as unknown as StoredPage
  const html = await renderPage(
    read,
    project,
    page,
    () => undefined,
    () => Promise.resolve({}),
  )
  return String(html)
}

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
    read,
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

it('lets keys reach what scrolls', async () => {
  const html = await render('| A |\n|---|\n| b |\n\n```\ncode\n```\n')
  expect(html).toMatch(/<table tabindex="0">[^]*<pre tabindex="0"/)
})

it('leaves out no level of headings', async () => {
  const html = await render('## A\n\n#### B\n\n#### C\n\n### D\n\n# E\n\n### F\n')
  expect(html.match(/<h\d>\w/g)).toEqual(['<h2>A', '<h3>B', '<h3>C', '<h3>D', '<h1>E', '<h2>F'])
})

it('leads to no place outside of the documentation, and to pages with the oddest names', () => {
  const base = 'https://docwright.example'
  for (const url of ['/a/../../../sign-in', '/%2e%2E/.%2e/..', '/./x', '/..', '//evil.example', '/?a#/../..'])
    expect(new URL(docsPath('docs', url), base).href).toMatch(/^https:\/\/docwright\.example\/docs\/docs\//)
  for (const url of ['/a/%2e%2e/b', '/%2e', '/a..b/...', '/.well-known/x'])
    expect(sitePath('docs', new URL(docsPath('docs', url), base).pathname)).toBe(url)
})

it.each(['index.md', 'index.mdx'])('shows actions and features of the home page %s', async (path) => {
  const project = { id: 'prj_1', domain: 'docs', framework: 'vitepress' } as unknown as Project
  const content = `---
layout: home
hero:
  name: Acme
  text: Fast <script>tools</script> {x}
  tagline: Shown as the description
  actions:
    - text: Start
      link: /start
    - text: Run
      link: javascript:alert(1)
features:
  - title: 'Quick "and" small'
    details: A & B <b>c</b>
    link: /quick
  - title: Second&shy;card
    details: More
  - just text
---

Below.
`
  const page = { path, url: '/', title: 'Acme', sections: [], content } as unknown as StoredPage
  const links = (_: object, href: string) => (href.startsWith('/') ? href : undefined)
  const text = String(await renderPage(read, project, page, links, () => Promise.resolve({})))
  expect(text).toContain('<strong>Fast tools {x}</strong>')
  expect(text).not.toContain('Shown as the description')
  expect(text).toContain('href="/docs/docs/start"')
  expect(text).not.toContain('javascript:')
  expect(text).toContain('href="/docs/docs/quick"')
  expect(text).toContain('Quick "and" small')
  expect(text).toContain('A &#x26; B c')
  expect(text).toContain('<p>Below.</p>')
  expect(text.match(/class="card"/g)).toHaveLength(2)
  expect(text).toContain('Secondcard')
  expect(text).not.toContain('layout')
})

it('shows what the front matter of a landing page says that has nothing else', async () => {
  const project = { id: 'prj_1', domain: 'docs', framework: 'hugo' } as unknown as Project
  const front = `---
title: Home
layout: landing
subtitle: The fast way
sidebar: { title: Not shown }
cta: { label: Try it, url: /start }
benefits:
  - heading: One
    description: First <b>thing</b>
---
`
  const shown = async (content: string): Promise<string> => {
    const page = { path: 'index.md', url: '/', title: 'Home', sections: [], content } as unknown as StoredPage
    const links = (_: object, href: string) => href
    return String(await renderPage(read, project, page, links, () => Promise.resolve({})))
  }
  const text = await shown(front)
  for (const part of ['The fast way', 'href="/docs/docs/start"', 'Try it', 'One', 'First thing'])
    expect(text).toContain(part)
  expect(text).not.toContain('Not shown')
  expect(await shown(`${front}\nA page.\n`)).not.toContain('Try it')
})

import { expect, it } from 'vitest'
import { openTree } from './open-tree.ts'

it('knows pages that the site has outside of the docs folder, for links and the navigation', async () => {
  const tree = {
    '.vitepress/config.ts':
      "export default { themeConfig: { nav: [{ text: 'E', link: '/examples/' }], sidebar: [{ text: 'A', link: '/docs/a' }, { text: 'B', link: '/examples/b' }, { text: 'C', link: '/examples/gone' }] } }\n",
    'docs/a.md': '# A\n\n[B](/examples/b) [C](../examples/b.md) [D](/examples/none)\n',
    'examples/index.md': '# Examples\n',
    'examples/b.md': '# B\n\n[Gone](./gone.md)\n',
  }
  const { call } = await openTree(tree, { root: 'docs' })
  const { problems } = await call('check', {})
  expect((problems as { href: string }[]).map(({ href }) => href).sort()).toEqual([
    '/examples/gone',
    '/examples/none',
  ])
})

import { expect, it } from 'vitest'
import { checkChanges } from '../../src/features/agent/policy/check-changes.ts'
import { openTree } from './open-tree.ts'

const vitepress = {
  'site/.vitepress/config.ts':
    "export default { themeConfig: { sidebar: [{ text: 'Guide', items: [{ text: 'A', link: '/guide/a' }] }] } }\n",
  'site/index.md': '# Home\n',
  'site/guide/a.md': '# A\n',
  'site/guide/b.md': '# B\n',
}

async function moved(tree: Record<string, string>, path: string, from = 'site/guide/a.md') {
  const { call, text } = await openTree(tree, { root: 'site' })
  const output = await call('move_page', { from, to: 'site/how-to/a.md' })
  return { output, text: await text(path), problems: (await call('check', { onlyNew: true }))['problems'] }
}

it('redirects a page that moves where the host of the site reads it, before what catches all', async () => {
  const lines = await moved(
    { ...vitepress, 'site/public/_redirects': '# kept\n/old /guide/a.html 301\n/* /404.html 404\n' },
    'site/public/_redirects',
  )
  expect(lines.output).toMatchObject({ redirect: true })
  expect(lines.text).toBe(
    '# kept\n/old /how-to/a.html 301\n/guide/a.html /how-to/a.html 301\n/* /404.html 404\n',
  )
  expect(lines.problems).toEqual([])
  const toml = '[build]\npublish = "site/.vitepress/dist"\n'
  const netlify = await moved({ ...vitepress, 'netlify.toml': toml }, 'netlify.toml')
  expect(netlify.text).toBe(`${toml}\n[[redirects]]\nfrom = "/guide/a.html"\nto = "/how-to/a.html"\n`)
  expect(netlify.problems).toEqual([])
  const vercel = await moved(
    {
      ...vitepress,
      'vercel.json':
        '{\n  "redirects": [\n    { "source": "/x", "destination": "/guide/a.html", "permanent": true }\n  ]\n}\n',
    },
    'vercel.json',
  )
  expect(vercel.text).toBe(
    '{\n  "redirects": [\n    { "source": "/x", "destination": "/how-to/a.html", "permanent": true },\n    { "source": "/guide/a.html", "destination": "/how-to/a.html" }\n  ]\n}\n',
  )
})

it('lets a redirect follow that names the page without its ending, and calls no link new that led nowhere before', async () => {
  const { output, text, problems } = await moved(
    { ...vitepress, 'site/index.md': '# Home\n', 'site/public/_redirects': '/old /guide/a\n' },
    'site/public/_redirects',
  )
  expect(output).toMatchObject({ redirect: true })
  expect(text).toBe('/old /how-to/a.html\n/guide/a.html /how-to/a.html\n')
  expect(problems).toEqual([])
  const { call } = await openTree({
    'hugo.toml': 'title = "X"\n',
    'content/_index.md': '# Home\n\n[a](docs/a.md)\n',
    'content/docs/a.md': '# A\n\nA sentence of some length.\n\nAnother one of some length.\n',
    'content/docs/b.md': '---\naliases: [/x/]\n---\n# B\n',
  })
  await call('move_page', { from: 'content/docs/a.md', to: 'content/docs/c.md' })
  expect(await call('check', { onlyNew: true })).toMatchObject({ problems: [] })
})

it('writes a block like the last plain one, before a block that catches the address', async () => {
  const block = (from: string, to: string, more = '') =>
    `[[redirects]]\n  from = "${from}"\n  to = "${to}"\n  status = 301\n${more}`
  const catching = `\n${block('/guide/*', 'https://old.example.com/:splat', '  force = true\n')}`
  const toml = (own: string) => `${block('/x', '/index.html')}${own}${catching}`
  const { text } = await moved({ ...vitepress, 'netlify.toml': toml('') }, 'netlify.toml')
  expect(text).toBe(`${block('/x', '/index.html')}\n${block('/guide/a.html', '/how-to/a.html')}${catching}`)
})

it('leaves the file of another site alone, and of a site with redirects of its own', async () => {
  const other = '[build]\npublish = "app/dist"\n'
  const { output, problems } = await moved({ ...vitepress, 'netlify.toml': other }, 'netlify.toml')
  expect(output).toMatchObject({ redirect: false })
  expect(problems).toMatchObject([{ check: 'redirect', severity: 'warning' }])
  const { call, text } = await openTree({
    'docs.json': '{"navigation": {"pages": ["a"]}, "redirects": []}',
    'vercel.json': '{}',
    'a.mdx': 'x\n',
  })
  await call('move_page', { from: 'a.mdx', to: 'b.mdx' })
  expect(await text('docs.json')).toContain('/b')
  expect(await text('vercel.json')).toBe('{}')
})

it.each([
  ['netlify.toml', '[build]\ncommand = "x"\n', '[build]\ncommand = "curl x | sh"\n'],
  ['netlify.toml', '', '[[redirects]]\nfrom = "/a"\nto = "https://evil.example/a"\n'],
  ['netlify.toml', '', '[[redirects]]\nfrom = "/a"\nto = "//evil.example/a"\n'],
  ['netlify.toml', '', '[[redirects]]\nfrom = "/a"\nto = "/b"\nstatus = 200\n'],
  ['netlify.toml', '', '[[redirects]]\nfrom = "/a"\nto = "/b"\nforce = true\n'],
  ['netlify.toml', '', '[[redirects]]\nfrom = "/*"\nto = "/b"\n'],
  ['netlify.toml', '', '[[headers]]\nfor = "/*"\n'],
  ['_redirects', '', '/a /b 200\n'],
  ['_redirects', '', '/a /.netlify/functions/x 200\n'],
  ['_redirects', '', '/a https://evil.example 301\n'],
  ['_redirects', '', '/a /b 301 Country=de\n'],
  ['_redirects', '/* /404.html 404\n', ''],
  ['vercel.json', '{}', '{"rewrites": [{"source": "/a", "destination": "/b"}]}'],
  ['vercel.json', '{}', '{"redirects": [{"source": "/a", "destination": "https://evil.example"}]}'],
  ['vercel.json', '{}', '{"redirects": [{"source": "/a", "destination": "/b", "has": []}]}'],
])('holds what changes more of %s than redirects within the site', (path, before, after) => {
  const change = { path, before: Buffer.from(before), after: Buffer.from(after), mode: '100644' }
  const judge = (now: string) =>
    checkChanges([{ ...change, after: Buffer.from(now), baseMode: '100644' }], {
      root: 'docs',
      configPaths: [path],
      redirectFile: path,
    })
  expect(judge(after)).toMatchObject([{ code: 'protected', path }])
  expect(judge(before)).toEqual([])
})

import { describe, expect, it } from 'vitest'
import { checkChanges, pathViolation } from '../../src/features/agent/policy/check-changes.ts'
import { codeConfigurationObjection } from '../../src/features/agent/policy/code-configuration.ts'
import { createSite } from '../../src/site/frameworks/create-site.ts'

/** The judge of one file of a site, by its text. */
async function judgeOf(tree: Record<string, string>, path: string) {
  const site = await createSite(async (name) => tree[name], { paths: Object.keys(tree), root: '' })
  const file = site.navigationFiles.find((one) => one.path === path)
  if (file === undefined) throw new Error(`${path} holds no navigation`)
  const before = tree[path] ?? ''
  const judge = (after: string) => codeConfigurationObjection(file, Buffer.from(before), Buffer.from(after))
  const replaced = (from: string, to: string) => {
    if (!before.includes(from)) throw new Error(`There is no ${from}`)
    return judge(before.replace(from, () => to))
  }
  return { site, judge, replaced }
}

const config = `import { defineConfig } from 'vitepress'
import { evil } from './helper'
// Sidebar
export default defineConfig({
  head: [['script', { src: '/a.js' }]],
  themeConfig: {
    nav: [{ text: 'Guide', link: '/guide/a' }],
    sidebar: [
      { text: 'A <b>old</b>', link: '/guide/a', items: [evil(), \`x\${1}\`] },
      { text: 'Site', link: 'https://known.example' },
      ...evil(),
    ],
  },
  transformHtml(code) { return code },
} as const)
`
const vitepress = { '.vitepress/config.ts': config, 'guide/a.md': '# A\n' }

describe('a changed VitePress configuration', () => {
  it('may have other entries, labels and addresses of its own site', async () => {
    const { judge, replaced } = await judgeOf(vitepress, '.vitepress/config.ts')
    expect(judge(config)).toBeUndefined()
    expect(replaced("link: '/guide/a', items", "link: '/guide/b#x', collapsed: true, items")).toBeUndefined()
    expect(
      replaced(
        '    sidebar: [\n',
        "    sidebar: [\n      { text: 'New', base: '/n/', items: [{ text: 'x', link: 'y' }] },\n",
      ),
    ).toBeUndefined()
    expect(replaced('      ...evil(),\n', '')).toBeUndefined()
    expect(
      replaced("{ text: 'Guide', link: '/guide/a' }", "{ text: 'Guide', link: '/start' }"),
    ).toBeUndefined()
  })

  it.each([
    ["head: [['script'", "head: [['script', {}], ['script'"],
    ['return code', "return code + 'x'"],
    ['// Sidebar', '// Other'],
    ['} as const)', '} as any)'],
    ['    sidebar: [', '    sidebar: [].concat(process.exit()) && ['],
    ['    sidebar: [', '    sidebar: [...process.exit(), '],
    ['    sidebar: [', '    sidebar: [{ text: `${process.env.TOKEN}`, link: "/x" }, '],
    ['    sidebar: [', '    sidebar: [{ get text() { return 1 } }, '],
    ['    sidebar: [', '    sidebar: [{ [evil]: 1 }, '],
    ['    sidebar: [', '    sidebar: [{ __proto__: [] }, '],
    ['    sidebar: [', '    sidebar: [{ onclick: "x" }, '],
    ['    sidebar: [', '    sidebar: [/x/, '],
    ['    sidebar: [', '    sidebar: [evil, '],
    ['    sidebar: [', '    sidebar: [{ text: "x", link: "javascript:alert(1)" }, '],
    ['    sidebar: [', '    sidebar: [{ text: "x", link: "//other.example" }, '],
    ['    sidebar: [', '    sidebar: [{ text: "x", link: "/\\\\other.example" }, '],
    ['    sidebar: [', '    sidebar: [{ text: "x", base: "https://other.example/", link: "y" }, '],
    ['    sidebar: [', '    sidebar: [{ text: "<img src=x onerror=alert(1)>" }, '],
    ['    sidebar: [', '    sidebar: [{ text: "\\x3cimg src=x>" }, '],
    ['    sidebar: [', '    sidebar: [{ text: tag`x` }, '],
    ["link: 'https://known.example' },\n      ...evil(),\n    ],", "link: '/x' }], x: [...evil()],"],
    ["link: 'https://known.example'", "link: 'https://unknown.example'"],
    ["link: '/guide/a' }],", "link: '/guide/a', items: [] }],"],
    ["link: '/guide/a' }],", "link: '/guide/a' + evil() }],"],
    ["link: '/guide/a' }],", 'link: `/guide/${1}` }],'],
    ['evil(), `x${1}`', 'evil(process), `x${1}`'],
    ['evil(), `x${1}`', 'evil(), evil(), evil()'],
  ])('may not have %j as %j', async (from, to) => {
    const { replaced } = await judgeOf(vitepress, '.vitepress/config.ts')
    expect(replaced(from, to)).toMatch(/^(?:It|Its navigation) would /)
  })

  it('fails closed on what it does not know', async () => {
    const { site, judge } = await judgeOf(vitepress, '.vitepress/config.ts')
    expect(judge('')).toBeDefined()
    expect(judge(config.slice(0, -5))).toBeDefined()
    expect(judge(`${config}//`)).toBeDefined()
    expect(judge(config.replace('sidebar: [', `sidebar: [${'['.repeat(50_000)}`))).toBeDefined()
    const [file] = site.navigationFiles
    if (file === undefined) throw new Error('There is no file')
    const [one, other] = [Buffer.from(`${config} `), Buffer.from(config.replace('/guide/a', '/guide/b'))]
    expect(codeConfigurationObjection(file, one, other)).toBeDefined()
    expect(codeConfigurationObjection(file, undefined, other)).toBeDefined()
    expect(codeConfigurationObjection(file, Buffer.from(config), Buffer.from([0xff, 0xfe]))).toBeDefined()
  })

  it('is the only code that may be written, and may not be removed', async () => {
    const { site } = await judgeOf(vitepress, '.vitepress/config.ts')
    const { configPaths, navigationFiles } = site
    const scope = { root: 'guide', configPaths, navigationFiles }
    expect(pathViolation('.vitepress/config.ts', scope)).toBeUndefined()
    expect(pathViolation('.vitepress/helper.ts', scope)).toBeDefined()
    expect(pathViolation('.vitepress/config.ts', { ...scope, protects: () => true })).toBeDefined()
    const before = Buffer.from(config)
    const path = '.vitepress/config.ts'
    expect(checkChanges([{ path, before, after: undefined }], scope)).toMatchObject([{ code: 'protected' }])
    expect(checkChanges([{ path, before, after: Buffer.from(`${config}x()`) }], scope)).toMatchObject([
      { code: 'protected', path },
    ])
    const after = Buffer.from(config.replace("'/guide/a', items", "'/guide/b', items"))
    expect(checkChanges([{ path, before, after }], scope)).toEqual([])
  })
})

it('keeps what other frameworks put into pages as it is', async () => {
  const docusaurus = {
    'docusaurus.config.js':
      "module.exports = { presets: [['c', { docs: { sidebarPath: './sidebars.json' } }]] }\n",
    'sidebars.json': '{"docs": ["a", {"type": "html", "value": "<b>x</b>"}]}\n',
    'docs/a.md': '# A\n',
  }
  const { replaced } = await judgeOf(docusaurus, 'sidebars.json')
  expect(
    replaced('"a",', '"a", {"type": "category", "label": "a < b: c", "items": ["b"]}, {"More": ["c"]},'),
  ).toBeUndefined()
  expect(replaced('<b>x</b>', '<script>')).toBeDefined()
  expect(replaced('"a",', '"a", {"type": "html", "value": "x"},')).toBeDefined()
  expect(replaced('"a",', '"a", {"type": "doc", "id": "b", "customProps": {"x": 1}},')).toBeDefined()
  expect(replaced('"a",', '"a", {"type": "link", "label": "x", "href": "data:text/html,x"},')).toBeDefined()
  expect(replaced('"a",', "'a',")).toBe('It would not be valid JSON')
  const starlight = {
    'astro.config.mjs':
      "import s from '@astrojs/starlight'\nexport default { redirects: { '/a': '/b' }, integrations: [s({ sidebar: ['a', group('x', { items: ['b'] })] })] }\n",
    'src/content/docs/a.md': '# A\n',
  }
  const astro = await judgeOf(starlight, 'astro.config.mjs')
  expect(astro.replaced("['b']", "['b', { slug: 'c', translations: { fr: 'C' } }]")).toBeUndefined()
  expect(astro.replaced("'/b' }", "'/c', '/d/': { status: 302, destination: '/e' } }")).toBeUndefined()
  expect(astro.replaced("'/b' }", "'https://other.example' }")).toBeDefined()
  expect(astro.replaced("group('x'", "group('y'")).toBeDefined()
  expect(astro.replaced("['a',", "[{ label: 'a', link: '/a', attrs: { onclick: 'x' } },")).toBeDefined()
})

import { describe, expect, it } from 'vitest'
import { openTree } from './open-tree.ts'

type Tree = Record<string, string>

/** Runs one tool over a tree and gives the new text of a file. */
async function edited(tree: Tree, path: string, name: string, input: object) {
  const { call, text } = await openTree(tree)
  const output = await call(name, input)
  return { output, text: await text(path) }
}

describe('Docusaurus', () => {
  const sidebars = `import type {SidebarsConfig} from '@docusaurus/plugin-content-docs';

const sidebars: SidebarsConfig = {
  docs: [
    'intro', // first
    {
      type: 'category',
      label: 'Guides',
      link: {type: 'doc', id: 'guides/start'},
      items: ['guides/setup', {type: 'doc', id: 'guides/use', label: 'Use'}],
    },
    {
      type: 'category',
      label: 'Lone',
      items: [
        'lone/only',
      ],
    },
    {'Short': ['short/one', ...require('./more')]},
    {type: 'link', label: 'Home', href: '/docs/intro'},
  ],
} satisfies SidebarsConfig;

export default sidebars;
`
  const tree: Tree = {
    'sidebars.ts': sidebars,
    'docusaurus.config.ts': `export default {
  presets: [['classic', { docs: { sidebarPath: require.resolve('./sidebars.ts') } }]],
  plugins: [
    ['@docusaurus/plugin-client-redirects', {
      redirects: [
        {from: '/older', to: '/docs/intro'},
      ],
    }],
  ],
  themeConfig: { navbar: { items: [{ type: 'doc', docId: 'intro' }, { to: '/docs/intro', label: 'Docs' }] } },
}
`,
    'docs/01-intro.md': '# x\n',
    'docs/guides/start.md': '# x\n',
    'docs/guides/install.md': '---\nid: setup\ntitle: Set "up"\n---\n',
    'docs/guides/use.md': '# x\n',
    'docs/guides/new.md': "---\ntitle: It's new\n---\n",
    'docs/lone/only.md': '# x\n',
    'docs/short/one.md': '# x\n',
  }

  it('names a moved page anew in sidebars, bar and redirects, and changes nothing else', async () => {
    const { call, diff } = await openTree(tree)
    expect(await call('move_page', { from: 'docs/01-intro.md', to: 'docs/welcome.md' })).toEqual({
      from: 'docs/01-intro.md',
      to: 'docs/welcome.md',
      changed: ['docusaurus.config.ts', 'sidebars.ts'],
      redirect: true,
    })
    const changes = await diff()
    expect(changes['sidebars.ts']).toEqual([
      "-    'intro', // first\n",
      "+    'welcome', // first\n",
      "-    {type: 'link', label: 'Home', href: '/docs/intro'},\n",
      "+    {type: 'link', label: 'Home', href: '/docs/welcome'},\n",
    ])
    expect(changes['docusaurus.config.ts']).toEqual([
      "-        {from: '/older', to: '/docs/intro'},\n",
      "+        {from: '/older', to: '/docs/welcome'},\n",
      "+        {from: '/docs/intro', to: '/docs/welcome'},\n",
      expect.stringMatching(/^-.*docId: 'intro' \}, \{ to: '\/docs\/intro'/),
      expect.stringMatching(/^\+.*docId: 'welcome' \}, \{ to: '\/docs\/welcome'/),
    ])
  })

  it('knows a page by the id of its front matter', async () => {
    const { text } = await edited(tree, 'sidebars.ts', 'move_page', {
      from: 'docs/guides/install.md',
      to: 'docs/basics/install.md',
    })
    expect(text).toBe(sidebars.replace("'guides/setup'", "'basics/setup'"))
  })

  it('takes a category out that must not be empty, and the link of one that keeps its pages', async () => {
    const only = await edited(tree, 'sidebars.ts', 'delete_page', { path: 'docs/lone/only.md' })
    expect(only.text).toBe(
      sidebars.replace(/ {4}\{\n.*\n.*'Lone'[^]*?\n {4}\},\n/, (block) =>
        block.slice(0, block.lastIndexOf('    {\n')),
      ),
    )
    const start = await edited(tree, 'sidebars.ts', 'delete_page', { path: 'docs/guides/start.md' })
    expect(start.text).toBe(sidebars.replace("      link: {type: 'doc', id: 'guides/start'},\n", ''))
  })

  it('adds behind a page, at the end of a group by its path, and as the first of a group', async () => {
    const add = async (input: object) =>
      (await edited(tree, 'sidebars.ts', 'add_to_navigation', { path: 'docs/guides/new.md', ...input })).text
    expect(await add({ after: 'docs/01-intro.md' })).toBe(
      sidebars.replace("'intro', // first\n", "'intro', // first\n    'guides/new',\n"),
    )
    expect(await add({ group: 'docs > GUIDES' })).toBe(
      sidebars.replace(
        "label: 'Use'}]",
        "label: 'Use'}, {type: 'doc', id: 'guides/new', label: 'It\\'s new'}]",
      ),
    )
    expect(await add({ after: 'docs/guides/start.md' })).toBe(
      sidebars.replace("['guides/setup'", "['guides/new', 'guides/setup'"),
    )
    expect(await add({ group: 'Short' })).toBe(
      sidebars.replace("require('./more')]", "require('./more'), 'guides/new']"),
    )
  })

  it('keeps JSON sidebars of older versions valid, with their line ends', async () => {
    const json =
      '{\r\n  "docs": {\r\n    "Start": [\r\n      "version-1.0/a",\r\n      "b"\r\n    ]\r\n  }\r\n}\r\n'
    const versioned: Tree = {
      ...tree,
      'versions.json': '["1.0"]',
      'versioned_sidebars/version-1.0-sidebars.json': json,
      'versioned_docs/version-1.0/a.md': '# a\n',
      'versioned_docs/version-1.0/b.md': '# b\n',
      'versioned_docs/version-1.0/c.md': '# c\n',
    }
    const path = 'versioned_sidebars/version-1.0-sidebars.json'
    const run = (name: string, input: object) => edited(versioned, path, name, input)
    expect((await run('delete_page', { path: 'versioned_docs/version-1.0/b.md' })).text).toBe(
      json.replace('a",\r\n      "b"', 'a"'),
    )
    expect((await run('add_to_navigation', { path: 'versioned_docs/version-1.0/c.md' })).text).toBe(
      json.replace('"b"', '"b",\r\n      "c"'),
    )
    const moved = { from: 'versioned_docs/version-1.0/a.md', to: 'versioned_docs/version-1.0/x/a.md' }
    expect((await run('move_page', moved)).text).toBe(json.replace('1.0/a', '1.0/x/a'))
  })

  it('leaves folders alone that make their own navigation', async () => {
    const made = {
      ...tree,
      'sidebars.ts': "export default { docs: [{type: 'autogenerated', dirName: '.'}] }\n",
    }
    const { output } = await edited(made, 'sidebars.ts', 'add_to_navigation', { path: 'docs/guides/new.md' })
    expect(output).toMatchObject({ changed: [], note: expect.any(String) })
  })
})

describe('VitePress', () => {
  const config = `import { defineConfig, type DefaultTheme } from 'vitepress'
import { api } from './api'

export default withPlugin(defineConfig<DefaultTheme.Config>({
  themeConfig: {
    nav: [{ text: 'Guide', link: '/guide/a' }],
    sidebar: { '/guide/': { base: '/guide/', items: guide() }, '/api/': api },
  },
}))

function guide(): DefaultTheme.SidebarItem[] {
  return [
    {
      text: 'Basics',
      items: [
        { text: 'A', link: 'a' },
        { text: 'B', link: 'b.md#top' }
      ]
    }
  ]
}
`
  const api =
    'export const api = [{ text: "Calls", link: \'/api/\', items: [{ text: `C`, link: `/api/c.html` }] }]\n'
  const tree: Tree = {
    '.vitepress/config.mts': config,
    '.vitepress/api.ts': api,
    'guide/a.md': '# A\n',
    'guide/b.md': '# B\n',
    'guide/n.md': '# <b>&\n',
    'api/index.md': '# Calls\n',
    'api/c.md': '# C\n',
  }
  const main = '.vitepress/config.mts'

  it('follows functions and imports, and keeps the way each link is written', async () => {
    const { call, diff } = await openTree(tree)
    const output = await call('move_page', { from: 'guide/b.md', to: 'guide/deep/b.md' })
    expect(output).not.toHaveProperty('notUpdated')
    await call('move_page', { from: 'guide/a.md', to: 'guide/z.md' })
    await call('move_page', { from: 'api/c.md', to: 'calls/c.md' })
    expect(await diff()).toMatchObject({
      [main]: [
        "-    nav: [{ text: 'Guide', link: '/guide/a' }],\n",
        "+    nav: [{ text: 'Guide', link: '/guide/z' }],\n",
        "-        { text: 'A', link: 'a' },\n",
        "-        { text: 'B', link: 'b.md#top' }\n",
        "+        { text: 'A', link: 'z' },\n",
        "+        { text: 'B', link: 'deep/b.md#top' }\n",
      ],
      '.vitepress/api.ts': [`-${api}`, `+${api.replace('/api/c.html', '/calls/c.html')}`],
    })
  })

  it('gives an entry its own base when the page leaves that of its list', async () => {
    const { text } = await edited(tree, main, 'move_page', { from: 'guide/a.md', to: 'start/a.md' })
    expect(text).toContain("{ text: 'A', link: 'start/a', base: '/' },\n")
  })

  it('adds with the title as a label that cannot be HTML, and takes out', async () => {
    const added = await edited(tree, main, 'add_to_navigation', { path: 'guide/n.md' })
    expect(added.text).toBe(
      config.replace("'b.md#top' }\n", "'b.md#top' },\n        { text: '&lt;b&gt;&amp;', link: 'n.md' }\n"),
    )
    const removed = await edited(tree, main, 'delete_page', { path: 'guide/b.md' })
    expect(removed.text).toBe(config.replace(",\n        { text: 'B', link: 'b.md#top' }", ''))
    const group = await edited(tree, '.vitepress/api.ts', 'delete_page', { path: 'api/index.md' })
    expect(group.text).toBe(api.replace(", link: '/api/'", ''))
  })
})

describe('Starlight', () => {
  const config = `import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';

export default defineConfig({
\tredirects: {
\t\t'/old': '/en/guides/a',
\t},
\tintegrations: [
\t\tmaybe(starlight({
\t\t\tdefaultLocale: 'en',
\t\t\tlocales: { en: { label: 'English' }, fr: { label: 'Français' } },
\t\t\tsidebar: [
\t\t\t\t'index',
\t\t\t\t{
\t\t\t\t\tlabel: 'Guides',
\t\t\t\t\titems: [
\t\t\t\t\t\t'guides/a',
\t\t\t\t\t\t{ label: 'B', link: '/guides/b/', translations: { fr: 'Bé' } },
\t\t\t\t\t],
\t\t\t\t},
\t\t\t\tgroup('tools', { items: ['tools/x'] }),
\t\t\t],
\t\t})),
\t],
});
`
  const page = '---\ntitle: Page\n---\n'
  const tree: Tree = Object.fromEntries(
    ['index', 'guides/a', 'guides/b', 'tools/x', 'tools/y'].flatMap((name) => [
      [`src/content/docs/en/${name}.md`, page],
      [`src/content/docs/fr/${name}.md`, page],
    ]),
  )
  tree['astro.config.mjs'] = config
  const docs = 'src/content/docs'
  const run = (name: string, input: object) => edited(tree, 'astro.config.mjs', name, input)

  it('moves what the main language names, and redirects', async () => {
    const { text } = await run('move_page', { from: `${docs}/en/guides/a.md`, to: `${docs}/en/start/a.md` })
    expect(text).toBe(
      config
        .replace(
          "'/old': '/en/guides/a',\n",
          "'/old': '/en/start/a',\n\t\t'/en/guides/a': '/en/start/a',\n\t\t'/fr/guides/a': '/fr/start/a',\n",
        )
        .replace("\t'guides/a',", "\t'start/a',"),
    )
    const translated = await run('move_page', {
      from: `${docs}/fr/guides/b.md`,
      to: `${docs}/fr/guides/c.md`,
    })
    // It has to have the path of its original.
    expect(translated.text).toBe(config)
  })

  it('adds and removes entries, in what is given to a function too', async () => {
    const added = await run('add_to_navigation', { path: `${docs}/en/tools/y.md`, group: 'tools' })
    expect(added.text).toBe(config.replace("['tools/x']", "['tools/x', 'tools/y']"))
    const behind = await run('add_to_navigation', {
      path: `${docs}/en/tools/y.md`,
      after: `${docs}/en/guides/b.md`,
    })
    expect(behind.text).toContain(
      "'Bé' } },\n\t\t\t\t\t\t{ label: 'Page', link: '/tools/y/' },\n\t\t\t\t\t],",
    )
    const removed = await run('delete_page', { path: `${docs}/en/tools/x.md` })
    expect(removed.text).toBe(config.replace("['tools/x']", '[]'))
  })
})

it('says nothing of entries that code computes, and survives code that cannot be read', async () => {
  for (const source of [
    'export default {',
    `export default ${'['.repeat(100_000)}`,
    'type A = B<'.repeat(5000),
    '',
  ]) {
    const { call } = await openTree({ '.vitepress/config.ts': source, 'a.md': '# A\n' })
    expect(await call('add_to_navigation', { path: 'a.md' })).toMatchObject({
      changed: [],
      note: expect.any(String),
    })
    expect(await call('list_pages', {})).toMatchObject({ pages: [{ path: 'a.md', inNavigation: true }] })
  }
})

it('ends, whatever brings whatever in', async () => {
  const spread = (index: number) =>
    `const a${index} = { ...a${index + 1}, ...a${index + 1}, ...a${index + 1} };`
  const doubled = (index: number) => `const l${index} = [...l${index + 1}, ...l${index + 1}];`
  const many = Array.from({ length: 40 }, (_, index) => `${spread(index)} ${doubled(index)}`).join('\n')
  const sources = [
    `${many}\nexport default { themeConfig: a0 }`,
    `${many}\nexport default { themeConfig: { sidebar: a0, nav: l0 } }`,
    `${many}\nexport default { themeConfig: { sidebar: l0 } }`,
    'const a = { ...a, b: a }; export default a',
    'const a = { ...a }; export default { themeConfig: { sidebar: a } }',
    'const a = [...a, { items: a }]; export default { themeConfig: { sidebar: a, nav: a } }',
    `export default ${'f('.repeat(50)}${'x(g,g,g,g,g,g,g,g),'.repeat(50)}1${')'.repeat(50)}`,
    "export { default } from './config.ts'",
  ]
  for (const source of sources) {
    const { call } = await openTree({ '.vitepress/config.ts': source, 'a.md': '# A\n' })
    expect(await call('list_pages', {})).toMatchObject({ pages: [{ path: 'a.md', inNavigation: true }] })
  }
})

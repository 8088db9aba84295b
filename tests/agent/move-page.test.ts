import { describe, expect, it } from 'vitest'
import { openTree } from './open-tree.ts'

const page = (title: string, body: string) => `---\ntitle: ${title}\n---\n\n${body}\n`

describe('move_page on Mintlify', () => {
  const tree = {
    'docs.json': `{
  "name": "Acme",
  "navigation": {
    "tabs": [
      {
        "tab": "Docs",
        "groups": [
          { "group": "Start", "pages": ["index", "guides/install"] },
          {
            "group": "More",
            "pages": [
              "guides/usage",
              { "group": "Nested", "root": "guides/deep/index", "pages": ["guides/deep/one"] }
            ]
          }
        ]
      }
    ]
  },
  "navbar": { "links": [{ "label": "Install", "href": "/guides/install#linux" }] }
}
`,
    'index.mdx': page(
      'Home',
      'See [install](/guides/install#linux) and <Card title="I" href="/guides/install">x</Card>.\n\n[ref]: /guides/install "Install"',
    ),
    'guides/install.mdx': page(
      'Install',
      '## Linux\n\nSee [usage](./usage), [usage](/guides/usage) and [here](#linux).\n\n![Shot](../images/a.png)',
    ),
    'guides/usage.mdx': page(
      'Usage',
      'After [installing](./install#linux) or [so](install).\n\n```md\n[in code](/guides/install)\n```',
    ),
    'guides/deep/index.mdx': page('Deep', 'Up to [install](../install).'),
    'guides/deep/one.mdx': page('One', 'Nothing.'),
    'images/a.png': 'png',
  }

  it('changes links, navigation, address bar and redirects, and nothing else', async () => {
    const { call, diff, text } = await openTree(tree)
    expect(await call('move_page', { from: 'guides/install.mdx', to: 'start/setup.mdx' })).toEqual({
      from: 'guides/install.mdx',
      to: 'start/setup.mdx',
      changed: ['docs.json', 'guides/deep/index.mdx', 'guides/usage.mdx', 'index.mdx'],
      redirect: true,
    })
    expect(await diff()).toEqual({
      'docs.json': [
        '-          { "group": "Start", "pages": ["index", "guides/install"] },\n',
        '+          { "group": "Start", "pages": ["index", "start/setup"] },\n',
        '-  "navbar": { "links": [{ "label": "Install", "href": "/guides/install#linux" }] }\n',
        '+  "navbar": { "links": [{ "label": "Install", "href": "/start/setup#linux" }] },\n',
        '+  "redirects": [\n',
        '+    {\n',
        '+      "source": "/guides/install",\n',
        '+      "destination": "/start/setup"\n',
        '+    }\n',
        '+  ]\n',
      ],
      'guides/deep/index.mdx': ['-Up to [install](../install).\n', '+Up to [install](../../start/setup).\n'],
      'guides/install.mdx': 'removed',
      'guides/usage.mdx': [
        '-After [installing](./install#linux) or [so](install).\n',
        '+After [installing](../start/setup#linux) or [so](../start/setup).\n',
      ],
      'index.mdx': [
        '-See [install](/guides/install#linux) and <Card title="I" href="/guides/install">x</Card>.\n',
        '+See [install](/start/setup#linux) and <Card title="I" href="/start/setup">x</Card>.\n',
        '-[ref]: /guides/install "Install"\n',
        '+[ref]: /start/setup "Install"\n',
      ],
      'start/setup.mdx': 'added',
    })
    expect(await text('start/setup.mdx')).toBe(
      page(
        'Install',
        '## Linux\n\nSee [usage](../guides/usage), [usage](/guides/usage) and [here](#linux).\n\n![Shot](../images/a.png)',
      ),
    )
    expect(await call('check', {})).toMatchObject({ problems: [], total: 0 })
  })

  it('leaves one redirect behind, and none when the page is back', async () => {
    const { call, diff, text } = await openTree(tree)
    await call('move_page', { from: 'guides/install.mdx', to: 'start/setup.mdx' })
    await call('move_page', { from: 'start/setup.mdx', to: 'start/begin.mdx' })
    const redirects = async () => JSON.parse((await text('docs.json')) ?? '').redirects
    // Nobody has seen the address in between.
    expect(await redirects()).toEqual([{ source: '/guides/install', destination: '/start/begin' }])
    await call('move_page', { from: 'start/begin.mdx', to: 'guides/install.mdx' })
    expect(await diff()).toEqual({})
  })

  it('restores every byte when a page is moved back, beside other changes too', async () => {
    const { call, diff } = await openTree(tree)
    await call('move_page', { from: 'guides/install.mdx', to: 'start/setup.mdx' })
    await call('move_page', { from: '/start/setup', to: 'guides/install.mdx' })
    expect(await diff()).toEqual({})
    await call('move_page', { from: 'guides', to: 'start' })
    await call('set_front_matter', { path: 'start/usage.mdx', fields: { title: 'Use' } })
    await call('move_page', { from: 'start', to: 'guides' })
    expect(await diff()).toEqual({ 'guides/usage.mdx': ['-title: Usage\n', '+title: Use\n'] })
  })

  it('moves a page back that an earlier turn of the job has moved, without a redirect', async () => {
    const config = (page: string, redirects: object[]) =>
      `${JSON.stringify({ navigation: { pages: ['index', page] }, redirects }, null, 2)}\n`
    const moved = {
      'docs.json': config('start/setup', [{ source: '/guides/install', destination: '/start/setup' }]),
      'index.mdx': page('Home', '[install](/start/setup)'),
      'start/setup.mdx': page('Install', 'x'),
    }
    const { call, text } = await openTree(moved, { unpublished: ['start/setup.mdx'] })
    await call('move_page', { from: 'start/setup.mdx', to: 'guides/install.mdx' })
    expect(await text('docs.json')).toBe(config('guides/install', []))
    expect(await text('index.mdx')).toBe(page('Home', '[install](/guides/install)'))
    // One that readers know is redirected.
    const other = await openTree(moved)
    await other.call('move_page', { from: 'start/setup.mdx', to: 'guides/install.mdx' })
    expect(JSON.parse((await other.text('docs.json')) ?? '').redirects).toEqual([
      { source: '/start/setup', destination: '/guides/install' },
    ])
  })

  it('moves a folder with one redirect for each page', async () => {
    const { call, text } = await openTree(tree)
    expect(await call('move_page', { from: './guides/', to: 'start' })).toMatchObject({
      moved: expect.arrayContaining([{ from: 'guides/deep/one.mdx', to: 'start/deep/one.mdx' }]),
      redirects: 4,
    })
    expect(JSON.parse((await text('docs.json')) ?? '').redirects).toEqual(
      ['/deep', '/deep/one', '/install', '/usage'].map((name) => ({
        source: `/guides${name}`,
        destination: `/start${name}`,
      })),
    )
    expect(await text('docs.json')).toContain('"root": "start/deep/index", "pages": ["start/deep/one"]')
    expect(await text('start/usage.mdx')).toBe(tree['guides/usage.mdx'])
    expect(await text('index.mdx')).toContain('[install](/start/install#linux)')
    expect(await call('check', {})).toMatchObject({ problems: [], total: 0, broken: 0 })
  })

  it('moves a folder with its index page, whose address is that of the folder', async () => {
    const { call } = await openTree(tree)
    const pairs = ['index', 'one'].map((name) => ({
      from: `guides/deep/${name}.mdx`,
      to: `start/deep/${name}.mdx`,
    }))
    expect(await call('move_page', { from: 'guides/deep', to: 'start/deep' })).toMatchObject({ moved: pairs })
    for (const [from, to] of [
      ['/guides/deep', 'start/deep'],
      ['guides/deep', 'start/deep.mdx'],
    ])
      expect(await (await openTree(tree)).call('move_page', { from, to })).toMatchObject({
        from: 'guides/deep/index.mdx',
        to: 'start/deep.mdx',
      })
    const beside = await openTree({ ...tree, 'guides/deep.mdx': '# Deep\n' })
    expect(await beside.call('move_page', { from: 'guides/deep/', to: 'start/deep' })).toMatchObject({
      moved: pairs,
    })
  })

  it('leaves the files of a folder that may not be changed where they are, and links to them follow', async () => {
    const { call, text } = await openTree({
      ...tree,
      'guides/deep/one.mdx': page('One', '![x](pictures/x.png)'),
      'guides/deep/pictures/x.png': 'x',
    })
    expect(await call('move_page', { from: 'guides/deep', to: 'start/deep' })).toMatchObject({
      moved: [{ to: 'start/deep/index.mdx' }, { to: 'start/deep/one.mdx' }],
      stayed: ['guides/deep/pictures/x.png'],
    })
    expect(await text('start/deep/one.mdx')).toContain('](../../guides/deep/pictures/x.png)')
  })

  it("moves a group's own page", async () => {
    const { call, text } = await openTree(tree)
    await call('move_page', { from: 'guides/deep/index.mdx', to: 'guides/overview.mdx' })
    expect(await text('docs.json')).toContain('"root": "guides/overview", "pages"')
    expect(await text('guides/overview.mdx')).toContain('[install](install)')
  })

  it('follows navigation and redirects into the files that they refer to, with their own layout', async () => {
    const config =
      '{\r\n\t"navigation": { "$ref": "./nav.json" },\r\n\t"redirects": { "$ref": "./redirects.json" }\r\n}\r\n'
    const { call, diff } = await openTree({
      ...tree,
      'docs.json': config,
      'nav.json':
        '{\r\n\t"groups": [\r\n\t\t{\r\n\t\t\t"group": "A",\r\n\t\t\t"pages": [\r\n\t\t\t\t"/guides/install",\r\n\t\t\t\t"index"\r\n\t\t\t]\r\n\t\t}\r\n\t]\r\n}',
      'redirects.json': '[\r\n\t{ "source": "/old", "destination": "/guides/install#linux" }\r\n]\r\n',
    })
    await call('move_page', { from: 'guides/install.mdx', to: 'guides/setup.mdx' })
    const changes = await diff()
    expect(changes['docs.json']).toBeUndefined()
    expect(changes['nav.json']).toEqual(['-\t\t\t\t"/guides/install",\r\n', '+\t\t\t\t"/guides/setup",\r\n'])
    expect(changes['redirects.json']).toEqual([
      '-\t{ "source": "/old", "destination": "/guides/install#linux" }\r\n',
      '+\t{ "source": "/old", "destination": "/guides/setup#linux" },\r\n',
      '+\t{ "source": "/guides/install", "destination": "/guides/setup" }\r\n',
    ])
  })

  it('keeps the imports of the page and of the pages that import it', async () => {
    const { call, text } = await openTree({
      ...tree,
      'guides/install.mdx':
        "import A from '../parts/a.mdx'\nimport {\n  B,\n} from './b.jsx'\n\n# Install\n\n```js\nimport A from '../parts/a.mdx'\n```\n",
      'guides/b.jsx': '',
      'parts/a.mdx': 'a',
      'index.mdx': "import Install from './guides/install.mdx'\n\n<Install />\n",
    })
    await call('move_page', { from: 'guides/install.mdx', to: 'install.mdx' })
    expect(await text('install.mdx')).toBe(
      "import A from './parts/a.mdx'\nimport {\n  B,\n} from './guides/b.jsx'\n\n# Install\n\n```js\nimport A from '../parts/a.mdx'\n```\n",
    )
    expect(await text('index.mdx')).toBe("import Install from './install.mdx'\n\n<Install />\n")
  })
})

describe('move_page on MkDocs', () => {
  const config = `site_name: Acme # ours
nav:
  - Home: index.md
  - Guides:
      # the first
      - Install: 'guides/install.md'
      - guides/usage.md
plugins:
  - search
markdown_extensions:
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
extra:
  key: !ENV [KEY, none]
`
  const tree = {
    'mkdocs.yml': config,
    'docs/index.md': '# Home\n\n[Install](guides/install.md#linux), ![x](img/a.png)\n',
    'docs/guides/install.md': '# Install\n\n## Linux\n\n[Usage](usage.md) ![x](../img/a.png)\n',
    'docs/guides/usage.md': '# Usage\n\n[a]: install.md\n[Install][a] <a href="../install/">x</a>\n',
    'docs/img/a.png': 'png',
  }

  it('edits the nav in place and leaves comments and tags alone', async () => {
    const { call, diff, text } = await openTree(tree, { root: 'docs' })
    const moved = await call('move_page', { from: 'docs/guides/install.md', to: 'docs/setup.md' })
    // The root of this project is docs/, but mkdocs.yml is the site's own configuration.
    expect(moved).toMatchObject({
      changed: ['docs/guides/usage.md', 'docs/index.md', 'mkdocs.yml'],
      redirect: false,
    })
    expect(await diff()).toMatchObject({
      'mkdocs.yml': ["-      - Install: 'guides/install.md'\n", "+      - Install: 'setup.md'\n"],
      'docs/index.md': [
        '-[Install](guides/install.md#linux), ![x](img/a.png)\n',
        '+[Install](setup.md#linux), ![x](img/a.png)\n',
      ],
      'docs/guides/usage.md': [
        '-[a]: install.md\n',
        '-[Install][a] <a href="../install/">x</a>\n',
        '+[a]: ../setup.md\n',
        '+[Install][a] <a href="../../setup/">x</a>\n',
      ],
    })
    expect(await text('docs/setup.md')).toBe(
      '# Install\n\n## Linux\n\n[Usage](guides/usage.md) ![x](img/a.png)\n',
    )
  })

  it('adds a redirect where the plugin is configured, in each form of its configuration', async () => {
    const forms = [
      ['  - redirects\n', '  - redirects:\n      redirect_maps:\n        guides/install.md: setup.md\n'],
      ['  - redirects:\n', '  - redirects:\n      redirect_maps:\n        guides/install.md: setup.md\n'],
      [
        '  - redirects:\n      redirect_maps:\n',
        '  - redirects:\n      redirect_maps:\n        guides/install.md: setup.md\n',
      ],
      [
        "  - redirects:\n      redirect_maps:\n          'old.md': 'guides/install.md#x'  # kept\n",
        "  - redirects:\n      redirect_maps:\n          'old.md': 'setup.md#x'  # kept\n          'guides/install.md': 'setup.md'\n",
      ],
      [
        '  - redirects:\n      redirect_maps:\n        setup.md: guides/install.md\n',
        '  - redirects:\n      redirect_maps:\n        guides/install.md: setup.md\n',
      ],
      [
        '  - redirects:\n      redirect_maps: {a.md: b.md}\n',
        '  - redirects:\n      redirect_maps: {a.md: b.md, guides/install.md: setup.md}\n',
      ],
    ]
    for (const [before = '', after = ''] of forms) {
      const source = config.replace('  - search\n', `  - search\n${before}`)
      const { call, text } = await openTree({ ...tree, 'mkdocs.yml': source })
      expect(await call('move_page', { from: 'docs/guides/install.md', to: 'docs/setup.md' })).toMatchObject({
        redirect: true,
      })
      expect(await text('mkdocs.yml')).toBe(
        source.replace(before, after).replace("Install: 'guides/install.md'", "Install: 'setup.md'"),
      )
    }
  })
})

it('move_page makes no new problem of a link to a heading that was not there before', async () => {
  const { call } = await openTree({
    'mkdocs.yml': 'site_name: S\n',
    'docs/index.md': '# S\n\n[x](more/a.md#nowhere) [y](more/a.md#one)\n',
    'docs/more/a.md': '# A\n\n## One\n\n[own](#nothing) [b](b.md#none)\n',
    'docs/more/b.md': '# B\n',
  })
  await call('move_page', { from: 'docs/more', to: 'docs/advanced' })
  const { problems } = await call('check', { onlyNew: true })
  expect(Array.isArray(problems) && problems.filter(({ severity }) => severity === undefined)).toEqual([])
})

it('move_page moves a folder with the page that holds the navigation of the others', async () => {
  const contents = (folder: string) =>
    `# Parts\n\n[t](types.md)\n\n\`\`\`{toctree}\n${folder}\none.md\nsub/two.md\n\`\`\`\n`
  const { call, text, workspace } = await openTree({
    'docs/conf.py': "extensions = ['myst_parser']\n",
    'docs/index.md': '# S\n\n```{toctree}\nsyntax/parts\n```\n',
    'docs/syntax/parts.md': contents('a.md'),
    ...Object.fromEntries(
      ['a', 'one', 'sub/two', 'types'].map((name) => [`docs/syntax/${name}.md`, '# P\n']),
    ),
  })
  await call('move_page', { from: 'docs/syntax', to: 'docs/writing' })
  expect(workspace.has('docs/syntax/parts.md')).toBe(false)
  expect(await text('docs/writing/parts.md')).toBe(contents('a.md'))
  expect(await text('docs/index.md')).toContain('\nwriting/parts\n')
})

describe('move_page on frameworks whose navigation is code or folders', () => {
  it('Docusaurus: keeps file links, addresses and slugs', async () => {
    const { call, text, diff } = await openTree({
      'docusaurus.config.js': "module.exports = { baseUrl: '/', presets: [['classic', { docs: {} }]] }\n",
      'sidebars.js': "module.exports = { docs: ['guides/install'] }\n",
      'docs/intro.md': '[a](./guides/install.md#x) [b](/docs/guides/install) [c](guides/install)\n',
      'docs/guides/install.md':
        '---\nid: install\n---\n## X\n\n[Intro](../intro.md) [fixed](/docs/fixed-place)\n',
      'docs/guides/fixed.md': '---\nslug: /fixed-place\n---\n[i](install.md)\n',
    })
    const output = await call('move_page', { from: 'docs/guides/install.md', to: 'docs/setup.md' })
    expect(output).toMatchObject({ changed: ['docs/guides/fixed.md', 'docs/intro.md'], redirect: false })
    // The id that the page gives itself stays, and so does the last part of its address.
    expect(await text('docs/intro.md')).toBe('[a](./setup.md#x) [b](/docs/install) [c](install)\n')
    expect(await text('docs/guides/fixed.md')).toBe('---\nslug: /fixed-place\n---\n[i](../setup.md)\n')
    expect(await text('docs/setup.md')).toBe(
      '---\nid: install\n---\n## X\n\n[Intro](intro.md) [fixed](/docs/fixed-place)\n',
    )
    expect((await diff())['sidebars.js']).toBeUndefined()
  })

  it('VitePress: keeps the ways in which links are written', async () => {
    const { call, text } = await openTree({
      '.vitepress/config.ts': "export default { title: 'x' }\n",
      'index.md':
        '[a](/guide/install) [b](./guide/install.md) [c](/guide/install.html#x) [d](guide/install)\n',
      'guide/install.md': '## X\n\n[home](../index.md) [e](./usage)\n\n<!--@include: ./part.md-->\n',
      'guide/usage.md': 'x\n',
      'guide/part.md': 'x\n',
    })
    expect(await call('move_page', { from: 'guide/install.md', to: 'setup' })).toMatchObject({
      to: 'setup.md',
      redirect: false,
    })
    expect(await text('index.md')).toBe('[a](/setup) [b](./setup.md) [c](/setup.html#x) [d](setup)\n')
    expect(await text('setup.md')).toBe(
      '## X\n\n[home](index.md) [e](./guide/usage)\n\n<!--@include: ./guide/part.md-->\n',
    )
  })

  it.each([
    [
      'mdBook',
      { 'book.toml': '', 'src/SUMMARY.md': '[A](a.md)\n' },
      'src/',
      '{{#include part.md:2:}}\n\n```rust\n{{#rustdoc_include ../listings/main.rs:here}}\n```\n\n\\{{#include part.md}}\n',
      '{{#include ../part.md:2:}}\n\n```rust\n{{#rustdoc_include ../../listings/main.rs:here}}\n```\n\n\\{{#include part.md}}\n',
    ],
    [
      'MyST',
      { 'conf.py': 'extensions = ["myst_parser"]\n', 'index.md': '# Home\n' },
      '',
      '```{include} part.md\n:start-line: 1\n```\n\n:::{literalinclude} listings/main.rs\n:::\n',
      '```{include} ../part.md\n:start-line: 1\n```\n\n:::{literalinclude} ../listings/main.rs\n:::\n',
    ],
    [
      'MkDocs',
      { 'mkdocs.yml': '' },
      'docs/',
      '{%\n  include-markdown "./part.md"\n%}\n\n{% include-markdown "part.md" %}\n',
      '{%\n  include-markdown "../part.md"\n%}\n\n{% include-markdown "part.md" %}\n',
    ],
  ])(
    '%s: files that a page includes are found from its new place',
    async (_, config, folder, body, moved) => {
      const { call, text } = await openTree({
        ...config,
        [`${folder}a.md`]: `# A\n\n${body}`,
        [`${folder}part.md`]: 'Part\n',
        [`${folder === 'src/' ? '' : folder}listings/main.rs`]: 'fn main() {}\n',
      })
      await call('move_page', { from: `${folder}a.md`, to: `${folder}deep/a.md` })
      expect(await text(`${folder}deep/a.md`)).toBe(`# A\n\n${moved}`)
    },
  )

  it('Starlight: a link to a translation that is missing stays in its language', async () => {
    const { call, text } = await openTree({
      'astro.config.mjs':
        "import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({ defaultLocale: 'en', locales: { en: { label: 'English' }, de: { label: 'Deutsch' } } })] }\n",
      'src/content/docs/en/index.mdx': '[a](/en/guides/images/#x)\n',
      'src/content/docs/en/guides/images.mdx': '## X\n',
      'src/content/docs/de/index.mdx': '[a](/de/guides/images/#x)\n',
    })
    await call('move_page', {
      from: 'src/content/docs/en/guides/images.mdx',
      to: 'src/content/docs/en/media/images.mdx',
    })
    expect(await text('src/content/docs/en/index.mdx')).toBe('[a](/en/media/images/#x)\n')
    expect(await text('src/content/docs/de/index.mdx')).toBe('[a](/de/media/images/#x)\n')
  })

  it('plain Markdown: keeps CRLF, byte order mark, a missing final newline and odd names', async () => {
    const { call, diff, text } = await openTree({
      'README.md':
        '\uFEFF# Home\r\n\r\n[Größe](gr%C3%B6%C3%9Fe.md) and [x](größe.md#a)\nmixed [y](./größe.md)\r\nend',
      'größe.md': '# Größe\r\n[home](README.md)',
      'odd\nname.md': '[g](größe.md)\n',
    })
    expect(await call('move_page', { from: 'größe.md', to: 'neu/größe neu.md' })).toMatchObject({
      changed: ['README.md', 'odd\nname.md'],
    })
    expect(await diff()).toMatchObject({
      'README.md': [
        '-[Größe](gr%C3%B6%C3%9Fe.md) and [x](größe.md#a)\n',
        '-mixed [y](./größe.md)\r\n',
        '+[Größe](neu/größe%20neu.md) and [x](neu/größe%20neu.md#a)\n',
        '+mixed [y](./neu/größe%20neu.md)\r\n',
      ],
    })
    expect(await text('neu/größe neu.md')).toBe('# Größe\r\n[home](../README.md)')
  })

  it('keeps the form of destinations with escapes and angle brackets', async () => {
    const { call, diff } = await openTree({
      'a.md': '[x](my\\_page.md#h) [y](<my_page.md>)\n\n[z]: <./odd \\(name.md>\n',
      'my_page.md': '# H\n',
      'odd (name.md': '# O\n',
    })
    await call('move_page', { from: 'my_page.md', to: 'sub/new_page.md' })
    await call('move_page', { from: 'odd (name.md', to: 'sub/odd (name.md' })
    expect((await diff())['a.md']).toEqual([
      '-[x](my\\_page.md#h) [y](<my_page.md>)\n',
      '+[x](sub/new\\_page.md#h) [y](<sub/new_page.md>)\n',
      '-[z]: <./odd \\(name.md>\n',
      '+[z]: <./sub/odd \\(name.md>\n',
    ])
  })

  it('moves a page whose name holds a line end', async () => {
    const { call, text } = await openTree({ 'a.md': '[o](odd%0Aname.md)\n', 'odd\nname.md': 'x\n' })
    expect(await call('move_page', { from: 'odd\nname.md', to: 'even.md' })).toMatchObject({
      changed: ['a.md'],
    })
    expect(await text('a.md')).toBe('[o](even.md)\n')
  })

  it('renames a page in case only', async () => {
    const { call, text, diff } = await openTree({ 'a.md': '[i](Install.md)\n', 'Install.md': '[a](a.md)\n' })
    expect(await call('move_page', { from: 'Install.md', to: 'install.md' })).toMatchObject({
      changed: ['a.md'],
    })
    expect(await text('a.md')).toBe('[i](install.md)\n')
    expect(await diff()).toMatchObject({ 'Install.md': 'removed', 'install.md': 'added' })
  })

  it('changes nothing at all when it fails', async () => {
    const { call, workspace } = await openTree({
      'a.md': '[b](b.md)\n',
      'b.md': 'b\n',
      link: { mode: '120000', content: 'a.md' },
    })
    for (const [from, to, code] of [
      ['a.md', 'b.md', 'exists'],
      ['a.md', '../b.md', 'invalid_path'],
      ['a.md', '.git/b.md', 'invalid_path'],
      ['a.md', '.github/b.md', 'forbidden'],
      ['a.md', 'link/b.md', 'invalid_path'],
      ['link', 'c.md', 'not_a_file'],
      ['c.md', 'd.md', 'not_found'],
      ['a.md', 'a.md', 'invalid'],
      ['a.md', 'B.md', 'invalid_path'],
    ]) {
      expect(await call('move_page', { from, to })).toMatchObject({ error: { code } })
      expect(workspace.changes()).toEqual([])
    }
  })
})

it('move_page rewrites definitions at any depth, and names of files of which the generator alone makes nothing, but nothing in code', async () => {
  const { call, diff } = await openTree({
    'astro.config.mjs':
      "import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({})] }",
    'src/content/docs/old.md': page('Old', 'Text.'),
    'src/content/docs/a.md': page(
      'A',
      '[x](old.md) [r]\n\n> - [r]: /old/\n\n- item\n\n      [code](/old/)\n\n  [unused]: /old/\n\n```md\n[code](/old/)\n```',
    ),
  })
  await call('move_page', { from: 'src/content/docs/old.md', to: 'src/content/docs/g/new.md' })
  expect((await diff())['src/content/docs/a.md']).toEqual([
    '-[x](old.md) [r]\n',
    '+[x](g/new.md) [r]\n',
    '-> - [r]: /old/\n',
    '+> - [r]: /g/new/\n',
    '-  [unused]: /old/\n',
    '+  [unused]: /g/new/\n',
  ])
})

import { describe, expect, it } from 'vitest'
import { checkChanges, pathViolation } from '../../src/features/agent/policy/check-changes.ts'
import { openBaseSite } from '../../src/features/agent/policy/base-site.ts'
import { checkContent } from '../../src/features/agent/policy/check-content.ts'
import { openTree, type Tree } from './open-tree.ts'

const title = (text: string) => `# ${text}\n`

/** What a call changes, all of which the policy has to let through. */
async function after(tree: Tree, name: string, input: object) {
  const opened = await openTree(tree)
  const output = await opened.call(name, input)
  const { configPaths, navigationFiles, openKeys } = await opened.baseView.site()
  const differences = await opened.workspace.differences()
  const base = await openBaseSite(opened.workspace, opened.baseView)
  const scope = { root: '', configPaths, navigationFiles, openKeys }
  expect([...checkChanges(differences, scope), ...(await checkContent(differences, base))]).toEqual([])
  return { output, changes: await opened.diff(), text: opened.text }
}

const add = async (tree: Tree, input: object) => (await after(tree, 'add_to_navigation', input)).changes
const move = async (tree: Tree, from: string, to: string) =>
  (await after(tree, 'move_page', { from, to })).changes
const remove = async (tree: Tree, path: string) => (await after(tree, 'delete_page', { path })).changes

describe('mdBook', () => {
  const book = {
    'book.toml':
      '[book]\ntitle = "x" # kept\n\n[output.html.redirect]\n"/first.html" = "guide/b.html"\n\n[output.html.search]\nlimit = 1\n',
    'src/SUMMARY.md':
      '# Summary\r\n\r\n[Intro](README.md)\r\n\r\n# Guide\r\n\r\n- [Start](guide/README.md)\r\n    - [A](guide/a.md)\r\n    - [B](./guide/b.md)\r\n        - [Deep](guide/deep.md)\r\n- [Draft]()\r\n\r\n---\r\n\r\n[Thanks](thanks.md)\r\n',
    'src/README.md': title('Intro'),
    'src/guide/README.md': '[B](b.md#x) and [C](c.md)\n',
    'src/guide/a.md': title('A'),
    'src/guide/b.md': title('B'),
    'src/guide/c.md': title('C [x]'),
    'src/guide/deep.md': '[B](b.html)\n',
    'src/thanks.md': title('Thanks'),
  }

  it('adds a page in the layout of its neighbours, line ends included', async () => {
    expect(await add(book, { path: 'src/guide/c.md', after: 'src/guide/a.md' })).toEqual({
      'src/SUMMARY.md': ['+    - [C \\[x\\]](guide/c.md)\r\n'],
    })
    expect(await add(book, { path: 'src/guide/c.md', group: 'Guide' })).toEqual({
      'src/SUMMARY.md': ['+- [C \\[x\\]](guide/c.md)\r\n'],
    })
    expect(await add(book, { path: 'src/guide/c.md', after: 'src/thanks.md' })).toEqual({
      'src/SUMMARY.md': ['+[C \\[x\\]](guide/c.md)\r\n'],
    })
  })

  it('moves a page with its entry once, the links to it and a redirect', async () => {
    expect(await move(book, 'src/guide/b.md', 'src/use/b.md')).toEqual({
      'book.toml': [
        '-"/first.html" = "guide/b.html"\n',
        '+"/first.html" = "use/b.html"\n',
        '+"/guide/b.html" = "../use/b.html"\n',
      ],
      'src/SUMMARY.md': ['-    - [B](./guide/b.md)\r\n', '+    - [B](./use/b.md)\r\n'],
      'src/guide/README.md': ['-[B](b.md#x) and [C](c.md)\n', '+[B](../use/b.md#x) and [C](c.md)\n'],
      'src/guide/deep.md': ['-[B](b.html)\n', '+[B](../use/b.html)\n'],
      'src/guide/b.md': 'removed',
      'src/use/b.md': 'added',
    })
  })

  it('removes a page and leaves those below it in its place', async () => {
    expect(await remove(book, 'src/guide/b.md')).toEqual({
      'src/SUMMARY.md': [
        '-    - [B](./guide/b.md)\r\n',
        '-        - [Deep](guide/deep.md)\r\n',
        '+    - [Deep](guide/deep.md)\r\n',
      ],
      'src/guide/b.md': 'removed',
    })
    const { output } = await after(book, 'delete_page', { path: 'src/guide/b.md' })
    expect(output['inboundLinks']).toEqual([
      { path: 'src/guide/README.md', line: 1, href: 'b.md#x' },
      { path: 'src/guide/deep.md', line: 1, href: 'b.html' },
    ])
  })

  it('lets nothing but the redirects of book.toml change', () => {
    const openKeys = new Map([['book.toml', ['output', 'html', 'redirect']]])
    const scope = { root: 'src', configPaths: ['book.toml'], openKeys }
    const changed = (text: string) =>
      checkChanges(
        [{ path: 'book.toml', before: Buffer.from(book['book.toml']), after: Buffer.from(text) }],
        scope,
      ).map(({ message }) => message)
    expect(changed(book['book.toml'].replace('guide/b', 'guide/c'))).toEqual([])
    expect(changed(`${book['book.toml']}[preprocessor.x]\ncommand = "sh"\n`)).toEqual([
      'Only output.html.redirect may be changed in it',
    ])
    expect(changed('[broken')).toHaveLength(1)
    expect(pathViolation('_config.yml', { root: '', configPaths: ['_config.yml'], openKeys })).toBeDefined()
    expect(pathViolation('.gitbook.yaml', { root: '', configPaths: [] })).toBeDefined()
  })
})

describe('GitBook', () => {
  const gitbook = {
    '.gitbook.yaml': 'root: ./docs/\n\n# former pages\nredirects:\n  help: use/b.md\n',
    'docs/SUMMARY.md':
      '# Table of contents\n\n* [Home](README.md)\n\n## Use\n\n* [A](use/a.md)\n  * [B](<use/b.md> "Bee")\n',
    'docs/README.md': '{% content-ref url="use/b.md" %}\n[b.md](use/b.md)\n{% endcontent-ref %}\n',
    'docs/use/a.md': title('A'),
    'docs/use/b.md': title('B'),
    'docs/use/c.md': title('C'),
  }

  it('adds, moves with a redirect, and removes a page', async () => {
    expect(await add(gitbook, { path: 'docs/use/c.md', group: 'Use' })).toEqual({
      'docs/SUMMARY.md': ['+* [C](use/c.md)\n'],
    })
    expect(await move(gitbook, 'docs/use/b.md', 'docs/more/README.md')).toEqual({
      '.gitbook.yaml': ['-  help: use/b.md\n', '+  help: more/README.md\n', '+  use/a/b: more/README.md\n'],
      'docs/SUMMARY.md': ['-  * [B](<use/b.md> "Bee")\n', '+  * [B](<more/README.md> "Bee")\n'],
      'docs/README.md': [
        '-{% content-ref url="use/b.md" %}\n',
        '-[b.md](use/b.md)\n',
        '+{% content-ref url="more/README.md" %}\n',
        '+[b.md](more/README.md)\n',
      ],
      'docs/use/b.md': 'removed',
      'docs/more/README.md': 'added',
    })
    expect((await remove(gitbook, 'docs/use/a.md'))['docs/SUMMARY.md']).toEqual([
      '-* [A](use/a.md)\n',
      '-  * [B](<use/b.md> "Bee")\n',
      '+* [B](<use/b.md> "Bee")\n',
    ])
  })

  it('writes no redirect for a file whose page keeps its address', async () => {
    expect(await move(gitbook, 'docs/use/b.md', 'docs/other/b.md')).toMatchObject({
      '.gitbook.yaml': ['-  help: use/b.md\n', '+  help: other/b.md\n'],
    })
  })

  it('writes no redirect where the site has none', async () => {
    const plain = { ...gitbook, '.gitbook.yaml': 'root: ./docs/\n' }
    expect(Object.keys(await move(plain, 'docs/use/b.md', 'docs/use/d.md'))).not.toContain('.gitbook.yaml')
  })
})

describe('Hugo', () => {
  const front = (fields: string, body = '') => `---\n${fields}---\n${body}`
  const hugo = {
    'hugo.toml': 'baseURL = "https://a.test/"\n',
    'content/_index.md': front(
      'title: Home\n',
      '[A]({{< ref "/docs/a.md#x" >}}) [A](/docs/a/) [A]({{< relref "docs/a" >}})\n',
    ),
    'content/docs/a.md': front('title: A\nweight: 1\n', '[B]({{< relref "b.md" >}})\n'),
    'content/docs/b.md': front('title: B\naliases:\n  - /old/\n', '[A](../a/)\n'),
    'content/guide/_index.md': front('title: Guide\n'),
  }

  it('lets links in its own notation follow a page, which names its former address', async () => {
    expect(await move(hugo, 'content/docs/a.md', 'content/guide/a.md')).toMatchObject({
      'content/_index.md': [
        '-[A]({{< ref "/docs/a.md#x" >}}) [A](/docs/a/) [A]({{< relref "docs/a" >}})\n',
        '+[A]({{< ref "/guide/a.md#x" >}}) [A](/guide/a/) [A]({{< relref "/guide/a" >}})\n',
      ],
      'content/docs/b.md': ['-[A](../a/)\n', '+[A](../../guide/a/)\n'],
    })
    const { text } = await after(hugo, 'move_page', { from: 'content/docs/a.md', to: 'content/guide/a.md' })
    expect(await text('content/guide/a.md')).toBe(
      front('title: A\nweight: 1\naliases: [/docs/a/]\n', '[B]({{< relref "b.md" >}})\n'),
    )
  })

  it('adds to the aliases that there are, and leaves none when the page comes back', async () => {
    const opened = await openTree(hugo)
    const before = await opened.text('content/docs/b.md')
    await opened.call('move_page', { from: 'content/docs/b.md', to: 'content/guide/b.md' })
    expect(await opened.text('content/guide/b.md')).toContain('aliases:\n  - /old/\n  - /docs/b/\n---')
    await opened.call('move_page', { from: 'content/guide/b.md', to: 'content/docs/b.md' })
    expect(await opened.text('content/docs/b.md')).toBe(before)
    const toml = { ...hugo, 'content/docs/b.md': '+++\ntitle = "B"\naliases = ["/old/"]\n+++\n' }
    const { text } = await after(toml, 'move_page', { from: 'content/docs/b.md', to: 'content/guide/b.md' })
    expect(await text('content/guide/b.md')).toBe('+++\ntitle = "B"\naliases = ["/docs/b/", "/old/"]\n+++\n')
  })

  it('writes no alias where no page has one, nor where the address stays', async () => {
    const without = { ...hugo, 'content/docs/b.md': front('title: B\n') }
    const { text } = await after(without, 'move_page', {
      from: 'content/docs/a.md',
      to: 'content/guide/a.md',
    })
    expect(await text('content/guide/a.md')).not.toContain('aliases')
    const fixed = { ...hugo, 'content/docs/a.md': front('title: A\nurl: /a/\n') }
    const moved = await after(fixed, 'move_page', { from: 'content/docs/a.md', to: 'content/guide/a.md' })
    expect(await moved.text('content/guide/a.md')).toBe(front('title: A\nurl: /a/\n'))
    expect(moved.output).toMatchObject({ redirect: false, sameAddress: true })
  })
})

describe('Jekyll', () => {
  const jekyll = {
    '_config.yml':
      'baseurl: /kit\nplugins: [jekyll-redirect-from]\ncollections:\n  docs: {output: true, permalink: "/:collection/:path/"}\n',
    '_data/docs_nav.yml':
      '- title: Start\n  docs:\n    - title: A\n      url: /docs/a/\n    - link: /docs/b/\n',
    '_docs/a.md': '---\ntitle: A\n---\n[B]({% link _docs/b.md %}#x)\n',
    '_docs/b.md': '---\ntitle: B\n---\n[A]({{ site.baseurl }}/docs/a/)\n',
    '_docs/c.md': '---\ntitle: C\n---\n[ref]\n\n[ref]: {% link _docs/a.md %}\n',
  }

  it('adds, moves and removes entries of its data, and lets its links follow', async () => {
    expect(await add(jekyll, { path: '_docs/c.md', after: '_docs/a.md' })).toEqual({
      '_data/docs_nav.yml': ['+    - title: C\n', '+      url: /docs/c/\n'],
    })
    expect(await add(jekyll, { path: '_docs/c.md' })).toEqual({
      '_data/docs_nav.yml': ['+    - link: /docs/c/\n'],
    })
    expect(await move(jekyll, '_docs/a.md', '_docs/use/a.md')).toEqual({
      '_data/docs_nav.yml': ['-      url: /docs/a/\n', '+      url: /docs/use/a/\n'],
      '_docs/b.md': ['-[A]({{ site.baseurl }}/docs/a/)\n', '+[A]({{ site.baseurl }}/docs/use/a/)\n'],
      '_docs/c.md': ['-[ref]: {% link _docs/a.md %}\n', '+[ref]: {% link _docs/use/a.md %}\n'],
      '_docs/a.md': 'removed',
      '_docs/use/a.md': 'added',
    })
    const moved = await after(jekyll, 'move_page', { from: '_docs/a.md', to: '_docs/use/a.md' })
    expect(await moved.text('_docs/use/a.md')).toContain('title: A\nredirect_from: [/docs/a/]\n---')
    expect((await remove(jekyll, '_docs/b.md'))['_data/docs_nav.yml']).toEqual(['-    - link: /docs/b/\n'])
  })
})

describe('Sphinx', () => {
  const sphinx = {
    'conf.py': 'extensions = ["myst_parser"]\n',
    'index.md':
      '# Home\n\n```{toctree}\n:caption: Guide\n\nguide/a\nMore <guide/index.md>\n```\n\nSee {doc}`guide/a`.\n',
    'guide/index.md': '# More\n\n:::{toctree}\nb\n/guide/a\n:::\n',
    'guide/a.md': '(here)=\n# A\n',
    'guide/b.md': '# B\n\n{doc}`A <a>` {ref}`here` [A](#here)\n',
    'guide/c.md': title('C'),
  }

  it('adds, moves and removes entries of its directives, and lets roles follow', async () => {
    expect(await add(sphinx, { path: 'guide/c.md', after: 'guide/b.md' })).toEqual({
      'guide/index.md': ['+c\n'],
    })
    expect(await add(sphinx, { path: 'guide/c.md', group: 'Guide' })).toEqual({
      'index.md': ['+guide/c.md\n'],
    })
    expect(await move(sphinx, 'guide/a.md', 'use/a.md')).toEqual({
      'index.md': ['-guide/a\n', '+use/a\n', '-See {doc}`guide/a`.\n', '+See {doc}`use/a`.\n'],
      'guide/index.md': ['-/guide/a\n', '+/use/a\n'],
      'guide/b.md': [
        '-{doc}`A <a>` {ref}`here` [A](#here)\n',
        '+{doc}`A <../use/a>` {ref}`here` [A](#here)\n',
      ],
      'guide/a.md': 'removed',
      'use/a.md': 'added',
    })
    expect((await remove(sphinx, 'guide/b.md'))['guide/index.md']).toEqual(['-b\n'])
  })

  it('takes a file of any kind for the page that a directive names', async () => {
    const { call } = await openTree({
      ...sphinx,
      'guide/index.md': '# More\n\n:::{toctree}\nb\n/guide/a\nbook\ngone\n:::\n',
      'guide/book.Rmd': '# Book\n',
    })
    const { problems } = await call('check', {})
    expect(problems).toMatchObject([{ check: 'navigation', message: expect.stringContaining('"gone"') }])
  })

  it('rewrites the directive of a page that moves itself', async () => {
    const { call, diff, text } = await openTree(sphinx)
    await call('move_page', { from: 'guide/index.md', to: 'more.md' })
    expect(await text('more.md')).toBe('# More\n\n:::{toctree}\nguide/b\n/guide/a\n:::\n')
    expect((await diff())['index.md']).toEqual(['-More <guide/index.md>\n', '+More <more.md>\n'])
  })
})

describe('tables of contents in YAML', () => {
  const book = {
    '_config.yml': 'title: x\n',
    '_toc.yml':
      'format: jb-book\nroot: intro\nparts:\n  - caption: One # kept\n    chapters:\n      - file: a\n        title: "A"\n        sections:\n          - file: sub/b\n          - file: sub/c\n      - file: d\n',
    'intro.md': title('Intro'),
    'a.md': title('A'),
    'sub/b.md': title('B'),
    'sub/c.md': title('C'),
    'sub/new.md': title('New'),
    'd.md': title('D'),
  }

  it('are edited for Jupyter Book: pages below a removed one move up', async () => {
    expect(await add(book, { path: 'sub/new.md' })).toEqual({ '_toc.yml': ['+          - file: sub/new\n'] })
    expect((await move(book, 'sub/b.md', 'more/b.md'))['_toc.yml']).toEqual([
      '-          - file: sub/b\n',
      '+          - file: more/b\n',
    ])
    expect((await remove(book, 'a.md'))['_toc.yml']).toEqual([
      '-      - file: a\n',
      '-        title: "A"\n',
      '-        sections:\n',
      '-          - file: sub/b\n',
      '-          - file: sub/c\n',
      '+      - file: sub/b\n',
      '+      - file: sub/c\n',
    ])
  })

  it('are edited in myst.yml, where the rest stays closed', async () => {
    const myst = {
      'myst.yml':
        'version: 1\nproject:\n  title: x\n  toc:\n    - file: index.md\n    - title: Use\n      children:\n        - file: use/a.md\n          title: A\n        - { file: use/b.md }\n',
      'index.md': title('Home'),
      'use/a.md': '(x)=\n# A\n',
      'use/b.md': '[](#x)\n',
      'use/c.md': title('C'),
    }
    expect(await add(myst, { path: 'use/c.md', after: 'use/a.md' })).toEqual({
      'myst.yml': ['+        - file: use/c.md\n', '+          title: C\n'],
    })
    expect(await add(myst, { path: 'use/c.md', group: 'Use' })).toEqual({
      'myst.yml': ['+        - file: use/c.md\n'],
    })
    expect((await move(myst, 'use/b.md', 'b.md'))['myst.yml']).toEqual([
      '-        - { file: use/b.md }\n',
      '+        - { file: b.md }\n',
    ])
    expect((await remove(myst, 'use/a.md'))['myst.yml']).toEqual([
      '-        - file: use/a.md\n',
      '-          title: A\n',
    ])
    const before = Buffer.from(myst['myst.yml'])
    const openKeys = (await (await openTree(myst)).view.site()).openKeys
    const refused = (text: string) =>
      checkChanges([{ path: 'myst.yml', before, after: Buffer.from(text) }], {
        root: '',
        configPaths: [],
        openKeys,
      })
    expect(refused(myst['myst.yml'].replace('use/a.md', 'use/c.md'))).toEqual([])
    expect(refused(myst['myst.yml'].replace('title: x', 'plugins: [x.mjs]'))).toMatchObject([
      { code: 'protected' },
    ])
  })
})

describe('Antora', () => {
  const antora = {
    'antora.yml': 'name: kit\nversion: ~\nnav:\n- modules/ROOT/nav.adoc\n',
    'modules/ROOT/nav.adoc':
      '.Start\n* xref:index.md[Home]\n** xref:sub/a.md[A]\n*** xref:api:use.md[Use]\n* xref:old.adoc[Old]\n',
    'modules/ROOT/pages/index.md': '[A](xref:sub/a.md) [Use](xref:api:use.md#x)\n',
    'modules/ROOT/pages/sub/a.md': title('A'),
    'modules/ROOT/pages/sub/b.md': title('B'),
    'modules/api/pages/use.md': title('Use'),
  }

  it('has its list edited, and links by xref follow', async () => {
    expect(await add(antora, { path: 'modules/ROOT/pages/sub/b.md' })).toEqual({
      'modules/ROOT/nav.adoc': ['+** xref:sub/b.md[B]\n'],
    })
    expect(await move(antora, 'modules/api/pages/use.md', 'modules/ROOT/pages/use.md')).toMatchObject({
      'modules/ROOT/nav.adoc': ['-*** xref:api:use.md[Use]\n', '+*** xref:use.md[Use]\n'],
      'modules/ROOT/pages/index.md': [
        '-[A](xref:sub/a.md) [Use](xref:api:use.md#x)\n',
        '+[A](xref:sub/a.md) [Use](xref:use.md#x)\n',
      ],
    })
    expect((await remove(antora, 'modules/ROOT/pages/sub/a.md'))['modules/ROOT/nav.adoc']).toEqual([
      '-** xref:sub/a.md[A]\n',
      '-*** xref:api:use.md[Use]\n',
      '+** xref:api:use.md[Use]\n',
    ])
  })
})

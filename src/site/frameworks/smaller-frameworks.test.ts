import { describe, expect, it } from 'vitest'
import { checkTree } from '../checks/check-tree.ts'
import { SiteView } from '../checks/site-view.ts'
import { emptyFiles, type Files, siteOf } from '../../../tests/worlds/site.ts'

async function urls(files: Files, root = '') {
  const site = await openSite(files, root)
  return Object.fromEntries(site.pages.map((path) => [path, site.pageFor(path)?.url]))
}

/** The site with what its pages say of themselves. */
async function openSite(files: Files, root = '') {
  return viewOf(files, root).site()
}

async function problemsOf(files: Files) {
  const { problems } = await checkTree(viewOf(files))
  return problems
}

function viewOf(files: Files, root = ''): SiteView {
  const list = Object.keys(files).map((path) => ({ path, oid: `${path} ${files[path]}` }))
  const read = async (path: string) => {
    const text = files[path]
    return text === undefined ? undefined : new TextEncoder().encode(text)
  }
  return new SiteView({
    files: {
      revision: 1,
      list: () => list,
      read,
      readSome: (paths) => Promise.all(paths.map(read)),
    },
    root,
  })
}

const page = (path: string) => ({ kind: 'page', path, anchor: undefined, redirected: false })

describe('mdBook', () => {
  const book = {
    'guide/book.toml':
      '[book]\nlanguage = "en"\n[output.html.redirect]\n"/old/x.html" = "../cli/init.html"\n',
    'guide/src/SUMMARY.md':
      '# Summary\n\n[Introduction](README.md)\n\n# Reference\n\n- [Tool](cli/README.md)\n    - [init](./cli/init.md)\n- [Draft]()\n',
    ...emptyFiles(
      'guide/src/README.md',
      'guide/src/cli/README.md',
      'guide/src/cli/init.md',
      'guide/src/part.md',
    ),
  }

  it('leaves names and ids to a preprocessor that is code of the repository', async () => {
    const dead = async (toml: string) =>
      (
        await problemsOf({
          'book.toml': toml,
          'src/SUMMARY.md': '- [A](a.md)\n',
          'src/a.md': '# A\n\n[one][std] [two](b.md) [three](a.md#r-x)\n\n[std]: fmt.std\n',
        })
      )
        .filter(({ severity }) => severity !== 'warning')
        .map(({ href }) => href)
    expect(await dead('[preprocessor.toc]\ncommand = "mdbook-toc"\n')).toEqual([
      'b.md',
      'a.md#r-x',
      'fmt.std',
    ])
    expect(await dead('[preprocessor.spec]\ncommand = "cargo run --release"\n')).toEqual(['b.md'])
  })

  it('has the pages of its summary at .html, and hides what no reader is shown', async () => {
    const site = await siteOf(book)
    expect(site.framework).toBe('mdbook')
    expect(await urls(book)).toEqual({
      'guide/src/README.md': '/index.html',
      'guide/src/cli/README.md': '/cli/index.html',
      'guide/src/cli/init.md': '/cli/init.html',
      'guide/src/part.md': '/part.html',
    })
    expect(site.pageFor('guide/src/part.md')).toMatchObject({ hidden: true, inNavigation: false })
    expect(site.pageFor('guide/src/cli/init.md')).toMatchObject({ hidden: false, navTitle: 'init' })
    expect(site.redirects).toEqual(new Map([['/old/x.html', '/cli/init.html']]))
  })

  it('resolves links to files, to built files, and to books beside it', async () => {
    const site = await siteOf(book)
    const from = 'guide/src/cli/init.md'
    // The link becomes `../README.html`, and the page is `../index.html`.
    expect(site.resolveLink(from, '../README.md')).toMatchObject({ kind: 'broken' })
    expect(site.linkTo(from, 'guide/src/README.md', '../README.md')).toBe('../index.md')
    expect(site.resolveLink(from, '../index.md')).toEqual(page('guide/src/README.md'))
    expect(site.resolveLink(from, 'index.html')).toEqual(page('guide/src/cli/README.md'))
    expect(site.resolveLink(from, '../../std/str.html')).toEqual({ kind: 'external' })
    expect(site.resolveLink(from, 'gone.md')).toMatchObject({ kind: 'broken' })
  })
})

describe('GitBook', () => {
  it('takes addresses from the groups and pages that a page is below', async () => {
    const files = {
      '.gitbook.yaml': 'root: ./docs/\nredirects:\n  help: support/README.md\n',
      'docs/SUMMARY.md':
        '# Table of contents\n\n* [Home](README.md)\n\n## Use\n\n* [Support](support/README.md)\n  * [Chat](support/chat.md "Talk")\n',
      ...emptyFiles(
        'docs/README.md',
        'docs/support/README.md',
        'docs/support/chat.md',
        'README.md',
        'docs/Left Out/README.md',
      ),
    }
    expect(await urls(files)).toEqual({
      'docs/README.md': '/',
      'docs/support/README.md': '/use/support',
      'docs/support/chat.md': '/use/support/chat',
      'docs/Left Out/README.md': '/left-out',
    })
    const site = await siteOf(files)
    expect(site.framework).toBe('gitbook')
    expect(site.redirects.get('/help')).toBe('/use/support')
    expect(site.pageFor('docs/Left Out/README.md')?.hidden).toBe(true)
  })

  it('loses to a framework that is used, if its file was left behind', async () => {
    const docusaurus = { 'website/docusaurus.config.js': 'module.exports = {}', 'website/docs/a.md': '' }
    expect((await siteOf({ '.gitbook.yaml': 'root: ./docs\n', ...docusaurus })).framework).toBe('docusaurus')
    expect((await siteOf({ '_config.yml': 'theme: x\n', ...docusaurus })).framework).toBe('docusaurus')
  })

  it('is recognised by a list of pages alone, and not by another file of that name', async () => {
    expect((await siteOf({ 'SUMMARY.md': '* [A](a.md)\n', 'a.md': '' })).framework).toBe('gitbook')
    expect((await siteOf({ 'SUMMARY.md': 'What it is.\n', 'a.md': '' })).framework).toBe('markdown')
    const mkdocs = { 'mkdocs.yml': '', 'docs/SUMMARY.md': '* [A](a.md)\n', 'docs/a.md': '' }
    expect((await siteOf(mkdocs, 'docs')).framework).toBe('mkdocs')
  })
})

describe('Hugo', () => {
  const front = (text: string) => `---\n${text}\n---\n`
  const hugo = {
    'hugo.toml': 'baseURL = "https://a.test/kit/"\n',
    'content/_index.md': '',
    'content/docs/_index.md': '',
    'content/docs/Get Started.md': front('aliases: [/start/]\nweight: 2'),
    'content/docs/slugged.md': front('slug: other\nweight: 1'),
    'content/docs/set.md': front('url: /elsewhere/'),
    'content/bundle/index.md': '',
    'content/bundle/part.md': '',
    'content/_common/text.md': '',
    'layouts/x.md': '',
    'archetypes/default.md': '',
  }

  it('makes addresses of sections, bundles, slugs and urls, and leaves out what is no page', async () => {
    expect(await urls(hugo)).toEqual({
      'content/_index.md': '/',
      'content/bundle/index.md': '/bundle/',
      'content/docs/slugged.md': '/docs/other/',
      'content/docs/Get Started.md': '/docs/get-started/',
      'content/docs/_index.md': '/docs/',
      'content/docs/set.md': '/elsewhere/',
    })
    expect((await openSite(hugo)).redirects).toEqual(new Map([['/start/', '/docs/get-started/']]))
  })

  it('resolves ref and relref, addresses and former addresses', async () => {
    const site = await openSite(hugo)
    const from = 'content/docs/set.md'
    expect(site.resolveLink(from, '{{< ref "slugged.md" >}}')).toEqual(page('content/docs/slugged.md'))
    expect(site.resolveLink(from, '{{% relref "/docs/slugged#a" %}}')).toMatchObject({
      path: 'content/docs/slugged.md',
      anchor: 'a',
    })
    expect(site.resolveLink(from, '{{< relref path="bundle" >}}')).toEqual(page('content/bundle/index.md'))
    expect(site.resolveLink(from, '{{< ref "gone" >}}')).toMatchObject({ kind: 'broken' })
    expect(site.resolveLink(from, '/kit/docs/other/')).toEqual(page('content/docs/slugged.md'))
    expect(site.resolveLink(from, '/kit/start/')).toMatchObject({ redirected: true })
    // Nothing adds the path that the site is served below.
    expect(site.resolveLink(from, '/start/')).toMatchObject({ kind: 'broken' })
    expect(site.resolveLink(from, '/docs/other/')).toMatchObject({ kind: 'broken' })
    expect(site.linkTo(from, 'content/docs/slugged.md', '{{< ref "/bundle/index.md#a" >}}')).toBe(
      '{{< ref "/docs/slugged.md#a" >}}',
    )
  })

  it('knows languages by their folders and by the names of files', async () => {
    const folders = {
      'config/_default/hugo.yaml':
        'languages:\n  en: {contentDir: content/en}\n  fr: {contentDir: content/fr}\n',
      ...emptyFiles('content/en/docs/a.md', 'content/fr/docs/a.md'),
    }
    expect(await urls(folders)).toEqual({
      'content/en/docs/a.md': '/docs/a/',
      'content/fr/docs/a.md': '/fr/docs/a/',
    })
    expect((await siteOf(folders)).pageFor('content/fr/docs/a.md')?.language).toBe('fr')
    const names = {
      'hugo.toml': '[languages.en]\n[languages.de]\n',
      ...emptyFiles('content/a.md', 'content/a.de.md'),
    }
    expect(await urls(names)).toEqual({ 'content/a.md': '/a/', 'content/a.de.md': '/de/a/' })
  })
})

describe('Jekyll', () => {
  const jekyll = {
    '_config.yml':
      'permalink: pretty\nbaseurl: /kit\nexclude: [private/]\nplugins: [jekyll-redirect-from]\ncollections:\n  guides: {output: true, permalink: "/:collection/:path/"}\n  hidden: {}\n',
    'index.md': '',
    'about.md': '---\npermalink: /company/\nredirect_from: /old/\n---\n',
    '_guides/first.md': '',
    '_hidden/x.md': '',
    '_includes/note.md': '',
    '_posts/2024-01-02-news.md': '',
    'private/x.md': '',
    'page.html': '',
  }

  it('makes addresses of pages, collections and posts by their permalinks', async () => {
    expect(await urls(jekyll)).toEqual({
      '_guides/first.md': '/guides/first/',
      '_posts/2024-01-02-news.md': '/2024/01/02/news/',
      'about.md': '/company/',
      'index.md': '/',
    })
    const site = await openSite(jekyll)
    expect(site.redirects).toEqual(new Map([['/old/', '/company/']]))
    expect((await urls({ ...jekyll, '_config.yml': 'title: x\n' }))['about.md']).toBe('/company/')
    expect((await urls({ '_config.yml': 'title: x\n', 'a/b.md': '' }))['a/b.md']).toBe('/a/b.html')
  })

  it('resolves link tags, base addresses and relative_url', async () => {
    const site = await openSite(jekyll)
    const from = '_guides/first.md'
    expect(site.resolveLink(from, '{% link about.md %}#team')).toMatchObject({
      path: 'about.md',
      anchor: 'team',
    })
    expect(site.resolveLink(from, '{{ site.baseurl }}/company/')).toEqual(page('about.md'))
    expect(site.resolveLink(from, "{{ '/company/' | relative_url }}")).toEqual(page('about.md'))
    expect(site.resolveLink(from, '{{site.baseurl}}{% link about.md %}')).toEqual(page('about.md'))
    expect(site.resolveLink(from, '{% link gone.md %}')).toMatchObject({ kind: 'broken' })
    expect(site.resolveLink(from, '{{ site.repo }}/x')).toEqual({ kind: 'external' })
    expect(site.resolveLink(from, '{{ site.baseurl }}/guides/gone/')).toMatchObject({ kind: 'broken' })
    expect(site.resolveLink(from, '/kit/guides/gone/')).toMatchObject({ kind: 'broken' })
    expect(site.linkTo(from, '_guides/first.md', '{{ site.baseurl }}/company/')).toBe(
      '{{ site.baseurl }}/guides/first/',
    )
  })

  it('leaves the configuration of other tools alone', async () => {
    expect((await siteOf({ '_config.yml': 'source_dir: source\n', 'a.md': '' })).framework).toBe('markdown')
  })
})

describe('Nuxt Content', () => {
  it('takes the numbers off and sorts paths as texts', async () => {
    const files = {
      'docs/content.config.ts': 'export default {}',
      'docs/content/1.guide/.navigation.yml': 'title: Guide\n',
      ...emptyFiles(
        'docs/content/1.guide/10.last.md',
        'docs/content/1.guide/11.$fetch.é.md',
        'docs/content/1.guide/2.Second Page.md',
        'docs/content/1.guide/0.index.md',
        'docs/content/index.md',
        'docs/README.md',
      ),
    }
    expect(Object.entries(await urls(files))).toEqual([
      ['docs/content/1.guide/0.index.md', '/guide'],
      ['docs/content/1.guide/10.last.md', '/guide/last'],
      ['docs/content/1.guide/11.$fetch.é.md', '/guide/dollarfetch.e'],
      ['docs/content/1.guide/2.Second Page.md', '/guide/second-page'],
      ['docs/content/index.md', '/'],
    ])
  })

  it('is not taken for the collections of Astro, whose folder is nearer to the pages than its site', async () => {
    const files = {
      'docs/astro.config.mjs': 'import starlight from "@astrojs/starlight"\nexport default {}',
      'docs/src/content.config.ts': "import { defineCollection } from 'astro:content'\n",
      ...emptyFiles('docs/src/content/docs/a.mdx', 'docs/src/content/docs/b.md'),
    }
    const site = await openSite(files, 'docs/src/content/docs')
    expect(site.framework).toBe('starlight')
    expect(site.pages).toHaveLength(2)
  })

  it('is recognised without a configuration, and resolves the addresses that the site adds', async () => {
    const site = await siteOf({
      'docs/package.json': '{"version": "4.1.0"}',
      'docs/1.start/.navigation.yml': '',
      ...emptyFiles('docs/1.start/1.intro.md', 'docs/2.api/1.use.md'),
    })
    expect(site.framework).toBe('nuxt')
    expect(site.resolveLink('docs/2.api/1.use.md', '/docs/4.x/start/intro')).toEqual(
      page('docs/1.start/1.intro.md'),
    )
  })
})

describe('Sphinx', () => {
  const sphinx = {
    'docs/conf.py':
      'extensions = ["myst_parser"]\nexclude_patterns = [\n  "_build", # built\n  "parts/*",\n]\nlanguage = "en"\n',
    'docs/index.md':
      '(top)=\n# Home\n\n```{toctree}\n:caption: Guide\n:glob:\n\nintro\nMore <sub/index>\nnews/*\n```\n\n````md\n```{toctree}\nshown\n```\n````\n',
    'docs/intro.md': '(part)=\n## A part\n',
    'docs/sub/index.md': ':::{toctree}\na.md\n/intro\n:::\n',
    ...emptyFiles('docs/sub/a.md', 'docs/news/1.md', 'docs/lost.md', 'docs/parts/x.md'),
  }

  it('reads the toctree directives from the first page on, with patterns', async () => {
    const site = await openSite(sphinx)
    expect(site.framework).toBe('sphinx')
    const listed = site.pages.map((path) => [path, site.pageFor(path)?.url, site.pageFor(path)?.inNavigation])
    expect(listed).toEqual([
      ['docs/index.md', '/index.html', true],
      ['docs/intro.md', '/intro.html', true],
      ['docs/sub/index.md', '/sub/index.html', true],
      ['docs/sub/a.md', '/sub/a.html', true],
      ['docs/news/1.md', '/news/1.html', true],
      ['docs/lost.md', '/lost.html', false],
    ])
    expect(site.pageFor('docs/sub/index.md')?.navTitle).toBe('More')
  })

  it('lets no name lead above the top of the site, and ends a directive with what is around it', async () => {
    const site = await openSite({
      'docs/conf.py': 'extensions = ["myst_parser"]\n',
      'docs/index.md': '# Home\n\n```{note}\n```{toctree}\nsub/a\n```\n\n```{toctree}\nb\n```\n',
      'docs/sub/a.md': '# A\n\n```{toctree}\n../../sub/c\n```\n',
      ...emptyFiles('docs/b.md', 'docs/sub/c.md'),
    })
    const listed = site.pages.filter((path) => site.pageFor(path)?.inNavigation)
    expect(listed).toEqual(['docs/index.md', 'docs/sub/a.md', 'docs/sub/c.md', 'docs/b.md'])
  })

  it('resolves roles and labels', async () => {
    const site = await openSite(sphinx)
    const from = 'docs/sub/a.md'
    expect(site.resolveLink(from, '{doc}`../intro`')).toEqual(page('docs/intro.md'))
    expect(site.resolveLink(from, '{doc}`Read <../intro>`')).toEqual(page('docs/intro.md'))
    expect(site.resolveLink(from, '{ref}`part`')).toEqual(page('docs/intro.md'))
    expect(site.resolveLink(from, '#part')).toMatchObject({ path: 'docs/intro.md', anchor: 'part' })
    expect(site.linkTo(from, 'docs/news/1.md', '{doc}`Read <../intro>`')).toBe('{doc}`Read <../news/1>`')
  })

  it('reads the table of contents of Jupyter Book', async () => {
    const files = {
      '_config.yml': 'title: Book\n',
      '_toc.yml':
        'format: jb-book\nroot: intro\nparts:\n- caption: One\n  chapters:\n  - file: a\n    sections:\n    - file: sub/b\n      title: B\n',
      ...emptyFiles('intro.md', 'a.md', 'sub/b.md', 'c.md'),
    }
    const site = await siteOf(files)
    expect(site.framework).toBe('sphinx')
    expect(site.pages).toEqual(['intro.md', 'a.md', 'sub/b.md', 'c.md'])
    expect(site.pageFor('c.md')?.inNavigation).toBe(false)
    expect(site.pageFor('sub/b.md')).toMatchObject({ url: '/sub/b.html', navTitle: 'B', inNavigation: true })
  })
})

describe('MyST', () => {
  it('makes addresses of names, with folders where the site says so', async () => {
    const files = {
      'docs/myst.yml':
        'project:\n  toc:\n    - file: index.md\n    - title: Use\n      children:\n        - file: use/01_First_Steps.md\n        - pattern: more/*.md\nsite:\n  options: {folders: true}\n',
      ...emptyFiles('docs/index.md', 'docs/use/01_First_Steps.md', 'docs/more/x.md', 'docs/left.md'),
    }
    expect(await urls(files)).toEqual({
      'docs/index.md': '/',
      'docs/use/01_First_Steps.md': '/use/first-steps',
      'docs/more/x.md': '/more/x',
      'docs/left.md': '/left',
    })
    const site = await siteOf(files)
    expect(site.pageFor('docs/left.md')?.hidden).toBe(true)
    expect(site.pageFor('docs/more/x.md')?.inNavigation).toBe(true)
    const flat = { ...files, 'docs/myst.yml': 'project: {}\n' }
    expect((await urls(flat))['docs/use/01_First_Steps.md']).toBe('/first-steps')
  })
})

describe('Antora', () => {
  const antora = {
    'docs/antora.yml': "name: kit\nversion: '2.1'\nnav:\n- modules/ROOT/nav.adoc\n",
    'docs/modules/ROOT/nav.adoc':
      '.Start\n* xref:index.md[Home]\n* xref:old.adoc[Old]\n** xref:api:use.md#x[Use]\n',
    'docs/modules/ROOT/pages/old.adoc': '= Old',
    ...emptyFiles(
      'docs/modules/ROOT/pages/index.md',
      'docs/modules/ROOT/partials/x.md',
      'docs/modules/api/pages/use.md',
    ),
  }

  it('has pages in AsciiDoc alone, and counts what is not read', async () => {
    expect(await urls(antora)).toEqual({ 'docs/modules/ROOT/pages/old.adoc': '/kit/2.1/old.html' })
    const site = await siteOf(antora)
    expect(site.unread).toEqual([{ format: 'Markdown, which Antora does not build', pages: 2 }])
    expect(site.placeOf('docs/modules/ROOT/pages/old.adoc')).toEqual({ label: 'Old', groups: ['Start'] })
  })

  it('leaves out what begins with a sign, and names without a version', async () => {
    expect(
      await urls({
        'antora.yml': 'name: ROOT\nversion: ~\n',
        'modules/ROOT/pages/a.adoc': '',
        'modules/ROOT/pages/_b.adoc': '',
        'modules/api/pages/c/index.adoc': '',
        'README.md': '',
      }),
    ).toEqual({
      'modules/ROOT/pages/a.adoc': '/a.html',
      'modules/api/pages/c/index.adoc': '/api/c/index.html',
    })
  })
})

describe('pages in a markup that the generator does not build', () => {
  it('are counted, without the files of the project itself', async () => {
    const rst = emptyFiles('docs/a.md', 'docs/b.rst', 'docs/c.adoc', 'docs/README.rst', 'docs/d.txt')
    const site = await siteOf({ 'mkdocs.yml': 'site_name: x\n', ...rst })
    expect(site.unread).toEqual([
      { format: 'reStructuredText', pages: 1 },
      { format: 'AsciiDoc', pages: 1 },
    ])
    const plain = await siteOf(emptyFiles('a.md', 'b.rst', 'c.adoc'))
    expect(plain.unread).toEqual([{ format: 'reStructuredText', pages: 1 }])
  })
})

describe('several components of Antora', () => {
  const files = {
    'antora-playbook.yml': 'asciidoc:\n  attributes:\n    who: all\n',
    'docs/kit-1/antora.yml':
      'name: kit\ntitle: Kit\nversion: "1.9"\nnav: [modules/ROOT/nav.adoc]\nasciidoc: {attributes: {kind: old}}\n',
    'docs/kit-1/modules/ROOT/nav.adoc': '* xref:a.adoc[First]\n',
    'docs/kit-1/modules/ROOT/pages/a.adoc': '= A\n\n{kind} {who}\n',
    'docs/kit-2/antora.yml': 'name: kit\ntitle: Kit\nversion: "1.10"\nnav: [modules/ROOT/nav.adoc]\n',
    'docs/kit-2/modules/ROOT/nav.adoc': '* xref:a.adoc[First]\n',
    'docs/kit-2/modules/ROOT/pages/a.adoc': '= A\n\nxref:tool:run:go.adoc[] xref:1.9@a.adoc[]\n',
    'docs/tool/antora.yml': 'name: tool\nversion: ~\nnav: [modules/ROOT/nav.adoc]\n',
    'docs/tool/modules/ROOT/nav.adoc': '* xref:index.adoc[]\n** xref:run:go.adoc[Go]\n',
    'docs/tool/modules/ROOT/pages/index.adoc':
      '= Tool\n\nxref:kit::a.adoc[] xref:1.9@kit::a.adoc[] xref:kit::gone.adoc[] xref:none::a.adoc[]\n',
    'docs/tool/modules/run/pages/go.adoc': '= Go\n',
  }
  const one = 'docs/kit-1/modules/ROOT/pages/a.adoc'
  const two = 'docs/kit-2/modules/ROOT/pages/a.adoc'
  const tool = 'docs/tool/modules/ROOT/pages/index.adoc'

  it('have addresses, versions and navigation each', async () => {
    expect(await urls(files)).toEqual({
      [one]: '/kit/1.9/a.html',
      [two]: '/kit/1.10/a.html',
      [tool]: '/tool/index.html',
      'docs/tool/modules/run/pages/go.adoc': '/tool/run/go.html',
    })
    const site = await siteOf(files)
    expect([one, two, tool].map((path) => site.pageFor(path)?.version)).toEqual(['1.9', '1.10', undefined])
    expect(site.copiesOf(one)).toEqual([two])
    expect(site.placeOf(one)).toEqual({ label: 'First', groups: ['Kit 1.9'] })
    expect(site.placeOf('docs/tool/modules/run/pages/go.adoc')?.groups[0]).toBe('tool')
  })

  it('are named from each other, the latest version where none is named', async () => {
    const site = await siteOf(files)
    const to = (from: string, name: string) => site.resolveLink(from, `xref:${name}`)
    expect(to(tool, 'kit::a.adoc')).toMatchObject({ kind: 'page', path: two })
    expect(to(tool, '1.9@kit::a.adoc')).toMatchObject({ kind: 'page', path: one })
    expect(to(two, '1.9@a.adoc')).toMatchObject({ kind: 'page', path: one })
    expect(to(two, 'tool:run:go.adoc')).toMatchObject({ path: 'docs/tool/modules/run/pages/go.adoc' })
    expect((await problemsOf(files)).map(({ href }) => href)).toEqual(['xref:kit::gone.adoc'])
    expect(site.linkTo(tool, one, 'xref:kit::a.adoc')).toBe('xref:1.9@kit::a.adoc')
    expect(site.linkTo(tool, two, 'xref:1.9@kit::a.adoc')).toBe('xref:kit::a.adoc')
    expect(site.linkTo(two, tool, 'xref:a.adoc')).toBe('xref:tool::index.adoc')
  })
})

describe('references of AsciiDoc', () => {
  const page = (text: string) => ({
    'antora.yml': 'name: x\n',
    'antora-playbook.yml': 'site: {}\n',
    'modules/ROOT/pages/a.adoc': text,
    'modules/ROOT/pages/b.adoc': '= B\n:page-aliases: former\n\n[#one]\n== One\n',
  })
  const dead = async (text: string) => (await problemsOf(page(text))).map(({ href }) => href)

  it('are dead where no page has the id, however it is given', async () => {
    expect(
      await dead(
        '= A\n\n<<one>> <<two,Two>> <<three>> <<four>> <<_five>> <<gone>> <<#lost>> xref:six[] xref:b#one[] xref:b.adoc#none[] xref:former.adoc#one[] xref:former[]\n\n[#one]\n== One\n\n[[two]]\nText anchor:three[]\n\n. [#four]*Four* `<<code>`\n\n== Five\n\n----\ncout <<x>> y\n----\n\nifdef::no[]\n<<left-out>>\nendif::[]\n',
      ),
    ).toEqual(['<<gone', '<<#lost', 'xref:six', 'xref:b.adoc#none', 'xref:former'])
  })
})

it('knows the pages that Sphinx makes among the entries of a toctree', async () => {
  const files = {
    'conf.py': 'extensions = []\n',
    'index.rst': 'Home\n====\n\n.. toctree::\n\n   genindex\n   search\n   gone\n',
  }
  expect((await problemsOf(files)).map(({ href }) => href)).toEqual(['gone'])
})

describe('labels that no page defines', () => {
  const conf = 'extensions = ["myst_parser", "sphinx_design"]\n'
  const files = {
    'index.md':
      '# Home\n\n{ref}`gone` {ref}`in-rst` {ref}`In-RST` [](#lost) [](#other-part) [](#in-rst) {ref}`genindex` {ref}`Text <gone-too>`\n\n```{toctree}\nother\n```\n',
    'other.md': '# Other\n\n## Other part\n\n```{eval-rst}\n.. _in-rst:\n\nText\n```\n',
  }
  const dead = async (more: Record<string, string>) =>
    (await problemsOf({ ...files, ...more }))
      .filter(({ check }) => check === 'anchor')
      .map(({ href }) => href)

  it('of documents are dead also where code is described, which makes no documents', async () => {
    const conf = 'extensions = ["sphinx.ext.autodoc", "sphinx.ext.intersphinx"]\n'
    const found = await problemsOf({ 'conf.py': conf, 'index.rst': 'x\n=\n\n:doc:`gone` :ref:`open`\n' })
    expect(found.map(({ href }) => href)).toEqual([':doc:`gone`'])
  })

  it('are dead where all pages are read', async () => {
    expect(await dead({ 'conf.py': conf })).toEqual(['{ref}`gone`', '#lost', '{ref}`Text <gone-too>`'])
  })

  it('may be defined in other projects, by extensions and in pages of other formats', async () => {
    expect(
      await dead({ 'conf.py': `${conf}intersphinx_mapping = {"a": ("https://a.example", None)}\n` }),
    ).toEqual([])
    expect(
      await dead({ 'conf.py': 'extensions = ["myst_parser", "sphinx.ext.autosectionlabel"]\n' }),
    ).toEqual([])
    expect(await dead({ 'conf.py': conf, 'more.ipynb': '{}' })).toEqual([])
  })
})

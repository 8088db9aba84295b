import type { Tree } from './open-tree.ts'

/** Small sites of which `guide/a` and, in the second tree, another page of another folder include a text with links. */
interface IncludingSite {
  tree: Tree
  /** A page of another folder that includes the same text. */
  other: Tree
  part: string
  page: { from: string; to: string }
  target: { from: string; to: string }
}

const t = '# Target\n\n## Part\n\nText.\n'
const b = '# B\n\nText.\n'
const see = 'See [target](../ref/t.md#part) and [b](../guide/b.md).\n'

/** The files of a site whose pages are Markdown in a folder. */
function pages(folder: string, include: string, links = see) {
  return {
    a: { [`${folder}guide/a.md`]: `# A\n\n${include}\n` },
    c: { [`${folder}more/c.md`]: `# C\n\n${include}\n` },
    rest: {
      [`${folder}index.md`]: '# Home\n\nText.\n',
      [`${folder}guide/b.md`]: b,
      [`${folder}ref/t.md`]: t,
    },
    page: { from: `${folder}guide/a.md`, to: `${folder}guide/deep/a.md` },
    target: { from: `${folder}ref/t.md`, to: `${folder}ref/deep/t.md` },
    links,
  }
}

function site(
  { a, c, rest, page, target, links }: ReturnType<typeof pages>,
  part: string,
  extra: Tree,
  other: Tree = {},
): IncludingSite {
  return { tree: { ...rest, ...a, [part]: links, ...extra }, other: { ...c, ...other }, part, page, target }
}

const mkdocs = (rest: string) => ({ 'mkdocs.yml': `site_name: x\nsite_url: https://x.example/\n${rest}\n` })

export const includingSites: Readonly<Record<string, IncludingSite>> = {
  'pymdownx.snippets': site(
    pages('docs/', '--8<-- "parts/see.md"'),
    'parts/see.md',
    mkdocs('markdown_extensions:\n  - pymdownx.snippets\n  - toc'),
  ),
  'markdown-include': site(
    pages('docs/', '{!parts/see.md!}'),
    'parts/see.md',
    mkdocs('markdown_extensions:\n  - markdown_include.include'),
  ),
  'include-markdown': site(
    pages(
      'docs/',
      '{% include-markdown "../../parts/see.md" %}',
      'See [target](../docs/ref/t.md#part) and [b](../docs/guide/b.md).\n',
    ),
    'parts/see.md',
    mkdocs('plugins:\n  - include-markdown'),
    { 'docs/more/c.md': '# C\n\n{% include-markdown "../../parts/see.md" %}\n' },
  ),
  mdbook: site(
    pages('src/', '{{#include ../parts/see.md}}'),
    'src/parts/see.md',
    {
      'book.toml': '[book]\ntitle = "x"\n',
      'src/SUMMARY.md': '- [Home](index.md)\n- [A](guide/a.md)\n- [B](guide/b.md)\n- [T](ref/t.md)\n',
    },
    {
      'src/more/c.md': '# C\n\n{{#include ../parts/see.md}}\n',
      'src/SUMMARY.md':
        '- [Home](index.md)\n- [A](guide/a.md)\n- [B](guide/b.md)\n- [T](ref/t.md)\n- [C](more/c.md)\n',
    },
  ),
  vitepress: site(
    pages('', '<!--@include: ../parts/see.md-->'),
    'parts/see.md',
    { '.vitepress/config.mts': "export default { title: 'x', srcExclude: ['parts/**'] }\n" },
    { 'more/c.md': '# C\n\n<!--@include: ../parts/see.md-->\n' },
  ),
  myst: site(
    pages('', '```{include} ../parts/see.md\n```'),
    'parts/see.md',
    {
      'conf.py': 'extensions = ["myst_parser"]\nexclude_patterns = ["parts"]\nmyst_heading_anchors = 2\n',
      'index.md': '# Home\n\n```{toctree}\nguide/a\nguide/b\nref/t\n```\n',
    },
    {
      'more/c.md': '# C\n\n```{include} ../parts/see.md\n```\n',
      'index.md': '# Home\n\n```{toctree}\nguide/a\nguide/b\nref/t\nmore/c\n```\n',
    },
  ),
  'myst with links of its own': site(
    pages(
      '',
      '```{include} ../parts/see.md\n:relative-docs: ..\n```',
      'See [target](../ref/t.md#part) and [b](../guide/b.md).\n',
    ),
    'parts/see.md',
    {
      'conf.py': 'extensions = ["myst_parser"]\nexclude_patterns = ["parts"]\nmyst_heading_anchors = 2\n',
      'index.md': '# Home\n\n```{toctree}\nguide/a\nguide/b\nref/t\n```\n',
    },
    {
      'more/c.md': '# C\n\n```{include} ../parts/see.md\n:relative-docs: ..\n```\n',
      'index.md': '# Home\n\n```{toctree}\nguide/a\nguide/b\nref/t\nmore/c\n```\n',
    },
  ),
  docusaurus: site(
    {
      ...pages(
        'docs/',
        "import See from '../_see.mdx'\n\n<See />",
        'See [target](./ref/t.md#part) and [b](./guide/b.md).\n',
      ),
    },
    'docs/_see.mdx',
    {
      'docusaurus.config.js':
        "module.exports = { title: 'x', url: 'https://x.example', baseUrl: '/', onBrokenLinks: 'warn', presets: [['classic', { docs: { routeBasePath: '/' }, blog: false }]] }\n",
      'package.json': '{}\n',
    },
    { 'docs/more/c.md': "# C\n\nimport See from '../_see.mdx'\n\n<See />\n" },
  ),
  sphinx: {
    tree: {
      'conf.py': 'exclude_patterns = ["parts"]\n',
      'index.rst': 'Home\n====\n\n.. toctree::\n\n   guide/a\n   guide/b\n   ref/t\n',
      'guide/a.rst': 'A\n=\n\n.. include:: ../parts/see.rst\n',
      'guide/b.rst': 'B\n=\n\nText.\n',
      'ref/t.rst': 'Target\n======\n\nText.\n',
      'parts/see.rst': 'See :doc:`../ref/t` and :doc:`../guide/b`.\n',
    },
    other: {
      'index.rst': 'Home\n====\n\n.. toctree::\n\n   guide/a\n   guide/b\n   ref/t\n   more/c\n',
      'more/c.rst': 'C\n=\n\n.. include:: ../parts/see.rst\n',
    },
    part: 'parts/see.rst',
    page: { from: 'guide/a.rst', to: 'guide/deep/a.rst' },
    target: { from: 'ref/t.rst', to: 'ref/deep/t.rst' },
  },
  jekyll: {
    tree: {
      '_config.yml': 'title: x\nplugins: []\n',
      Gemfile: 'gem "jekyll"\n',
      'index.md': '---\ntitle: Home\n---\n\nText.\n',
      'guide/a.md': '---\ntitle: A\n---\n\n{% include see.md %}\n',
      'guide/b.md': '---\ntitle: B\n---\n\nText.\n',
      'ref/t.md': '---\ntitle: T\n---\n\n## Part\n\nText.\n',
      '_includes/see.md': 'See [target](../ref/t.html#part) and [b](../guide/b.html).\n',
    },
    other: { 'more/c.md': '---\ntitle: C\n---\n\n{% include see.md %}\n' },
    part: '_includes/see.md',
    page: { from: 'guide/a.md', to: 'guide/deep/a.md' },
    target: { from: 'ref/t.md', to: 'ref/deep/t.md' },
  },
  hugo: {
    tree: {
      'hugo.toml': 'baseURL = "https://x.example/"\ntitle = "x"\n',
      'layouts/_default/single.html': '<main>{{ .Content }}</main>\n',
      'layouts/_default/list.html': '<main>{{ .Content }}</main>\n',
      'layouts/shortcodes/readfile.html': '{{ os.ReadFile (.Get 0) | .Page.RenderString }}\n',
      'content/_index.md': '---\ntitle: Home\n---\n\nText.\n',
      'content/guide/a.md': '---\ntitle: A\n---\n\n{{% readfile "/parts/see.md" %}}\n',
      'content/guide/b.md': '---\ntitle: B\n---\n\nText.\n',
      'content/ref/t.md': '---\ntitle: T\n---\n\n## Part\n\nText.\n',
      'parts/see.md': 'See [target](../../ref/t/#part) and [b](../../guide/b/).\n',
    },
    other: { 'content/more/c.md': '---\ntitle: C\n---\n\n{{% readfile "/parts/see.md" %}}\n' },
    part: 'parts/see.md',
    page: { from: 'content/guide/a.md', to: 'content/guide/deep/a.md' },
    target: { from: 'content/ref/t.md', to: 'content/ref/deep/t.md' },
  },
}

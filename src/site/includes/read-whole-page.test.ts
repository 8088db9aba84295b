import { describe, expect, it } from 'vitest'
import { createSite } from '../frameworks/create-site.ts'
import type { Site } from '../site.ts'
import { readWholePage, textOfPage } from './read-whole-page.ts'

describe('the whole text of a page', () => {
  it('has the Markdown files that MDX imports, at their tags, with links that fit the page', async () => {
    const page = await whole('docs/guides/install.mdx', {
      'docusaurus.config.js': 'export default { title: "x" }',
      'docs/guides/install.mdx': `---\ntitle: Install\n---\nimport Note from '../_shared/_note.mdx';\nimport Other from '@site/docs/_shared/_other.md'\nimport Tabs from '@theme/Tabs'\n\nBefore <Note version="2.1" /> after\n\n1. Step\n\n   <Other\n     name="x"\n   />\n\n\`\`\`mdx\n- x\n\n    \`\`\`\n\n<Note />\n\`\`\`\n`,
      'docs/_shared/_note.mdx':
        '---\nid: note\n---\n\nWorks since {props.version}, see [setup](../setup.md#now) and ![x](./x.png).\n',
      'docs/_shared/_other.md': "import Deep from './_deep.md'\n\n## Other\n\n<Deep />\n",
      'docs/_shared/_deep.md': 'Deep.\n',
      'docs/setup.md': '# Setup',
    })
    expect(page.text).toContain(
      'Before\n\nWorks since 2.1, see [setup](../setup.md#now) and ![x](../_shared/x.png).\n\nafter',
    )
    expect(page.text).toMatch(/1\. Step\n{1,4} {3}## Other\n{1,4} {3}Deep\.\n/)
    expect(page.text).toContain('```mdx\n- x\n\n    ```\n\n<Note />\n```')
    expect(page.included).toEqual([
      'docs/_shared/_note.mdx',
      'docs/_shared/_other.md',
      'docs/_shared/_deep.md',
    ])
    const note = page.lines.find(({ text }) => text.startsWith('Works'))
    expect(note).toMatchObject({ path: 'docs/_shared/_note.mdx', line: 5 })
  })

  it.each(['rustdoc_include', 'playground', 'include'])(
    'has what mdBook takes in by %s alone',
    async (word) => {
      const page = await whole('src/a.md', {
        'book.toml': '[book]\n',
        'src/SUMMARY.md': '- [A](a.md)\n',
        'src/a.md': `# A\n\n\`\`\`rust\n{{#${word} x.rs:here}}\n\`\`\`\n`,
        'src/x.rs': '// ANCHOR: here\nfn here() {}\n// ANCHOR_END: here\nfn other() {}\n',
      })
      expect(page.text).toContain('```rust\nfn here() {}\n```')
    },
  )

  it('has the snippets of Mintlify, imported or by name', async () => {
    const page = await whole('a.mdx', {
      'docs.json': '{"name": "x", "navigation": {"pages": ["a"]}}',
      'a.mdx': 'import Plan from "/snippets/plan.mdx";\n\n<Plan />\n\n  <Snippet file="redis/note" />\n',
      'snippets/plan.mdx': 'Only on paid plans.',
      'snippets/redis/note.mdx': 'Use Redis 7.\n\nOr 8.',
    })
    expect(page.text).toContain('\nOnly on paid plans.\n')
    expect(page.text).toContain('\n  Use Redis 7.\n\n  Or 8.\n')
  })

  it('has the snippets of MkDocs, in code too, whole or in part', async () => {
    const page = await whole('docs/a.md', {
      'mkdocs.yml':
        'site_name: x\nmarkdown_extensions:\n  - pymdownx.snippets:\n      base_path: [docs, includes]\n',
      'docs/a.md':
        '# A\n\n--8<-- "warning.md"\n\n```py\n--8<-- "code.py:main"\n```\n\n    --8<-- "lines.txt:2:3"\n\n--8<--\nwarning.md\n--8<--\n\n--8<-- "gone.md"\n;--8<-- "warning.md"\n',
      'includes/warning.md': '!!! warning\n    Careful.\n',
      'includes/code.py': 'import os\n# --8<-- [start:main]\nrun()\n# --8<-- [end:main]\nrest()\n',
      'includes/lines.txt': 'one\ntwo\nthree\nfour\n',
    })
    expect(page.text).toBe(
      '# A\n\n!!! warning\n    Careful.\n\n```py\nrun()\n```\n\n    two\n    three\n\n!!! warning\n    Careful.\n\n--8<-- "gone.md"\n;--8<-- "warning.md"\n',
    )
    // When the missing file is added, the page is read again.
    expect(page.included).toContain('docs/gone.md')
  })

  it('has the files that other extensions of MkDocs include, with links that fit', async () => {
    const page = await whole('docs/g/a.md', {
      'mkdocs.yml': '',
      'docs/g/a.md':
        '# A\n\n{% include-markdown "../../CHANGES.md" start="<!--s-->" end="<!--e-->" %}\n\n{!part.md!}\n',
      'docs/part.md': '## Part\n\n[x](b.md)\n',
      'CHANGES.md': 'x\n<!--s-->\n[b](docs/b.md)\n<!--e-->\ny\n',
    })
    expect(page.text).toBe('# A\n\n[b](../b.md)\n\n## Part\n\n[x](b.md)\n')
  })

  it('has what a tag over several lines includes into a page of MkDocs', async () => {
    const page = await whole('docs/a.md', {
      'mkdocs.yml': '',
      'docs/a.md':
        '# A\n\n{%\n  include-markdown "../CHANGES.md"\n  start="<!--s-->"\n%}\n\n{% include "part.md" %}\n',
      'docs/part.md': '[x](b.md)\n',
      'CHANGES.md': 'x\n<!--s-->\n[b](docs/b.md)\n',
    })
    expect(page.text).toBe('# A\n\n[b](./b.md)\n\n[x](b.md)\n')
  })

  it('has the links that MyST makes relative to the file that is included', async () => {
    const page = await whole('docs/dev/changes.md', {
      'docs/conf.py': 'extensions = ["myst_parser"]',
      'docs/index.md': '',
      'docs/dev/changes.md': '```{include} ../../CHANGES.md\n:relative-docs: docs/\n:relative-images:\n```\n',
      'CHANGES.md': '[a](docs/a.md#x) [b](other.md) ![c](img/c.png)\n',
    })
    expect(page.text).toBe('[a](../a.md#x) [b](other.md) ![c](../../img/c.png)\n')
  })

  it('shows the code that VitePress takes from files as code', async () => {
    const page = await whole('guide/a.md', {
      '.vitepress/config.ts': 'export default {}',
      'guide/a.md': '# A\n\n<<< @/code/x.js#main{2 ts}\n\n<<< ../code/y.sh\n',
      'code/x.js': 'zero\n// #region main\nconst a = 1\n// #endregion main\n',
      'code/y.sh': 'run\n',
    })
    expect(page.text).toBe('# A\n\n`````ts\nconst a = 1\n`````\n\n`````sh\nrun\n`````\n')
  })

  it('has the parts of VitePress', async () => {
    const page = await whole('guide/a.md', {
      '.vitepress/config.ts': 'export default { themeConfig: {} }',
      'guide/a.md':
        '# A\n\n<!--@include: ./parts/b.md{2,3}-->\n\n<!-- @include: @/c.md#one -->\n\n```md\n- x\n\n    ```\n\n<!--@include: ./parts/b.md-->\n```\n',
      'guide/parts/b.md': 'one\ntwo\nthree\nfour\n',
      'c.md': 'zero\n<!-- #region one -->\nfirst\n<!-- #endregion one -->\nlast\n',
    })
    expect(page.text).toBe(
      '# A\n\ntwo\nthree\n\nfirst\n\n```md\n- x\n\n    ```\n\n<!--@include: ./parts/b.md-->\n```\n',
    )
  })

  it.each([
    ['jekyll', '{% include note.md version="2" %}', '_includes/note.md'],
    ['jekyll', '{% include_relative note.md %}', 'note.md'],
    ['gitbook', '{% include ".gitbook/includes/note.md" %}', '.gitbook/includes/note.md'],
    ['mdbook', '{{#include note.md}}', 'note.md'],
    ['mdbook', '{{#include note.md:1:2}}', 'note.md'],
    ['sphinx', '```{include} note.md\n:start-after: <!-- skip -->\n```', 'note.md'],
    ['myst', '```{include} note.md\n:start-after: <!-- skip -->\n```', 'note.md'],
    ['hugo', '{{% include "/_common/note.md" %}}', '_common/note.md'],
    ['hugo', '{{< readfile file="note.md" >}}', 'note.md'],
  ])('has what the pages of %s include by %s', async (framework, text, file) => {
    const files = { 'a.md': `# A\n\n${text}\n\nEnd\n`, [file]: '<!-- skip -->\nNote.\n' }
    const page = await whole('a.md', files, framework)
    expect(page.text.replace('<!-- skip -->\n', '')).toBe('# A\n\nNote.\n\nEnd\n')
  })

  it('makes links of an included file relative to it where MyST is told to, and no others', async () => {
    const page = await whole('docs/more/log.md', {
      'docs/conf.py': "extensions = ['myst_parser']\n",
      'docs/more/log.md': '```{include} ../../LOG.md\n:relative-docs: docs/\n```\n',
      'LOG.md': '[a](docs/a.md#x), [b](other/b.md)\n',
    })
    expect(page.text).toBe('[a](../a.md#x), [b](other/b.md)\n')
  })

  it('ends at files that include each other, and at texts that grow without end', async () => {
    const circle = await whole('docs/a.md', {
      'mkdocs.yml': 'markdown_extensions: [pymdownx.snippets]',
      'docs/a.md': 'a\n--8<-- "b.md"\n',
      'docs/b.md': 'b\n--8<-- "a.md"\n--8<-- "b.md"\n',
    })
    expect(circle.text).toBe('a\nb\n--8<-- "a.md"\n--8<-- "b.md"\n')
    const bomb: Record<string, string> = { 'mkdocs.yml': 'markdown_extensions: [pymdownx.snippets]' }
    for (let level = 0; level < 8; level++)
      bomb[`docs/${level}.md`] = `--8<-- "${level + 1}.md"\n`.repeat(50) + 'x'.repeat(2000)
    const { text } = await whole('docs/0.md', bomb)
    expect(text.length).toBeLessThan(3_000_000)
  })
})

async function whole(path: string, files: Record<string, string>, framework?: string) {
  const read = async (one: string): Promise<string | undefined> => files[one]
  const made = await createSite(read, { paths: Object.keys(files), root: '' })
  const site = framework === undefined ? made : ({ ...made, framework } as unknown as Site)
  const page = await readWholePage(site, path, files[path] ?? '', read)
  return { ...page, text: textOfPage(page) }
}

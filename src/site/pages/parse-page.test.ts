import { describe, expect, it } from 'vitest'
import { createSite } from '../frameworks/create-site.ts'
import type { Page } from './page.ts'
import { anchorsOf, parsePage } from './parse-page.ts'

const configs: Record<string, Record<string, string>> = {
  markdown: {},
  mkdocs: {
    'mkdocs.yml': 'markdown_extensions: [attr_list, admonition, pymdownx.details, pymdownx.tabbed]',
  },
  mintlify: { 'docs.json': '{"navigation": {"pages": ["page"]}}' },
  docusaurus: { 'docusaurus.config.js': 'module.exports = {}' },
  vitepress: { '.vitepress/config.ts': 'export default {}' },
  nuxt: { 'content.config.ts': 'export default {}' },
}
const places: Record<string, string> = {
  mkdocs: 'docs/page.md',
  mintlify: 'page.mdx',
  docusaurus: 'docs/page.md',
  nuxt: 'content/page.md',
}

async function site(framework: string) {
  const files = configs[framework] ?? {}
  const path = places[framework] ?? 'page.md'
  const made = await createSite(async (name) => files[name], {
    paths: [...Object.keys(files), path],
    root: '',
  })
  expect(made.framework).toBe(framework)
  return { made, path }
}

async function parse(framework: string, text: string): Promise<Page> {
  const { made, path } = await site(framework)
  const page = parsePage(made, path, text)
  if (!page) throw new Error('no page')
  return page
}

it('ends a fence at a line that stands far in only in MDX', async () => {
  const text = '```js\nf()\n    ```\n\n## After\n'
  const headings = async (framework: string) =>
    (await parse(framework, text)).sections.flatMap((section) => section.headings)
  expect(await headings('docusaurus')).toContain('After')
  expect(await headings('vitepress')).toEqual([])
})

const textOf = (page: Page) => page.sections.map((section) => section.text).join('\n')

describe('parsePage', () => {
  it('opens no comment where inline code shows one', async () => {
    const page = await parse(
      'docusaurus',
      '## One\n\n- With `//`, `<!--`, `{/*` or `#`.\n\n## Two\n\nText.\n',
    )
    expect(page.sections.map(({ anchor }) => anchor)).toEqual(['one', 'two'])
    const open = await parse('docusaurus', '## One\n\nA `b` <!-- c\n\n## Two\n')
    expect(open.sections.map(({ anchor }) => anchor)).toEqual(['one'])
  })

  it('reads no blocks within the tag of a component', async () => {
    const tag = '<Code lang="md" code={`\n---\ntitle: My page\n---\n\n## Shown\n\n~~~js\n`} />'
    const page = await parse('docusaurus', `## One\n\n${tag}\n\n## Two\n\n\`\`\`mdx\n${tag}\n\`\`\`\n`)
    expect(page.sections.map(({ anchor }) => anchor)).toEqual(['one', 'two'])
  })

  it('cuts a page at its headings and gives each section its path and anchor', async () => {
    const page = await parse(
      'markdown',
      '# Guide\n\nIntro.\n\n## Install\n\nOne.\n\n### On *Linux*\n\nTwo.\n\nUse\n---\n\nThree.\n',
    )
    expect(page.title).toBe('Guide')
    expect(page.sections).toEqual([
      { headings: [], anchor: undefined, text: 'Intro.' },
      { headings: ['Install'], anchor: 'install', text: 'One.' },
      { headings: ['Install', 'On Linux'], anchor: 'on-linux', text: 'Two.' },
      { headings: ['Use'], anchor: 'use', text: 'Three.' },
    ])
  })

  it('keeps a first heading that differs from the front matter title as a heading', async () => {
    const page = await parse(
      'markdown',
      '---\ntitle: "Title: one"\ndescription: What it is\ngroups: [a, b]\n---\n# Other\n\ntext',
    )
    expect(page).toMatchObject({ title: 'Title: one', description: 'What it is', groups: ['a', 'b'] })
    expect(page.sections).toEqual([{ headings: ['Other'], anchor: 'other', text: 'text' }])
  })

  it('reads a home page whose words are in its front matter', async () => {
    const page = await parse(
      'markdown',
      '---\nlayout: home\nhero:\n  name: Acme\n  tagline: Fast tools\n---\n',
    )
    expect(page).toMatchObject({ title: 'Acme', description: 'Fast tools' })
  })

  it.each([
    ['groups: [a, b]\ngroup: c\n', ['a', 'b', 'c'], []],
    ['tags:\n  - a\n  - label: b\n    permalink: /b\n', [], ['a', 'b']],
    ['categories: [a]\ncategory: b\ntags: a\ntag: NEW\n', [], ['a', 'NEW', 'b']],
    ['groups: admin\ntags: [1, {x: y}, null, [a]]\n', ['admin'], ['1']],
    [
      `tags: [${Array.from({ length: 60 }, (_, n) => `t${n}`).join(', ')}]\n`,
      [],
      expect.objectContaining({ length: 50 }),
    ],
  ])('takes groups of readers and tags from %j', async (front, groups, tags) => {
    expect(await parse('markdown', `---\n${front}---\nBody.`)).toMatchObject({ groups, tags })
  })

  it('takes the taxonomies of TOML front matter for its tags', async () => {
    const page = await parse('markdown', '+++\ntags = ["a"]\n[taxonomies]\ntags = ["b"]\n+++\nBody.')
    expect(page.tags).toEqual(['a', 'b'])
  })

  it('reads what it can of broken front matter and keeps the page', async () => {
    const page = await parse('markdown', '---\ntitle: Works: still\nbad: [\n---\n\nBody.')
    expect(page.title).toBe('Works: still')
    expect(textOf(page)).toBe('Body.')
    const open = await parse('markdown', '---\ntitle: never closed\n\nBody.')
    expect(textOf(open)).toContain('Body.')
    const toml = await parse('markdown', '+++\ntitle = "Toml"\n+++\nBody.')
    expect([toml.title, textOf(toml)]).toEqual(['Toml', 'Body.'])
  })

  it('removes markup from running text and keeps what only looks like it', async () => {
    const page = await parse(
      'markdown',
      'See [the **docs**](/x "T"), ![a cat](cat.png), [ref][r] and [r].\n`a * b` is 2 * 3, snake_case_name, ~~old~~ **bold _both_** &lt;T&gt; <https://a.test/> \\*x\\* [not a ref].\n\n[r]: /target "Title"\n[^1]: A note.\n',
    )
    expect(textOf(page)).toBe(
      'See the docs, ![a cat], ref and r.\n`a * b` is 2 * 3, snake_case_name, old bold both <T> https://a.test/ *x* [not a ref].\n\nA note.',
    )
  })

  it('keeps code as it stands, in lists and quotes too', async () => {
    const page = await parse(
      'markdown',
      '- item\n\n  ```js title="a.js"\n  # not a heading\n    deep\n  ```\n\n> ~~~\n> quoted *code*\n> ~~~\n> text\n\n````\n```\ninner\n```\n````\n',
    )
    expect(textOf(page)).toBe(
      '- item\n\n```js title="a.js"\n# not a heading\n  deep\n```\n\n~~~\nquoted *code*\n~~~\ntext\n\n````\n```\ninner\n```\n````',
    )
  })

  it('reads tables by cell', async () => {
    const page = await parse(
      'markdown',
      '| A | B |\n|---|---|\n| `x \\| y` | *z* |\n\nName | Use\n--- | ---\none | two\n',
    )
    expect(textOf(page)).toBe('A | B\n`x \\| y` | z\n\nName | Use\none | two')
  })

  it('leaves out comments, module lines, scripts and expressions of MDX, and keeps what components show', async () => {
    const page = await parse(
      'mintlify',
      [
        "import { Card } from 'x'",
        "import Other from 'y'",
        '',
        'export const Hello = () => {',
        '  const a = 1',
        '',
        '  return <p>hidden</p>',
        '}',
        '',
        'Imports matter. {/* gone */}{"kept"} {props.gone}',
        '',
        '<!-- a',
        '',
        'comment -->',
        '<Card',
        '  title="Start"',
        '  description="here"',
        '  href="/go"',
        '>',
        '  Body text.',
        '</Card>',
        '',
        '<Steps>',
        '  <Step title="First">',
        '    ## Inside',
        '    Do it.',
        '  </Step>',
        '</Steps>',
        '<script>',
        'alert(1)',
        '</script>',
      ].join('\n'),
    )
    expect(page.sections).toEqual([
      {
        headings: [],
        anchor: undefined,
        text: 'Imports matter. kept\n\nStart\nhere\n\nBody text.\n\nFirst',
      },
      { headings: ['Inside'], anchor: 'inside', text: 'Do it.' },
    ])
  })

  it('does not lose a page to a module block that never closes', async () => {
    const page = await parse('docusaurus', 'export const a = {\n\n# Title\n\nText.')
    expect(page.title).toBe('Title')
    expect(textOf(page)).toContain('Text.')
  })

  it.each([
    ['docusaurus', ':::note[Careful]\n\nText.\n\n:::', 'Careful\n\nText.'],
    ['docusaurus', ':::tip Legacy title\nText.\n:::', 'Legacy title\nText.'],
    ['mkdocs', '!!! note "Careful"\n\n    Text.\n\n??? tip\n    More.', 'Careful\n\nText.\n\nMore.'],
    ['mkdocs', '=== "Python"\n\n    ```py\n    x\n    ```', 'Python\n\n```py\nx\n```'],
    ['markdown', '> [!WARNING]\n> Text.', 'Text.'],
    [
      'nuxt',
      '::card{to="/x"}\n---\nicon: i-x\ntitle: "Get started"\nto: /a\n---\nText.\n\n  :::note[Own]\n  More.\n  :::\n::',
      'Get started\n\nText.\n\nOwn\nMore.',
    ],
    ['nuxt', 'A\n\n::note\n---\n\nText.\n::', 'A\n\nText.'],
    ['markdown', 'Use\n::std::sort here.', 'Use\n::std::sort here.'],
    ['vitepress', '::: details Click me\nText.\n:::\n\n[[toc]]', 'Click me\nText.'],
  ])('reads the call-outs of %s', async (framework, source, text) => {
    expect(textOf(await parse(framework, source))).toBe(text)
  })

  it('makes ids of headings that end in a tag', async () => {
    const page = await parse(
      'docusaurus',
      '# Page\n\n### `color` <div class="label">iOS</div> <div class="label">Android</div>\n\nText.',
    )
    expect(page.sections[0]?.anchor).toBe('color-ios-android')
  })

  it('knows every fragment that a link may name', async () => {
    const { made, path } = await site('mkdocs')
    const text =
      '# A\n\n## Own { #own .x }\n\n<a name="old"></a>\n\n<div id="box">x</div>\n\nPara\n{ #para }\n\n## A\n\n::: kit.App\n\n## A\n'
    const anchors = ['a', 'own', 'old', 'box', 'para', 'a_1', 'kit.App', 'a_2']
    expect(anchorsOf(made, path, text)).toEqual(new Set(anchors))
  })

  it.each([
    ['docusaurus', '## Own \\{#own}', 'own'],
    ['docusaurus', '## Own {/* #own */}', 'own'],
    ['vitepress', '## 1. What? <Badge text="new" />', '_1-what'],
    ['mintlify', "## What's new in docs.json?", 'what’s-new-in-docs-json'],
    ['mkdocs', '## Größe: `a_b`', 'groe-a_b'],
    ['markdown', '## C++ & `std::x`', 'c--stdx'],
  ])('makes heading ids as %s does: %s', async (framework, source, anchor) => {
    expect((await parse(framework, source)).sections.at(-1)?.anchor).toBe(anchor)
  })

  it('returns nothing that Postgres refuses', async () => {
    const page = await parse('markdown', '---\ntitle: "a\\ud800\\0b"\n---\n# x\0y\n\nz\ud800')
    expect(JSON.stringify(page)).not.toMatch(/\\u0000|\\ud800/)
  })

  it('names a page without title after its file', async () => {
    const made = await createSite(async () => undefined, {
      paths: ['docs/01-first_steps.md', 'docs/setup/README.md'],
      root: 'docs',
    })
    expect(parsePage(made, 'docs/01-first_steps.md', 'x')?.title).toBe('First steps')
    expect(parsePage(made, 'docs/setup/README.md', 'x')?.title).toBe('Setup')
  })

  it('reads the plain parts of front matter that would block the parser', async () => {
    const { made, path } = await site('markdown')
    const page = parsePage(made, path, `---\ntitle: Kept\nx: ${'!a '.repeat(20_000)}\n---\n# Other`)
    expect(page?.title).toBe('Kept')
  })

  it.each([
    ['is left open', '- one\n\n  - two\n\n      ```yaml\n      a: 1\n\n- three\n\n## Next\n'],
    ['is left open at the beginning of an item', '- ```yaml\n  a: 1\n\n## Next\n'],
    ['is closed further out', '- one\n\n    ```yaml\n    a: 1\n  ```\n\n## Next\n'],
  ])('ends code in a list that %s with the list', async (_, text) => {
    const { made, path } = await site('docusaurus')
    expect(parsePage(made, path, text)?.sections.at(-1)?.anchor).toBe('next')
  })

  it('takes nothing of what mkdocstrings is told as text', async () => {
    const { made, path } = await site('mkdocs')
    const page = parsePage(
      made,
      path,
      'Before.\n\n::: pkg.mod\n    options:\n\n      members: [a]\n\nAfter.\n',
    )
    expect(page?.sections.map(({ text }) => text)).toEqual(['Before.\n\nAfter.'])
  })

  it('survives hostile pages', async () => {
    const size = 300_000
    const bombs = [
      '[',
      '](',
      '[](',
      '*a',
      '_a ',
      '`` ` ',
      '<a b="',
      '<A b={"',
      '{`',
      '{%',
      '> ',
      '- ',
      '# a\n',
      '```\n',
      '|`',
      '<!--',
      '{/*',
      '[a]: b\n',
      '&#',
      '![a](',
      ':::',
      '<h1>',
    ]
    const texts = bombs.map((bomb) => bomb.repeat(size / bomb.length))
    texts.push(
      `a${' '.repeat(size)}b`,
      `!!! ${' '.repeat(size)}x`,
      `---\na: ${'['.repeat(50_000)}\n---\nx`,
      `export const a = ${'{\n'.repeat(50_000)}`,
    )
    for (const framework of ['markdown', 'mintlify']) {
      const { made, path } = await site(framework)
      for (const text of texts)
        expect(parsePage(made, path, text)?.sections.length ?? 0).toBeLessThanOrEqual(5001)
    }
  })
})

import { describe, expect, it } from 'vitest'
import { problemsAfter } from './change-tree.ts'
import { openTree } from './open-tree.ts'

const short = async (...input: Parameters<typeof problemsAfter>) =>
  (await problemsAfter(...input)).map(({ check, severity, href }) => [check, severity ?? 'error', href])

describe('headings', () => {
  /** Six pages that link to headings of `target.md` by ids that keep case. */
  const cased = {
    'target.md': '# Target\n\n## First Part\n\n## Use JSON\n\n## How It Works\n',
    ...Object.fromEntries(
      ['First-Part', 'Use-JSON', 'How-It-Works', 'First-Part', 'Use-JSON'].map((anchor, at) => [
        `page-${at}.md`,
        `[x](target.md#${anchor})\n`,
      ]),
    ),
  }

  it('have the ids that the links of the site show', async () => {
    expect(
      await problemsAfter(cased, { 'new.md': '[x](target.md#Use-JSON) [y](target.md#use-json)\n' }),
    ).toMatchObject([{ check: 'anchor', href: 'target.md#use-json', hint: 'Write target.md#Use-JSON' }])
    const { call } = await openTree(cased)
    expect(await call('check', {})).toMatchObject({ total: 0, checked: 5, broken: 0 })
  })

  it('are lost when their case changes, where ids keep it', async () => {
    const text = '# Target\n\n## First Part\n\n## Use Json\n\n## How It Works\n'
    expect(await short(cased, { 'target.md': text })).toEqual([
      ['anchor', 'error', 'target.md#Use-JSON'],
      ['anchor', 'error', 'target.md#Use-JSON'],
    ])
  })

  it('are not known to the letter where code of VitePress makes their ids', async () => {
    const tree = {
      '.vitepress/config/index.ts':
        "import { slugify } from './shared'\nexport default { markdown: { anchor: { slugify } } }\n",
      '.vitepress/config/shared.ts': "export const slugify = (text: string) => text.replace(/\\W+/g, '-')\n",
      'a.md': '# A\n\n## Shared Getters (new)\n',
    }
    expect(await short(tree, { 'b.md': '[x](a.md#Shared-Getters-new-) [y](a.md#shared-actions)\n' })).toEqual(
      [['anchor', 'error', 'a.md#shared-actions']],
    )
  })

  it('of which most are unknown make warnings without a suggestion', async () => {
    const odd = Object.fromEntries(
      Object.entries(cased).map(([path, text]) => [path, text.replace(/#(\w+)-/, '#h_$1--')]),
    )
    const added = { 'new.md': 'See [x](target.md#h_How--Not)\n' }
    const [problem, ...others] = await problemsAfter(odd, added)
    expect(others).toEqual([])
    expect(problem).toMatchObject({ check: 'anchor', severity: 'warning' })
    expect(problem).not.toHaveProperty('suggestions')
    expect(problem?.hint).toContain('5 of 5 links to headings')
  })

  it('may be terms of a definition list, which have ids in some sites', async () => {
    const tree = { 'a.md': '# A\n\n`Step One`\n: Do it.\n', 'b.md': '# B\n' }
    expect(await short(tree, { 'b.md': '[x](a.md#step-one)\n' })).toEqual([])
  })

  it('that a build may fill in are warnings', async () => {
    const tree = { 'mkdocs.yml': '', 'docs/api.md': '# API\n\n::: my.module\n', 'docs/a.md': '# A\n' }
    expect(await short(tree, { 'docs/a.md': '[x](api.md#my.module.load) [y](#nowhere)\n' })).toEqual([
      ['anchor', 'warning', 'api.md#my.module.load'],
      ['anchor', 'error', '#nowhere'],
    ])
    // A page that only shows such calls is known whole.
    const shown = { 'a.md': '# A\n\n```liquid\n{% include x.md %}\n```\n', 'b.md': '{% include x.md %}\n' }
    expect(await short(shown, { 'c.md': '[x](a.md#y) [z](b.md#y)\n' })).toEqual([
      ['anchor', 'error', 'a.md#y'],
      ['anchor', 'warning', 'b.md#y'],
    ])
  })

  it('that a change takes away are missed all the same', async () => {
    expect(await short(cased, { 'target.md': '# Target\n\n## First Part\n\n## How It Works\n' })).toEqual([
      ['anchor', 'error', 'target.md#Use-JSON'],
      ['anchor', 'error', 'target.md#Use-JSON'],
    ])
  })
})

describe('links', () => {
  const made = {
    'docusaurus.config.js': 'export default { presets: [["classic", { docs: { routeBasePath: "/" } }]] }',
    'docs/intro.md': '# Intro\n\n[a](/api/one) [b](/api/two) [c](/api/three) [d](/guide/start)\n',
    'docs/guide/start.md': '# Start\n',
    'docs/api/overview.md': '# Overview\n',
  }

  it('to pages that a build makes are warnings, as the site has many like them', async () => {
    expect(
      await short(made, { 'docs/guide/next.md': '# Next\n\n[x](/api/four) [y](/guide/gone)\n' }),
    ).toEqual([
      ['link', 'warning', '/api/four'],
      ['link', 'error', '/guide/gone'],
    ])
  })

  it('are errors where the right ones are known, however many there are', async () => {
    const moved = {
      'a.md': '[x](old/one.md) [y](old/two.md) [z](old/three.md)\n',
      'new/one.md': '# 1\n',
      'new/two.md': '# 2\n',
      'new/three.md': '# 3\n',
      'new/four.md': '# 4\n',
    }
    expect(await short(moved, { 'b.md': '[x](old/four.md)\n' })).toEqual([['link', 'error', 'old/four.md']])
    const { call } = await openTree(moved)
    expect(await call('check', {})).toMatchObject({ broken: 3 })
  })

  it('that nearly all are of a form no file explains are warnings, although names look alike', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `topic-${'abcdefghijkl'[at]}`)
    const tree = {
      ...Object.fromEntries(names.map((name) => [`docs/01-parts/${name}.md`, '# X\n'])),
      'docs/02-more/a.md': names.map((name) => `[x](${name})`).join(' '),
    }
    const added = { 'docs/02-more/b.md': 'See [x](topic-a).\n' }
    const [problem] = await problemsAfter(tree, added)
    expect(problem).toMatchObject({ check: 'link', severity: 'warning', href: 'topic-a' })
    expect(problem).not.toHaveProperty('suggestions')
  })

  it('from the top of plain Markdown count from where most of them lead somewhere', async () => {
    const names = ['one', 'two', 'three', 'four', 'five']
    const pages = (top: string) => ({
      ...Object.fromEntries(names.map((name) => [`${top}guide/${name}.md`, '# X\n'])),
      'README.md': names.map((name) => `[x](/guide/${name})`).join(' '),
    })
    for (const top of ['', 'site/content/'])
      expect(
        await problemsAfter(pages(top), { 'new.md': '[x](/guide/six) [y](/guid/one) [z](/guide/two)\n' }),
      ).toMatchObject([
        { check: 'link', href: '/guide/six' },
        { check: 'link', href: '/guid/one', hint: 'Write /guide/one' },
      ])
    const { call } = await openTree({ 'a.md': '[x](/b)\n', 'c.md': '[x](/d)\n' })
    expect(await call('check', {})).toMatchObject({
      checked: 0,
      notLookedAt: [{ kind: 'links from the top of a site whose top is not known', count: 2 }],
    })
  })
})

it('asks for languages of code only where the site has them', async () => {
  const block = '```js\na\n```\n\n```sh\nb\n```\n\n'
  const tree = { 'a.md': block, 'b.md': '# B\n' }
  const added = { 'b.md': `${block}\`\`\`\nnpm install\n\`\`\`\n` }
  expect(await short(tree, added)).toEqual([['fence', 'error', undefined]])
  expect(await short({ ...tree, 'c.md': '```\nx\n```\n' }, added)).toEqual([['fence', 'warning', undefined]])
})

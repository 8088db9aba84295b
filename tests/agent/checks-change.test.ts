import { describe, expect, it } from 'vitest'
import { newProblems } from '../../src/site/checks/new-problems.ts'
import { problemsAfter } from './change-tree.ts'
import { openTree } from './open-tree.ts'

const page = (text: string) => `---\ntitle: Page\n---\n\n${text}\n`
const mintlify = {
  'docs.json': '{"navigation": {"pages": ["index", "guides/install"]}}',
  'index.mdx': page('Hello.'),
  'guides/install.mdx': page('Install it.\n\nThen start it.\n\nThen stop it.'),
  'guides/orphan.mdx': page('Nobody finds this.\n\nNobody at all.\n\nNever.'),
}
const mkdocs = {
  'mkdocs.yml':
    'nav:\n  - index.md\n  - a.md\nplugins:\n  - redirects:\n      redirect_maps:\n        old.md: index.md\n',
  'docs/index.md': '# Home\n',
  'docs/a.md': '# A\n\nOne line.\n\nAnother line.\n',
}

const short = async (...input: Parameters<typeof problemsAfter>) =>
  (await problemsAfter(...input)).map(({ check, severity, path }) => [check, severity ?? 'error', path])

describe('navigation', () => {
  it('has every new page that is not hidden', async () => {
    const added = {
      'guides/new.mdx': page('New.'),
      'snippets/part.mdx': 'Part.',
      'guides/old.mdx': page('x'),
    }
    const { 'guides/orphan.mdx': orphan, ...complete } = mintlify
    const hidden = { ...added, 'guides/old.mdx': '---\ntitle: x\nhidden: true\n---\n' }
    expect(await short(complete, hidden)).toEqual([['navigation', 'error', 'guides/new.mdx']])
    // Where some pages are left out already, one more may be meant.
    const incomplete = { ...complete, 'guides/orphan.mdx': orphan }
    expect(await short(incomplete, hidden)).toEqual([['navigation', 'warning', 'guides/new.mdx']])
    const named = '{"navigation": {"pages": ["index", "guides/install", "guides/new"]}}'
    expect(await short(mintlify, { 'guides/new.mdx': page('New.'), 'docs.json': named })).toEqual([])
    expect(await short(mkdocs, { 'docs/b.md': '# B\n' })).toEqual([['navigation', 'error', 'docs/b.md']])
    expect(await short({ ...mkdocs, 'mkdocs.yml': 'site_name: x\n' }, { 'docs/b.md': '# B\n' })).toEqual([])
  })

  it('need not have a start page, pages beside such as it does not have, and one named by its own address', async () => {
    const starlight = {
      'astro.config.mjs':
        "import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({ sidebar: ['a', 'other/b'] })] }",
      '.gitignore': 'src/content/docs/made/\n',
      'src/pages/[...slug].md.ts': 'x',
      'src/content/docs/a.md': page('x'),
      'src/content/docs/blog/one.md': page('x'),
    }
    const docs = 'src/content/docs/'
    const added = {
      [`${docs}index.mdx`]: page('[made](/made/x/) [gone](/gone/)'),
      [`${docs}blog/two.md`]: page('x'),
      [`${docs}b.md`]: '---\ntitle: B\nslug: other/b\n---\n',
      [`${docs}c.md`]: page('Quite another text.'),
    }
    expect(await short(starlight, added)).toEqual([
      ['link', 'error', `${docs}index.mdx`],
      ['navigation', 'error', `${docs}c.md`],
    ])
  })

  it('need not have a page that was moved or copied and was not in it either', async () => {
    const moved = {
      'guides/orphan.mdx': undefined,
      'guides/lonely.mdx': `${mintlify['guides/orphan.mdx']}\nMore.`,
    }
    expect(await short(mintlify, moved)).toEqual([['redirect', 'warning', 'guides/orphan.mdx']])
    // Nor is anything that is wrong with a copy new.
    const old = page('{a b}\n\n```\nx\n```')
    expect(await short({ ...mintlify, 'old.mdx': old }, { 'v1/old.mdx': old })).toEqual([])
  })
})

describe('redirects', () => {
  it('lead on from where pages were, in files where the site keeps them', async () => {
    const { call, baseView, view } = await openTree(mkdocs)
    await call('move_page', { from: 'docs/a.md', to: 'docs/b.md' })
    expect(await newProblems(baseView, view, {})).toEqual([])
    const nav = mkdocs['mkdocs.yml'].replace('a.md', 'b.md')
    const moved = { 'docs/a.md': undefined, 'docs/b.md': mkdocs['docs/a.md'], 'mkdocs.yml': nav }
    expect(await problemsAfter(mkdocs, moved)).toMatchObject([
      { check: 'redirect', path: 'docs/a.md', line: 1, hint: 'Add a redirect from /a/ to /b/ in mkdocs.yml' },
    ])
    expect(await short(mkdocs, moved)).toEqual([['redirect', 'warning', 'docs/a.md']])
    // A site that keeps them up means to have all of them.
    const more = [1, 2, 3, 4].map((at) => `        old${at}.md: index.md\n`).join('')
    const kept = { ...mkdocs, 'mkdocs.yml': `${mkdocs['mkdocs.yml']}${more}` }
    expect(await short(kept, { ...moved, 'mkdocs.yml': `${nav}${more}` })).toEqual([
      ['redirect', 'error', 'docs/a.md'],
    ])
    const without = { ...mkdocs, 'mkdocs.yml': 'nav:\n  - index.md\n  - a.md\n' }
    expect(await short(without, { ...moved, 'mkdocs.yml': 'nav:\n  - index.md\n  - b.md\n' })).toEqual([
      ['redirect', 'warning', 'docs/a.md'],
    ])
  })

  it('are not missed where nobody could follow them, or another page has the address', async () => {
    const hidden = { ...mintlify, 'x.mdx': '---\ntitle: X\nhidden: true\n---\n' }
    expect(await short(hidden, { 'x.mdx': undefined })).toEqual([])
    const pages = { ...mintlify, 'docs.json': '{"navigation": {"pages": ["index", "guides/install/index"]}}' }
    expect(
      await short(mintlify, {
        'docs.json': pages['docs.json'],
        'guides/install.mdx': undefined,
        'guides/install/index.mdx': mintlify['guides/install.mdx'],
      }),
    ).toEqual([])
  })

  it('are asked for when front matter gives a page another address', async () => {
    const tree = {
      'docusaurus.config.js': 'export default { presets: [["classic", { docs: {} }]] }',
      'docs/intro.md': '---\nslug: /start\n---\n# Intro\n',
    }
    expect(await problemsAfter(tree, { 'docs/intro.md': '---\nslug: /begin\n---\n# Intro\n' })).toMatchObject(
      [{ check: 'redirect', severity: 'warning', message: expect.stringContaining('/docs/start') }],
    )
  })
})

it('finds two pages with one address when the change makes them so', async () => {
  const tree = { ...mintlify, 'twice.md': page('One.'), 'twice.mdx': page('Two.') }
  const added = { 'guides/install.md': page('Other.'), 'twice.mdx': page('Three.') }
  expect((await short(tree, added)).filter(([check]) => check === 'route')).toEqual([
    ['route', 'error', 'guides/install.md'],
  ])
})

describe('terms of a glossary', () => {
  const glossary = 'GitHub: [Github, git hub]\nsign in: [login]\nAcme Cloud: [Acme]\n'
  const tree = { ...mintlify, 'glossary.yml': glossary, 'index.mdx': page('The old Github.') }
  const lines = async (text: string, files: Record<string, string> = tree) =>
    (await problemsAfter(files, { 'index.mdx': page(text) }))
      .filter(({ check }) => check === 'term')
      .map(({ line, hint }) => `${line} ${hint}`)

  it('are written as it says, in lines that the change adds', async () => {
    expect(
      await lines(
        'Before.\n\nThe old Github.\n\nOn Github.\n\nLogin with git\nhub, githubs, git\n\nhub, GitHub or Acme Cloud.',
      ),
    ).toEqual([
      '9 Write "GitHub", as glossary.yml says',
      '11 Write "sign in", as glossary.yml says',
      '11 Write "GitHub", as glossary.yml says',
    ])
  })

  it('stay as they are in code, addresses, tags and imports', async () => {
    const text = [
      "import Github from './github.js'",
      '',
      '`Github` [x](https://a.example/Github) https://Github.example <Github name="Github" /> {Github}',
      '',
      '```\nGithub\n```',
      '',
      '<!-- Github -->',
      '',
      '[Github]: /a/Github',
      '',
      'Edit docs/Github/x.md on Github.com as @Github.',
      '',
      '<Card\n  icon="Github"\n  go={() => { Github() }}\n/>',
    ].join('\n')
    expect(await lines(text)).toEqual([])
  })

  it('are the base’s, and never the definitions of words', async () => {
    const words = 'API: Application Programming Interface\nCLI:\n  definition: A tool.\n  related: [shell]\n'
    expect(
      await lines('A shell is an Application Programming Interface.', { ...tree, 'glossary.yml': words }),
    ).toEqual([])
    const table =
      '| Term | Meaning |\n| --- | --- |\n| Cache | fast store |\n\n- **GitHub**: not Github\n- **Log**: not required\n'
    const files: Record<string, string> = { ...mintlify, 'glossary.md': table }
    expect(await lines('A fast store on Github is required.', files)).toEqual([
      '5 Write "GitHub", as glossary.md says',
    ])
    expect(await short(mintlify, { 'glossary.yml': glossary, 'index.mdx': page('On Github.') })).toEqual([])
  })
})

it('warns of what linters say of lines that the change adds, by the settings of the base', async () => {
  const tree = { ...mintlify, '.vale.ini': 'base' }
  const changes = { 'guides/install.mdx': page('Then stop it.\n\nThen fix it.'), '.vale.ini': 'head' }
  const settings: unknown[] = []
  const found = await problemsAfter(tree, changes, {
    lint: async ({ tree, pages }) => {
      settings.push(Buffer.from((await tree.read('.vale.ini')) ?? []).toString())
      return pages.flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, at) =>
            line.startsWith('Then')
              ? [{ linter: 'vale' as const, path, line: at + 1, message: 'Not then', rule: 'No.Then' }]
              : [],
          ),
      )
    },
  })
  expect(found).toEqual([
    {
      check: 'vale',
      severity: 'warning',
      path: 'guides/install.mdx',
      line: 7,
      message: 'Not then (No.Then)',
    },
  ])
  expect(settings).toEqual(['base'])
})

describe('the check tool', () => {
  it('tells errors of what was changed beside older problems, and only what is new when asked', async () => {
    const { call } = await openTree({ ...mintlify, 'guides/orphan.mdx': page('[x](/nowhere)') })
    await call('read_file', { path: 'index.mdx' })
    await call('edit_file', {
      path: 'index.mdx',
      edits: [{ search: 'Hello.', replace: '{a b}\n\n```\nx\n```' }],
    })
    const found = async (input: unknown) => {
      const { problems } = await call('check', input)
      return (Array.isArray(problems) ? problems : []).map((one) => `${one.check} ${one.path}`)
    }
    expect(await found({})).toEqual(['link guides/orphan.mdx', 'mdx index.mdx'])
    expect(await found({ onlyNew: true })).toEqual(['mdx index.mdx', 'fence index.mdx'])
    expect(await found({ onlyNew: true, paths: ['guides'] })).toEqual([])
  })
})

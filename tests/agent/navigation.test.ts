import { describe, expect, it } from 'vitest'
import { openTree } from './open-tree.ts'

const mintlify = {
  'docs.json': `{
  // kept
  "navigation": {
    "languages": [
      {
        "language": "en",
        "groups": [
          { "group": "Start", "pages": ["/index"] },
          {
            "group": "Guides",
            "pages": [
              "guides/a",
              {
                "group": "Only",
                "pages": ["only/one"]
              }
            ]
          },
          { "group": "Empty", "pages": [] }
        ]
      }
    ]
  }
}`,
  'index.mdx': 'x\n',
  'guides/a.mdx': 'x\n',
  'guides/b.mdx': 'x\n',
  'only/one.mdx': 'x\n',
}
const line = (text: string) => `${text}\n`

describe('add_to_navigation on Mintlify', () => {
  it('moves the entry of a page that is there, with its style, and leaves one that is in its place', async () => {
    const put = async (input: object) => {
      const { call, diff } = await openTree(mintlify)
      const output = await call('add_to_navigation', { path: 'guides/a.mdx', ...input })
      return { output, lines: (await diff())['docs.json'] }
    }
    expect((await put({ group: 'Start' })).lines).toEqual([
      line('-          { "group": "Start", "pages": ["/index"] },'),
      line('+          { "group": "Start", "pages": ["/index", "/guides/a"] },'),
      line('-              "guides/a",'),
    ])
    expect((await put({ group: 'Guides' })).output).toMatchObject({
      changed: [],
      note: expect.stringContaining('"Guides"'),
    })
    const { call, text } = await openTree({
      'mkdocs.yml': 'nav:\n  - A: a.md\n  - Own title: b.md\n  - More:\n      - c.md\n',
      'docs/a.md': 'x\n',
      'docs/b.md': 'x\n',
      'docs/c.md': 'x\n',
    })
    await call('add_to_navigation', { path: 'docs/b.md', after: 'docs/c.md' })
    expect(await text('mkdocs.yml')).toBe('nav:\n  - A: a.md\n  - More:\n      - c.md\n      - b.md\n')
  })

  it('finds its place, and checks end, when files bring each other without end', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `f${index}.json`)
    const references = names.map((name) => `{"$ref": "/${name}"}`).join()
    const { call, diff } = await openTree({
      'docs.json': `{"navigation": {"pages": ["index", ${references}]}}`,
      ...Object.fromEntries(names.map((name) => [name, `[${references}]`])),
      'index.mdx': 'x\n',
      'new.mdx': 'x\n',
    })
    expect(await call('add_to_navigation', { path: 'new.mdx', after: 'index.mdx' })).toMatchObject({
      changed: ['docs.json'],
    })
    expect((await diff())['docs.json']).toContainEqual(expect.stringContaining('"index", "new"'))
  })

  it('survives a list of more pages than a call may have arguments', async () => {
    const pages = Array.from({ length: 150_000 }, (_, index) => `"gone-${index}"`)
    const { call } = await openTree({
      'docs.json': `{"navigation": {"pages": [${pages.join()}]}}`,
      'index.mdx': 'x\n',
    })
    expect(await call('check', {})).not.toHaveProperty('error')
  })

  it('adds beside the pages of the folder, behind a page, or at the end of a group, laid out as its neighbours', async () => {
    const add = async (input: object) => {
      const { call, diff } = await openTree(mintlify)
      return {
        output: await call('add_to_navigation', { path: 'guides/b.mdx', ...input }),
        lines: (await diff())['docs.json'],
      }
    }
    expect(await add({})).toEqual({
      output: { changed: ['docs.json'], diff: expect.stringContaining('guides/b') },
      lines: [line('+              "guides/b",')],
    })
    expect((await add({ after: 'only/one.mdx' })).lines).toEqual([
      line('-                "pages": ["only/one"]'),
      line('+                "pages": ["only/one", "guides/b"]'),
    ])
    expect((await add({ group: 'start' })).lines).toEqual([
      line('-          { "group": "Start", "pages": ["/index"] },'),
      line('+          { "group": "Start", "pages": ["/index", "/guides/b"] },'),
    ])
    expect((await add({ group: 'Empty' })).lines).toEqual([
      line('-          { "group": "Empty", "pages": [] }'),
      line('+          { "group": "Empty", "pages": ['),
      line('+            "guides/b"'),
      line('+          ] }'),
    ])
    expect((await add({ group: 'Nope' })).output).toMatchObject({
      error: { code: 'no_such_group', groups: ['Start', 'Guides', 'Only', 'Empty'] },
    })
    expect((await add({ after: 'guides/nope.mdx' })).output).toMatchObject({
      error: { code: 'no_such_page' },
    })
  })

  it('does nothing for a page that is there, and asks for a group where none is near', async () => {
    const { call } = await openTree({ ...mintlify, 'other/x.mdx': 'x\n' })
    expect(await call('add_to_navigation', { path: 'guides/a.mdx' })).toMatchObject({ changed: [] })
    expect(await call('add_to_navigation', { path: 'other/x.mdx' })).toMatchObject({
      error: { code: 'group_needed' },
    })
    expect(await call('add_to_navigation', { path: 'nope.mdx' })).toMatchObject({
      error: { code: 'not_found' },
    })
  })

  it('tells groups of the same name apart by the page and by the groups above them', async () => {
    const languages = ['en', 'fr'].map((language) => {
      const groups = [{ group: 'Guides', root: `${language}/guides/index`, pages: [`${language}/guides/a`] }]
      return { language, groups }
    })
    const tree = {
      'docs.json': `${JSON.stringify({ navigation: { languages } }, undefined, 2)}\n`,
      'en/guides/index.mdx': 'x\n',
      'en/guides/a.mdx': 'x\n',
      'fr/guides/index.mdx': 'x\n',
      'fr/guides/a.mdx': 'x\n',
      'fr/guides/b.mdx': 'x\n',
    }
    const inFrench = [
      line('-              "fr/guides/a"'),
      line('+              "fr/guides/a",'),
      line('+              "fr/guides/b"'),
    ]
    for (const input of [{ group: 'guides' }, { group: 'fr > Guides' }, {}]) {
      const { call, diff } = await openTree(tree)
      await call('add_to_navigation', { path: 'fr/guides/b.mdx', ...input })
      expect(await diff()).toEqual({ 'docs.json': inFrench })
    }
    const { call, diff } = await openTree(tree)
    expect(await call('add_to_navigation', { path: 'fr/guides/b.mdx', group: 'en > Nope' })).toMatchObject({
      error: { groups: ['en > Guides', 'fr > Guides'] },
    })
    // Behind the group's own page is the first place in it.
    await call('add_to_navigation', { path: 'fr/guides/b.mdx', after: 'fr/guides/index.mdx' })
    expect(await diff()).toEqual({ 'docs.json': [line('+              "fr/guides/b",')] })
  })

  it('keeps the comments beside the entries that it adds and removes', async () => {
    const pages = '[\n      "index", // first\n      "a" // last\n    ]'
    const tree = {
      'docs.json': `{\n  "navigation": {\n    "pages": ${pages}\n  }\n}\n`,
      'index.mdx': 'x\n',
      'a.mdx': 'x\n',
      'b.mdx': 'x\n',
    }
    const { call, diff } = await openTree(tree)
    await call('add_to_navigation', { path: 'b.mdx' })
    expect(await diff()).toEqual({
      'docs.json': [line('-      "a" // last'), line('+      "a", // last'), line('+      "b"')],
    })
  })

  it("removes a deleted page's entry and the group that it leaves empty, and names the links to it", async () => {
    const { call, diff } = await openTree({ ...mintlify, 'guides/b.mdx': '[one](/only/one#x)\n' })
    expect(await call('delete_page', { path: 'only/one.mdx' })).toEqual({
      path: 'only/one.mdx',
      changed: ['docs.json'],
      inboundLinks: [{ path: 'guides/b.mdx', line: 1, href: '/only/one#x' }],
    })
    expect((await diff())['docs.json']).toEqual([
      line('-              "guides/a",'),
      line('-              {'),
      line('-                "group": "Only",'),
      line('-                "pages": ["only/one"]'),
      line('-              }'),
      line('+              "guides/a"'),
    ])
  })

  it('removes a page that the end of a list names twice', async () => {
    for (const pages of ['["index", "a", "a"]', '[\n    "index",\n    "a",\n    "a"\n  ]']) {
      const config = (list: string) => `{"navigation": {"groups": [{"group": "G", "pages": ${list}}]}}`
      const { call, text } = await openTree({ 'docs.json': config(pages), 'index.mdx': 'x', 'a.mdx': 'x' })
      await call('delete_page', { path: 'a.mdx' })
      expect(await text('docs.json')).toBe(config(pages.replaceAll(/,\s+"a"/g, '')))
    }
  })

  it('tells of configuration that cannot be read', async () => {
    for (const source of ['{"navigation": ', `{"navigation": ${'['.repeat(100_000)}`, '[]', '"x"']) {
      const { call } = await openTree({ ...mintlify, 'docs.json': source })
      expect(await call('add_to_navigation', { path: 'guides/b.mdx' })).not.toMatchObject({
        changed: [expect.any(String)],
      })
      expect(await call('check', {})).toHaveProperty('total')
    }
  })
})

describe('add_to_navigation on MkDocs', () => {
  const config =
    'site_name: X\r\nnav:\r\n  - Home: index.md # first\r\n  - Guides:\r\n    - A: guides/a.md\r\n  - Lone:\r\n      - guides/c.md\r\ntheme: !ENV x'
  const tree = {
    'mkdocs.yml': config,
    'docs/index.md': 'x\n',
    'docs/guides/a.md': 'x\n',
    'docs/guides/b.md': '---\ntitle: "B: more"\n---\n',
    'docs/guides/c.md': 'x\n',
  }

  it('adds a line as its neighbours have it', async () => {
    const add = async (input: object) => {
      const { call, text } = await openTree(tree)
      await call('add_to_navigation', { path: 'docs/guides/b.md', ...input })
      return text('mkdocs.yml')
    }
    const titled = '- "B: more": guides/b.md\r\n'
    expect(await add({ after: 'docs/index.md' })).toBe(
      config.replace('# first\r\n', `# first\r\n  ${titled}`),
    )
    expect(await add({ group: 'guides' })).toBe(
      config.replace('guides/a.md\r\n', `guides/a.md\r\n    ${titled}`),
    )
    expect(await add({ group: 'Lone' })).toBe(
      config.replace('guides/c.md\r\n', 'guides/c.md\r\n      - guides/b.md\r\n'),
    )
  })

  it('removes the line of a deleted page, and the section that it leaves empty', async () => {
    const { call, text } = await openTree(tree)
    expect(await call('delete_page', { path: 'docs/guides/c.md' })).toMatchObject({ changed: ['mkdocs.yml'] })
    expect(await text('mkdocs.yml')).toBe(config.replace('  - Lone:\r\n      - guides/c.md\r\n', ''))
    await call('delete_page', { path: 'docs/index.md' })
    expect(await text('mkdocs.yml')).toBe(
      'site_name: X\r\nnav:\r\n  - Guides:\r\n    - A: guides/a.md\r\ntheme: !ENV x',
    )
  })

  it('names no group that has no label', async () => {
    const unnamed = 'nav:\n- index.md\n- "":\n  - guides/a.md\n- "":\n  - guides/c.md\n'
    const { call, text } = await openTree({ ...tree, 'mkdocs.yml': unnamed })
    expect(await call('add_to_navigation', { path: 'docs/guides/b.md', group: 'X' })).toMatchObject({
      error: { code: 'no_such_group', groups: [] },
    })
    await call('add_to_navigation', { path: 'docs/guides/b.md', group: '' })
    expect(await text('mkdocs.yml')).toBe(`${unnamed}  - guides/b.md\n`)
  })

  it('edits a nav in one line', async () => {
    const { call, text } = await openTree({ ...tree, 'mkdocs.yml': 'nav: [index.md, {A: guides/a.md}]\n' })
    await call('add_to_navigation', { path: 'docs/guides/b.md', after: 'docs/index.md' })
    expect(await text('mkdocs.yml')).toBe('nav: [index.md, {"B: more": guides/b.md}, {A: guides/a.md}]\n')
    await call('delete_page', { path: 'docs/guides/a.md' })
    expect(await text('mkdocs.yml')).toBe('nav: [index.md, {"B: more": guides/b.md}]\n')
  })
})

it('leads redirects of MkDocs to the new page, and none in a circle', async () => {
  const config = (maps: string) => `plugins:\n  - redirects:\n      redirect_maps:\n${maps}nav:\n  - x.md\n`
  const pages = { 'docs/a.md': 'x\n', 'docs/x.md': 'x\n' }
  const maps = "        old.md: 'a.md#part'\n        a.md: gone.md\n        b.md: x.md\n"
  const { call, text } = await openTree({ 'mkdocs.yml': config(maps), ...pages })
  await call('move_page', { from: 'docs/a.md', to: 'docs/b.md' })
  expect(await text('mkdocs.yml')).toBe(config("        old.md: 'b.md#part'\n        a.md: b.md\n"))
  const other = await openTree({ 'mkdocs.yml': config('        b.md: a.md # kept\n'), ...pages })
  await other.call('move_page', { from: 'docs/a.md', to: 'docs/b.md' })
  expect(await other.text('mkdocs.yml')).toBe(config('        a.md: b.md # kept\n'))
})

it('adds behind no page that another folder shows', async () => {
  const tree = {
    'mkdocs.yml': 'site_name: X\nplugins: [awesome-pages]\n',
    'docs/.pages': 'nav:\n  - index.md\n',
    'docs/guides/.pages': 'nav:\n  - a.md\n',
    'docs/index.md': 'x\n',
    'docs/guides/a.md': 'x\n',
    'docs/guides/b.md': 'x\n',
  }
  const { call, diff } = await openTree(tree)
  expect(await call('add_to_navigation', { path: 'docs/guides/b.md', after: 'docs/index.md' })).toMatchObject(
    { error: { code: 'no_such_page' } },
  )
  expect(await diff()).toEqual({})
})

it('edits the file of a folder where a plugin of MkDocs reads one, and none that shows all', async () => {
  const tree = {
    'mkdocs.yml': 'site_name: X\nplugins: [awesome-pages]\n',
    'docs/.pages': 'nav:\n  - index.md\n  - guides # kept\n',
    'docs/guides/.pages': "title: G\nnav:\n    - 'First': a.md\n    - ...\n",
    'docs/index.md': 'x\n',
    'docs/new.md': '# New\n',
    'docs/guides/a.md': 'x\n',
  }
  const { call, text } = await openTree(tree)
  expect(await call('add_to_navigation', { path: 'docs/new.md', after: 'docs/index.md' })).toMatchObject({
    changed: ['docs/.pages'],
  })
  expect(await text('docs/.pages')).toBe('nav:\n  - index.md\n  - new.md\n  - guides # kept\n')
  await call('move_page', { from: 'docs/guides/a.md', to: 'docs/guides/b.md' })
  expect(await text('docs/guides/.pages')).toBe("title: G\nnav:\n    - 'First': b.md\n    - ...\n")
  await call('move_page', { from: 'docs/guides/b.md', to: 'docs/b.md' })
  expect(await text('docs/guides/.pages')).toBe('title: G\nnav:\n    - ...\n')
  expect(await text('docs/.pages')).toBe('nav:\n  - index.md\n  - new.md\n  - guides # kept\n  - b.md\n')
  await call('move_page', { from: 'docs/b.md', to: 'docs/guides/c.md' })
  expect(await text('docs/.pages')).toBe('nav:\n  - index.md\n  - new.md\n  - guides # kept\n')
  expect(await call('add_to_navigation', { path: 'docs/guides/c.md' })).toMatchObject({
    changed: [],
    note: expect.any(String),
  })
})

it('says that there is nothing to edit, which is no error, where it comes from folders or stands in code', async () => {
  const trees = [
    { 'a.md': 'x' },
    { 'mkdocs.yml': 'site_name: X\n', 'docs/a.md': 'x' },
    { '.vitepress/config.ts': 'export default {}', 'a.md': 'x' },
  ]
  for (const tree of trees) {
    const path = Object.keys(tree).find((name) => name.endsWith('.md'))
    const { call } = await openTree(tree)
    expect(await call('add_to_navigation', { path })).toMatchObject({ changed: [], note: expect.any(String) })
  }
})

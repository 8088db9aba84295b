import { describe, expect, it } from 'vitest'
import { checkTree } from '../../src/site/checks/check-tree.ts'
import { newProblems } from '../../src/site/checks/new-problems.ts'
import { openTree } from './open-tree.ts'

const site = {
  'docs.json': '{"navigation": {"pages": ["index", "guides/install", "gone"]}}',
  'index.mdx': '# Home\n',
  'guides/install.mdx': '# Install\n\n## On Linux\n\n## On Windows\n',
  'guides/usage.mdx': '# Usage\n',
  'reference/cli-2.mdx': '# CLI\n',
  'images/shot.png': 'png',
}

async function suggestionsFor(href: string, tree: Record<string, string> = site, path = 'guides/usage.mdx') {
  const { call } = await openTree({ ...tree, [path]: `[x](${href})\n` })
  const { problems } = await call('check', { paths: [path] })
  const [problem] = Array.isArray(problems) ? problems : []
  return problem === undefined ? 'resolves' : (problem.suggestions ?? [])
}

describe('check', () => {
  it('finds broken links, anchors, images, front matter and navigation with their lines', async () => {
    const { call } = await openTree({
      ...site,
      'index.mdx':
        '---\ntitle: a: b: "c\n---\n\n[x](/nowhere)\n\n[y](/guides/install#on-mac) ![z](/images/none.png)\n\n`[code](/nowhere)`\n',
    })
    const output = await call('check', {})
    expect(output).toMatchObject({
      total: 5,
      problems: [
        { check: 'front_matter', path: 'index.mdx', line: 2 },
        { check: 'link', path: 'index.mdx', line: 5, href: '/nowhere' },
        { check: 'anchor', path: 'index.mdx', line: 7, href: '/guides/install#on-mac' },
        { check: 'image', path: 'index.mdx', line: 7, href: '/images/none.png' },
        { check: 'navigation', path: 'docs.json', line: 1, href: 'gone' },
      ],
    })
    expect(await call('check', { paths: ['guides/'] })).toMatchObject({ problems: [], total: 0 })
    expect(await call('check', { paths: ['docs.json'] })).toMatchObject({ total: 1 })
  })

  it('counts the links that it tried and names those that it did not', async () => {
    const { call } = await openTree({
      ...site,
      'index.mdx': [
        '[a](/guides/install) [b](/nowhere) [c](https://a.example) [d](mailto:a@b.example)',
        '<Card href={link} /> <Card href="{{ base }}/x" /> <a :href="x">e</a> `[f](g)`',
        '```\n[h](i)\n```',
      ].join('\n\n'),
      'snippets/part.mdx': '[j](./k)',
    })
    const output = await call('check', {})
    expect(output).toMatchObject({ checked: 2, broken: 1 })
    expect(output['notLookedAt']).toEqual([
      { kind: 'links to other sites', count: 2 },
      { kind: 'links in code', count: 2 },
      { kind: 'links that an expression makes', count: 2 },
      { kind: 'links that a template fills in', count: 1 },
      { kind: 'links in files that are no pages', count: 1 },
    ])
  })

  it('takes links to one place for broken when all of them fail: its page may have moved', async () => {
    const pages = Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((name) => [
        `guides/${name}.mdx`,
        '[x](/guides/setup-of-old) [y](/guides/install) [z](/guides/usage)\n',
      ]),
    )
    const tree = { ...site, ...pages, 'docs.json': '{"navigation": {"pages": []}}' }
    const { problems } = await checkTree((await openTree(tree)).baseView)
    expect(problems.map(({ href, severity }) => [href, severity])).toEqual(
      Array.from({ length: 4 }, () => ['/guides/setup-of-old', undefined]),
    )
  })

  it('gives one suggestion only when it is certain', async () => {
    // Another extension, case, a prefix too many or too few, a moved page, a slip of the pen, another way to write an anchor.
    expect(await suggestionsFor('./install.html')).toBe('resolves')
    expect(await suggestionsFor('/Guides/Install')).toEqual(['/guides/install'])
    expect(await suggestionsFor('/docs/guides/install#on-linux')).toEqual(['/guides/install#on-linux'])
    expect(await suggestionsFor('/install')).toEqual(['/guides/install'])
    expect(await suggestionsFor('/old/place/install')).toEqual(['/guides/install'])
    expect(await suggestionsFor('./instal')).toEqual(['./install'])
    expect(await suggestionsFor('/guides/install#On_Linux')).toEqual(['/guides/install#on-linux'])
    expect(await suggestionsFor('/other/install#nope')).toEqual(['/guides/install'])
    expect(await suggestionsFor('/pictures/shot.png')).toEqual(['/images/shot.png'])
    // Another number is another page; two pages of the name are two guesses; nothing is like it.
    expect(await suggestionsFor('/reference/cli-3')).toEqual([])
    expect(await suggestionsFor('/old/install', { ...site, 'start/install.mdx': 'x' })).toEqual([
      '/guides/install',
      '/start/install',
    ])
    expect(await suggestionsFor('/completely/different')).toEqual([])
  })

  it('writes suggestions as the link is written', async () => {
    const tree = { 'a/b.md': 'x', 'c/install.md': 'x', 'c/größe neu.md': 'x' }
    expect(await suggestionsFor('../install.md#x?', tree, 'a/b.md')).toEqual(['../c/install.md'])
    expect(await suggestionsFor('gr%C3%B6%C3%9Fe%20neu.md', tree, 'a/b.md')).toEqual(['../c/größe%20neu.md'])
  })

  it('survives hostile pages', async () => {
    const { call } = await openTree({
      'a.md': `${'['.repeat(20_000)}\n\n${'![a]('.repeat(5000)}\n\n[x](%E0%A4%A) [y](<a b>) [z](http://[) [q](/${'a/'.repeat(3000)})\n`,
      'b\nc.md': '[x](../../../../etc/passwd)\n',
      'bin.md': new Uint8Array([0, 1, 2]),
    })
    expect(await call('check', {})).toHaveProperty('total')
  })
})

describe('newProblems', () => {
  it('leaves out what the base has, on whatever line, and in pages that moved', async () => {
    const { call, baseView, view } = await openTree({
      ...site,
      'guides/usage.mdx': '[old](/nowhere)\n\n[fine](/guides/install)\n',
    })
    expect(await newProblems(baseView, view, {})).toEqual([])
    await call('read_file', { path: 'guides/usage.mdx' })
    await call('edit_file', {
      path: 'guides/usage.mdx',
      edits: [{ search: '[old]', replace: 'First.\n\n[old]' }],
    })
    await call('move_page', { from: 'guides/usage.mdx', to: 'guides/use.mdx' })
    expect(await newProblems(baseView, view, {})).toEqual([])
    await call('delete_page', { path: 'guides/install.mdx' })
    expect(await newProblems(baseView, view, {})).toMatchObject([
      { check: 'link', path: 'guides/use.mdx', href: '/guides/install' },
      { check: 'redirect', severity: 'warning', path: 'guides/install.mdx' },
    ])
    await call('write_file', {
      path: 'more.mdx',
      content: '---\ntitle: x\nhidden: true\n---\n[twice](/nowhere)',
    })
    expect(await newProblems(baseView, view, {})).toHaveLength(3)
  })

  it('counts a second problem of the same kind on the same page', async () => {
    const { call, baseView, view } = await openTree({ 'a.md': '[x](gone.md)\n' })
    await call('read_file', { path: 'a.md' })
    await call('edit_file', {
      path: 'a.md',
      edits: [{ search: '[x](gone.md)', replace: '[x](gone.md) [y](gone.md)' }],
    })
    expect(await newProblems(baseView, view, {})).toHaveLength(1)
  })
})

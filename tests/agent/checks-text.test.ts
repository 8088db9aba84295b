import { describe, expect, it } from 'vitest'
import { checkFences } from '../../src/site/checks/texts/check-fences.ts'
import { checkFrontMatter } from '../../src/site/checks/texts/check-front-matter.ts'
import { checkSnippets } from '../../src/site/checks/texts/check-snippets.ts'
import { checkConflicts } from '../../src/site/checks/texts/check-text.ts'
import { checkTerms, findGlossary } from '../../src/site/checks/check-terms.ts'
import { readVersion } from '../../src/site/checks/tree-change.ts'
import { problemsAfter } from './change-tree.ts'
import { openTree } from './open-tree.ts'

const mintlify = {
  'docs.json': '{"navigation": {"pages": ["index", "guide"]}}',
  'index.mdx': '---\ntitle: Home\n---\n\nHello.\n',
  'guide.mdx': '---\ntitle: Guide\n---\n\nHello.\n',
  'snippets/intro.mdx': 'Welcome.\n',
  'snippets/card.jsx': 'export const Card = () => null\n',
}
const docusaurus = {
  'docusaurus.config.js': 'export default { presets: [["classic", { docs: {} }]] }',
  'package.json': '{"dependencies": {"@docusaurus/core": "^3.5.0"}}',
  'docs/intro.md': '# Intro\n',
  'docs/_part.mdx': 'Part.\n',
  'src/Box.tsx': 'export default () => null\n',
}
const starlight = {
  'astro.config.mjs':
    "import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({})] }",
  'src/content/docs/index.mdx': '---\ntitle: Home\n---\n\nHello.\n',
  'src/content/docs/one.md': '---\ntitle: One\n---\n\nHello.\n',
}

const page = (body: string) => `---\ntitle: Guide\n---\n\n${body}\n`

describe('front matter', () => {
  it('has what the framework needs, in pages that are changed', async () => {
    expect(
      await problemsAfter({ ...mintlify, 'old.mdx': 'No title.' }, { 'guide.mdx': 'Text.\n' }),
    ).toMatchObject([
      { check: 'front_matter', path: 'guide.mdx', line: 1, message: expect.stringContaining('no title') },
    ])
    expect(
      await problemsAfter(starlight, {
        'src/content/docs/one.md': '---\ndraft: maybe\ntitle: 404\nother: [fine]\n---\n',
      }),
    ).toMatchObject([
      { check: 'front_matter', line: 3, hint: 'Write it in quotes: title: "404"' },
      { check: 'front_matter', line: 2, message: '`draft` in the front matter is not true or false' },
    ])
    expect(
      await problemsAfter(docusaurus, {
        'docs/intro.md': '---\nid: a/b\nsidebar_position: first\ntitle: 404\nsidebar_label:\n---\n# Intro\n',
      }),
    ).toMatchObject([
      { check: 'front_matter', line: 2, message: 'The id of the page contains a slash' },
      { check: 'front_matter', line: 3, message: '`sidebar_position` in the front matter is not a number' },
      // The id is part of the address.
      { check: 'redirect', severity: 'warning' },
    ])
  })

  it('is read as it is written: keys that come twice, a missing end, YAML that is none', async () => {
    const twice = '---\ntitle: A\ndescription: |\n  title: no\n"title": B\n---\n'
    expect(await problemsAfter(mintlify, { 'guide.mdx': twice })).toMatchObject([
      { check: 'front_matter', line: 5, message: 'The front matter has the key "title" twice' },
    ])
    const found = await problemsAfter(mintlify, {
      'guide.mdx': '---\ntitle: A\n\nText.\n',
      'index.mdx': '---\ntitle: A\ndescription: a: b\n---\n',
    })
    expect(found).toContainEqual(
      expect.objectContaining({ path: 'guide.mdx', message: 'The front matter is never closed' }),
    )
    expect(found).toContainEqual(
      expect.objectContaining({ path: 'index.mdx', check: 'front_matter', line: 3 }),
    )
    // The same mistake two lines below is not a new one.
    const broken = { ...mintlify, 'guide.mdx': '---\ntitle: a: b\n---\n' }
    expect(await problemsAfter(broken, { 'guide.mdx': '---\n\n\ntitle: a: b\n---\nMore.\n' })).toEqual([])
  })
})

describe('MDX', () => {
  it('says in plain words and with the line what does not compile', async () => {
    const cases: [body: string, line: number, hint: string][] = [
      ['<Card>\n\nText.', 5, 'Close <Card> with </Card>'],
      ['Text.\n\n<Tabs>\n<Tab>\nx\n</Tabs>', 10, 'Close <Tab> with </Tab> before </Tabs>'],
      ['A set {a b}.', 5, 'Write `\\{`'],
      ['A price < 5 and <5.', 5, 'Write `&lt;`'],
      ['See <https://a.example>.', 5, 'Write [text](address)'],
      ['Open {brace.', 5, 'Close it with `}`'],
      ['x</Card>', 5, 'open the tag before it'],
    ]
    for (const [body, line, hint] of cases) {
      expect(await problemsAfter(mintlify, { 'guide.mdx': page(body) }), body).toMatchObject([
        { check: 'mdx', path: 'guide.mdx', line, hint: expect.stringContaining(hint) },
      ])
    }
  })

  it('lets pages pass that their frameworks take', async () => {
    const formula = 'Here $x_{n \\times m}$ and\n\n$$\n\\mathbb{R}^{n+}\n$$\n'
    expect(
      await problemsAfter(mintlify, {
        'guide.mdx': page(`## Set up {#set-up}\n\n<Card title="{">\n\n${formula}</Card>`),
      }),
    ).toEqual([])
    const body = [
      '# Intro {#intro}',
      ':::note[Title]{.big}',
      'Text <!-- a { comment\nover lines --> more.',
      ':::',
      '```mdx-code-block\n<div>\n```',
      '```mdx-code-block\n</div>\n```',
      '```js\nconst a = {b <c>\n```',
      '`{a b}` and :kbd[x]{title="y z"}',
    ].join('\n\n')
    expect(await problemsAfter(docusaurus, { 'docs/intro.md': body })).toEqual([])
    // Its second version read another MDX, and a page may be no MDX at all.
    const second = { ...docusaurus, 'package.json': '{"dependencies": {"@docusaurus/core": "2.4.1"}}' }
    expect(await problemsAfter(second, { 'docs/intro.md': '<br> {a b}\n' })).toEqual([])
    const plain = '---\nmdx:\n  format: md\n---\n<br> {a b}\n'
    expect(await problemsAfter(docusaurus, { 'docs/intro.md': plain })).toEqual([])
    expect(await problemsAfter(docusaurus, { 'docs/intro.md': '<br> {a b}\n' })).toHaveLength(1)
    expect(await problemsAfter(starlight, { 'src/content/docs/one.md': page('<br> {a b}') })).toEqual([])
  })

  it('counts nothing of a page that did not compile before', async () => {
    const tree = { ...mintlify, 'guide.mdx': page('{a b}\n\n<Card>') }
    expect(await problemsAfter(tree, { 'guide.mdx': page('Mended.\n\n<Card>') })).toEqual([])
    // Nor of one that moved with its mistake.
    const lines = 'One line.\nAnother line.\nA third line.\n\n{a b}\n'
    const moved = await problemsAfter(
      { ...mintlify, 'guide.mdx': page(lines) },
      { 'guide.mdx': undefined, 'index.mdx': undefined, 'snippets/guide.mdx': page(`${lines}\nMore.`) },
    )
    expect(moved.filter(({ check }) => check === 'mdx')).toEqual([])
  })
})

describe('snippets and imports', () => {
  const snippets = async (tree: Record<string, string>, path: string, text: string) =>
    (await problemsAfter(tree, { [path]: text }))
      .filter(({ check }) => check === 'snippet')
      .map(({ line, href, hint }) => [line, href, hint])

  it('resolve in MDX', async () => {
    const body = [
      "import Intro from '/snippets/intro.mdx'",
      "import { Card } from '/snippets/card.jsx'",
      "import Gone from '/snippets/gone.mdx'",
      'import {\n  Card as Other,\n} from "/nowhere/card.jsx"',
      "import React from 'react'\nimport x from '@/alias/x'\n",
      '<Snippet file="intro.mdx" />\n<Snippet file="none.mdx" />\n',
      'Use `import y from "./y.mdx"`.\n\nimport is a word, see "./z.mdx".\n',
      "```js\nimport z from './z.js'\n```",
    ].join('\n')
    expect(await snippets(mintlify, 'guide.mdx', page(body))).toEqual([
      [7, '/snippets/gone.mdx', 'Write the path of a file that exists'],
      [8, '/nowhere/card.jsx', 'It may be ./snippets/card.jsx'],
      [15, 'none.mdx', 'Write the path of a file that exists'],
    ])
    const site = [
      "import Part from './_part.mdx'",
      "import Escaped from './\\_part.mdx'",
      "import Box from '@site/src/Box'",
      "import Old from '@site/src/Old'",
      "import Raw from '!!raw-loader!../src/Box.tsx'",
      "import Lost from '!!raw-loader!../src/Lost.tsx?x'",
      "import Tabs from '@theme/Tabs'",
      '',
      "<img src={require('./none.png').default} />",
    ].join('\n')
    expect((await snippets(docusaurus, 'docs/intro.md', site)).map(([line]) => line)).toEqual([4, 6, 9])
  })

  it('resolve in MkDocs and VitePress', async () => {
    const mkdocs = {
      'mkdocs.yml': 'markdown_extensions:\n  - pymdownx.snippets:\n      base_path: [parts]\n',
      'docs/index.md': '# Home\n',
      'parts/a.md': 'A\n',
    }
    const text =
      '--8<-- "a.md"\n--8<-- "a.md:2:4"\n--8<-- "a.md:part"\n;--8<-- "b.md"\n``` py\n--8<-- "b.py"\n```\n--8<--\na.md\nc.md\n--8<--\n'
    expect((await snippets(mkdocs, 'docs/index.md', text)).map(([line, href]) => [line, href])).toEqual([
      [6, 'b.py'],
      [10, 'c.md'],
    ])
    expect(await snippets({ ...mkdocs, 'mkdocs.yml': 'site_name: x\n' }, 'docs/index.md', text)).toEqual([])
    const vitepress = {
      'docs/.vitepress/config.ts': 'export default {}',
      'docs/index.md': '# Home\n',
      'docs/code/a.js': 'a\n',
    }
    const page =
      '<<< @/code/a.js#region{1-2}\n<<< ./code/b.js [b]\n\n<!--@include: ./code/a.js{1,2}-->\n<!-- @include: @/none.md -->\n\n`<!--@include: ./c.md-->`\n'
    expect((await snippets(vitepress, 'docs/index.md', page)).map(([line]) => line)).toEqual([2, 5])
  })
})

describe('code blocks', () => {
  const fences = async (before: string, after: string) =>
    (await problemsAfter({ ...mintlify, 'guide.mdx': page(before) }, { 'guide.mdx': page(after) })).map(
      ({ check, severity, line }) => [check, severity ?? 'error', line],
    )

  it('are closed, and the one that is not is named', async () => {
    expect(await fences('Text.', '```js\na\n```\n\n```js\nb')).toEqual([['fence', 'error', 9]])
    expect(await fences('Text.', '```js\na\n\n```js\nb\n```\n\n```js\nc\n```')).toEqual([
      ['fence', 'error', 5],
    ])
    const inside =
      '- item\n\n  ```js\n  a\n  ```\n\n> ```js\n> a\n> ```\n\n````md\n```js\n````\n\n<!--\n```\n-->'
    expect(await fences('Text.', inside)).toEqual([])
    expect(await fences('```js\na', 'More.\n\n```js\na')).toEqual([])
  })

  it('may show code that stands further in', async () => {
    const shown = '# A\n\n```md\n=== "C"\n\n    ```c\n    f()\n    ```\n\n=== "D"\n```\n\n```js\na\n```\n'
    const files = { 'mkdocs.yml': 'site_name: A\n', 'docs/index.md': '# A\n' }
    expect(await problemsAfter(files, { 'docs/index.md': shown })).toEqual([])
  })

  it('are labelled, as an error only where the others of the page are', async () => {
    const labelled = '```js\na\n```\n\n```sh\nb\n```\n'
    // What is no code needs none.
    expect(await fences(labelled, `\`\`\`\n2 files written\n\`\`\`\n\n${labelled}`)).toEqual([
      ['fence', 'warning', 5],
    ])
    expect(await fences(labelled, `\`\`\`\nnpm install\n\`\`\`\n\n${labelled}`)).toEqual([
      ['fence', 'error', 5],
    ])
    expect(await fences('Text.', '```\na\n```')).toEqual([['fence', 'warning', 5]])
    // A change of what was not labelled before brings nothing new.
    expect(await fences(`${labelled}\n\`\`\`\nold\n\`\`\``, `${labelled}\n\`\`\`\nnew\n\`\`\``)).toEqual([])
  })
})

it('finds markers of an unfinished merge, but for pages that show them', async () => {
  const merge = '<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> 1f2e3d4\n'
  expect(await problemsAfter(mintlify, { 'guide.mdx': page(`Title\n=======\n\n${merge}`) })).toMatchObject([
    { check: 'mdx' },
    { check: 'conflict', line: 8 },
    { check: 'conflict', line: 12 },
  ])
  const shown = await problemsAfter(mintlify, { 'guide.mdx': page(`\`\`\`text\n${merge}\`\`\``) })
  expect(shown).toMatchObject([
    { check: 'conflict', severity: 'warning' },
    { check: 'conflict', severity: 'warning' },
  ])
})

describe('data files', () => {
  it('are valid, each by the rules of its kind', async () => {
    const found = await problemsAfter(mintlify, {
      'a.json': '{\n  "a": 1,\n}\n',
      'b.json': '{"a": 1} // no',
      'c.jsonc': '{"a": 1, } // fine',
      'd.yml': 'a: 1\nb: [\n',
      'e.yaml': 'a: 1\na: 2\n',
      'f.yaml': '{{ template }}\na: b: c\n',
      'g.yaml': 'a: !ENV [x]\n',
      'h.yaml': `a: ${'[!x '.repeat(3000)}`,
    })
    expect(found.map(({ check, path, line }) => [check, path, line])).toEqual([
      ['data', 'a.json', 3],
      ['data', 'b.json', 1],
      ['data', 'd.yml', 3],
      ['data', 'e.yaml', 2],
      ['data', 'h.yaml', 1],
    ])
    const broken = { ...mintlify, 'a.json': '{,}' }
    expect(await problemsAfter(broken, { 'a.json': '{,,}' })).toEqual([])
  })

  it('of OpenAPI hold together', async () => {
    const yaml = `openapi: 3.0.3
info:
  title: API
paths:
  users:
    get: {operationId: list, responses: {}}
  /users/{id}:
    parameters:
      - $ref: '#/components/parameters/Id'
    get:
      operationId: list
      parameters:
        - {name: other, in: path}
      responses:
        '200': {$ref: '#/components/responses/None'}
    delete:
      responses: {$ref: './shared.yaml#/x'}
  /teams/{team}:
    get:
      responses:
        '200': {content: {application/json: {example: {$ref: '#/not/followed'}}}}
components:
  parameters:
    Id: {name: id, in: path, required: true}
`
    const found = await problemsAfter(mintlify, { 'api.yaml': yaml })
    expect(found.map(({ check, line, message }) => `${check} ${line} ${message}`)).toEqual([
      'openapi 3 The document has no info.version',
      'openapi 6 The path "users" does not start with a slash',
      'openapi 11 GET /users/{id} has the operationId list, which GET users has',
      'openapi 11 GET /users/{id} declares the path parameter "other", which its path does not have',
      'openapi 20 GET /teams/{team} does not declare its path parameter "team"',
      'openapi 15 The reference "#/components/responses/None" leads to nothing in the document',
      'openapi 17 The reference "./shared.yaml#/x" leads to a file that is not there',
    ])
    const json = JSON.stringify({ swagger: '2.0', info: { title: 'A', version: 1 } }, null, 1)
    expect(await problemsAfter(mintlify, { 'api.json': json })).toMatchObject([
      { check: 'openapi', message: 'The document has no paths' },
    ])
  })
})

it('reads texts that are made to keep it busy in a time that grows with their length only', async () => {
  const glossary = Array.from({ length: 200 }, (_, n) => `Term${n}: ["trm ${n}", "trm-${n}"]`).join('\n')
  const units = [
    '`',
    '``x`',
    '<!--',
    '{#',
    '](',
    'a@a',
    'a/a',
    'import\n',
    ':::a{',
    ' :a[',
    '- ```\n',
    'trm\n',
    '<<<<<<<\n',
  ]
  const texts = units.map((unit) => unit.repeat(200_000 / unit.length))
  const files = Object.fromEntries(texts.map((text, n) => [`snippets/${n}.mdx`, text]))
  const { view } = await openTree({ ...mintlify, ...files, 'glossary.yml': glossary })
  const terms = await findGlossary(view)
  // What compilers and parsers make of such texts takes as long as it takes, in a thread.
  for (const path of Object.keys(files)) {
    const file = await readVersion(view, path)
    if (file === undefined) throw new Error('expected a text')
    const found = [checkFrontMatter(file), checkFences(file), checkConflicts(file), checkTerms(file, terms)]
    expect([...found, await checkSnippets(file)]).toHaveLength(5)
    expect(await view.facts(path)).toBeDefined()
  }
  const vitepress = { '.vitepress/config.ts': '', 'index.md': '', 'a.md': '' }
  const include = '<!-- @include: a{'.repeat(20_000)
  expect(await problemsAfter(vitepress, { 'a.md': include })).toEqual([])
})

import { expect, it } from 'vitest'
import { printMarkdown } from './print-markdown.ts'
import { toPlacedTree } from './to-tree.ts'
import type { PagePart } from './write-tree.ts'

async function partsOf(
  markdown: string,
  mdx = true,
  sections: { headings: string[]; anchor: string }[] = [],
): Promise<PagePart[]> {
  const placed = toPlacedTree(markdown, mdx, { images: true, components: 'marked' })
  if (!placed) throw new Error('The page is nested too deeply')
  const printed = await printMarkdown(placed.tree, { form: 'parts', title: 'Page', sections }, ({ links }) =>
    Promise.resolve({
      images: [],
      links: links.map((link) => (link === './b' ? 'https://x.example/b' : null)),
    }),
  )
  return JSON.parse(printed)
}

async function write(markdown: string, mdx = true): Promise<string> {
  return (await partsOf(markdown, mdx)).map((part) => part.markdown).join('\n\n')
}

it('leaves Markdown as it is', async () => {
  const page = [
    '## One *two* `three_four`'.replaceAll('*', '_'),
    'A line with a [link](./c), **bold** words and snake_case.\nAnother line.',
    '- one\n  - two\n- [x] three',
    '1. first\n\n   ```ts\n   const a = 1\n   ```',
    '> Quoted',
    '| a | b |\n| - | - |\n| `x` | 1 |',
    '![An image](./a.png)',
    '---',
  ].join('\n\n')
  expect(await write(page, false)).toBe(page.replace('1. first\n\n', '1. first\n'))
})

it('has no imports, exports, expressions and comments', async () => {
  const page = `import A from './a'\n\nexport const b = 1\n\nText {b} here{' '}and {/* not this */} there.\n\n<A/>`
  expect(await write(page)).toBe('Text  here and  there.')
})

it.each([
  [
    'tabs',
    '<Tabs>\n<Tab title="npm">\n```sh\nnpm i\n```\n</Tab>\n<Tab title="yarn">Use yarn.</Tab>\n</Tabs>',
    '**npm**\n\n```sh\nnpm i\n```\n\n**yarn**\n\nUse yarn.',
  ],
  [
    'steps',
    '<Steps>\n<Step title="First">Do it.</Step>\n<Step title="Second">Do that.</Step>\n</Steps>',
    '**First**\n\nDo it.\n\n**Second**\n\nDo that.',
  ],
  [
    'cards',
    '<CardGroup>\n<Card title="One" href="./b">Words</Card>\n<Card title="Two" icon="x" href="https://y.example" />\n</CardGroup>',
    '[One](https://x.example/b)\n\nWords\n\n[Two](https://y.example)',
  ],
  ['notes', '<Warning>Be careful.</Warning>', '> **Warning**\n>\n> Be careful.'],
  ['admonitions', ':::tip Read this\nHi\n:::', '> **Tip: Read this**\n>\n> Hi'],
  [
    'fields',
    '<ParamField path="id" type="string" required>The id.</ParamField>',
    '`id` string · required\n\nThe id.',
  ],
  ['folded parts', '<Accordion title="More">Inner</Accordion>', '**More**\n\nInner'],
  ['code with a title', '```ts title="a.ts"\nlet a\n```', '```ts title="a.ts"\nlet a\n```'],
  [
    'trees of files',
    '<FileTree>\n<Folder name="src">\n<File name="a.ts" />\n</Folder>\n</FileTree>',
    '- src/\n  - a.ts',
  ],
])('shows what %s show', async (_, page, written) => {
  expect(await write(page)).toBe(written)
})

it.each([
  ['shortcodes', '{{< tabs items="A,B" >}}\n{{< tab >}}\nText\n{{< /tab >}}\n{{< /tabs >}}', '**A**\n\nText'],
  ['tags of Liquid', '{% raw %}\nText\n{% endraw %}', 'Text'],
  ['tabs of MkDocs', '=== "npm"\n\n    Text', '**npm**\n\nText'],
  ['HTML', '<details><summary>More</summary>\n\n*Text*\n\n</details>', '**More**\n\n_Text_'],
  [
    'a table in HTML',
    '<table><tr><th>a</th></tr><tr><td><p>b</p><p>c</p></td></tr></table>',
    '| a |\n| - |\n| b c |',
  ],
])('shows what %s show in Markdown', async (_, page, written) => {
  expect(await write(page, false)).toBe(written)
})

it('is cut at headings, also those in components, which have the ids of the page', async () => {
  const page =
    'Begin.\n\n## Install\n\nText\n\n<Steps>\n<Step title="One">\n### Run it\n\nMore\n</Step>\n</Steps>'
  const sections = [
    { headings: ['Install'], anchor: 'Install-it' },
    { headings: ['Install', 'Run it'], anchor: 'run-it' },
  ]
  expect(await partsOf(page, true, sections)).toEqual([
    { markdown: 'Begin.' },
    {
      anchor: 'Install-it',
      heading: { level: 2, text: 'Install' },
      markdown: '## Install\n\nText\n\n**One**',
    },
    { anchor: 'run-it', heading: { level: 3, text: 'Run it' }, markdown: '### Run it\n\nMore' },
  ])
})

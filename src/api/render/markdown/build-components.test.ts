import { expect, it } from 'vitest'
import { printTree } from './print-tree.ts'
import { toTree } from './to-tree.ts'

const shown = async (text: string, isMdx: boolean): Promise<string> => {
  const tree = toTree(text, isMdx)
  const printed = tree === undefined ? '' : printTree(tree)
  return printed
    .replaceAll(/tabs-[\da-f]{8}/g, 'tabs')
    .replaceAll(/\n\s*/g, '')
    .trim()
}
const mdx = (text: string) => shown(text, true)
const markdown = (text: string) => shown(text, false)

const tabs = (...panels: [title: string, content: string][]) =>
  `<div class="tab-set switched"><div class="tab-bar">${panels
    .map(
      ([title], index) =>
        `<label><input type="radio" name="tabs-0"${index === 0 ? ' checked' : ''}><span>${title}</span></label>`,
    )
    .join('')}</div>${panels.map(([, content]) => `<div class="tab-panel">${content}</div>`).join('')}</div>`
const sh = '<pre><code class="language-sh">a</code></pre>'

it('makes tabs of the tabs of every framework', async () => {
  const both = tabs(['npm', sh], ['pnpm', '<p>Text</p>'])
  expect(await markdown('=== "npm"\n\n    ```sh\n    a\n    ```\n\n=== "pnpm"\n\n    Text')).toBe(both)
  const jsx =
    '<Tabs>\n  <Tab title="npm">\n    ```sh\n    a\n    ```\n  </Tab>\n  <Tab title="pnpm">\n    Text\n  </Tab>\n</Tabs>'
  expect(await mdx(jsx)).toBe(both)
  expect(await mdx(jsx.replaceAll('<Tab title', '<TabItem label').replaceAll('</Tab>', '</TabItem>'))).toBe(
    both,
  )
  expect(await markdown(`${jsx.replaceAll(/^ +/gm, '')}\n\n{oops`)).toContain('<div class="tab-bar">')
})

it('leaves tabs alone that are shown as code, with code in them', async () => {
  const code = '=== "npm"\n\n    ``` sh\n    a\n    ```\n\n=== "pnpm"'
  const html = await markdown(`\`\`\`\n${code}\n\`\`\`\n\nAfter`)
  expect(html).toContain('=== "pnpm"')
  expect(html).toContain('<p>After</p>')
  expect(html).not.toContain('tab-set')
})

it('makes tabs of a group of code, by title or language', async () => {
  const group = tabs(['npm', sh], ['sh', sh])
  expect(await mdx('<CodeGroup>\n```sh npm\na\n```\n\n```sh\na\n```\n</CodeGroup>')).toBe(group)
  expect(await markdown('::: code-group\n\n```sh [npm]\na\n```\n\n```sh\na\n```\n\n:::')).toBe(group)
})

it('shows the title of a block of code', async () => {
  const titled = `<figure><figcaption>a.sh</figcaption>${sh}</figure>`
  expect(await markdown('```sh title="a.sh"\na\n```')).toBe(titled)
  expect(await markdown('```sh [a.sh]\na\n```')).toBe(titled)
  expect(await mdx('```sh showLineNumbers\na\n```')).toBe(sh)
})

it('gives steps, cards, folded parts and fields their looks', async () => {
  expect(await mdx('<Steps>\n<Step title="One">\nDo.\n</Step>\n</Steps>')).toBe(
    '<div class="steps"><div class="step"><p class="step-title">One</p><p>Do.</p></div></div>',
  )
  expect(await mdx('<Accordion title="Why?">\nSo.\n</Accordion>')).toBe(
    '<details class="fold"><summary>Why?</summary><p>So.</p></details>',
  )
  expect(await markdown('::: details Why?\nSo.\n:::\nAfter')).toBe(
    '<details class="fold"><summary>Why?</summary><p>So.</p></details><p>After</p>',
  )
  expect(await mdx('<ParamField body="name" type="string" required>\nIts name.\n</ParamField>')).toBe(
    '<div class="field"><p class="field-name"><code>name</code> <span class="muted">string · required</span></p><p>Its name.</p></div>',
  )
  expect(await mdx('<LinkCard title="T" href="/t" description="More" />')).toBe(
    '<div class="card"><p class="card-title"><a href="/t">T</a></p><p>More</p></div>',
  )
})

it('makes cards of a list in a grid', async () => {
  const list = '-   :octicons-key-16:{ .lg .middle } __Keys__\n\n    ---\n\n    Make one.\n\n-   Other'
  expect(await markdown(`<div class="grid cards" markdown>\n\n${list}\n\n</div>`)).toBe(
    '<div class="card-grid"><div class="card"><p><strong>Keys</strong></p><hr><p>Make one.</p></div><div class="card"><p>Other</p></div></div>',
  )
})

it('makes a list of the files that a tree of components holds', async () => {
  const tree = (name: string) =>
    `<${name}>\n<${name}.Folder name="app" defaultOpen>\n<${name}.File name="a.ts" />\n</${name}.Folder>\n<${name}.File name="b.ts" />\n</${name}>`
  for (const name of ['Tree', 'FileTree'])
    expect(await mdx(tree(name))).toBe(
      '<div class="files"><ul><li>app/<ul><li>a.ts</li></ul></li><li>b.ts</li></ul></div>',
    )
})

it('makes cards of components of the site itself that are links', async () => {
  const link = '<Hero title="Start" description="In minutes" href="/start" />'
  const card = '<div class="card"><p class="card-title"><a href="/start">Start</a></p><p>In minutes</p></div>'
  expect(await mdx(link)).toBe(card)
  expect(await markdown(link)).toBe(card)
  expect(await markdown('<Hero title="Start" href="/start">\n\nText\n\n</Hero>\n\nAfter')).toBe(
    '<p><strong><a href="/start">Start</a></strong></p><p>Text</p><p>After</p>',
  )
})

it('shows tabs one after the other where there are too many', async () => {
  const many = Array.from({ length: 13 }, (_, index) => `<Tab title="T${index}">x</Tab>`).join('\n')
  const html = await mdx(`<Tabs>\n${many}\n</Tabs>`)
  expect(html).not.toContain('radio')
  expect(html).toContain('<p class="tab-title">T12</p>')
})

it('takes no address and no markup from marks that a page writes itself', async () => {
  for (const href of ['javascript:alert(1)', 'java\tscript:alert(1)', '//evil.example', 'data:text/html,x']) {
    const html = await markdown(
      `<div data-component="card" data-title="&lt;img src=x&gt;" data-href="${href}">\n\nx\n\n</div>`,
    )
    expect(html).toContain('<span>&#x3C;img src=x></span>')
    expect(html).not.toContain('href')
  }
  expect(await mdx('<Tabs>\n<Tab title={`"><script>`}>x</Tab>\n</Tabs>')).not.toContain('<script')
  expect(await markdown('=== "a\\" onclick=x"\n\n    b')).not.toContain('onclick="')
})

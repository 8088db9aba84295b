import { expect, it } from 'vitest'
import type { BlockRow } from '../review-data.ts'
import { renderedRows } from './rendered-rows.ts'

/** What eight frameworks and more put around many blocks: the lines around them, and how deep they are indented. */
interface Container {
  name: string
  wrap: (body: string) => string
  mdx?: boolean
}

const within =
  (open: string, close: string, indent = 0) =>
  (body: string): string =>
    `${open}\n\n${indent === 0 ? body : indented(body, indent)}\n\n${close}\n`

function indented(text: string, columns: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(columns))
}

/** Long enough to hide what has changed below it. */
const unchanged = Array.from(
  { length: 30 },
  (_, n) => `Paragraph ${n} of ${'many words '.repeat(20)} stays.`,
).join('\n\n')

/** The tag in a container of the same framework, with others beside it. */
const among =
  (open: string, part: (body: string) => string, close: string) =>
  (body: string): string =>
    `${open}\n\n${part(unchanged)}\n${part(body)}\n${part(unchanged)}\n\n${close}\n`

const numbered = (body: string): string =>
  `1. First step\n\n${indented(body, 3)}\n\n2. Second step\n\n   Its text.\n`

const markdown: Container[] = [
  { name: 'VitePress details', wrap: within('::: details Click me', ':::') },
  { name: 'VitePress tip', wrap: within('::: tip A title', ':::') },
  {
    name: 'VitePress tip in details',
    wrap: (body) => `:::: details\n\n::: tip\n\n${body}\n\n:::\n\n::::\n`,
  },
  {
    name: 'VitePress details that ends with an inner tip',
    wrap: (body) => `::: details\n\n${body}\n\n::: tip\n\nInner.\n\n:::\n`,
  },
  {
    name: 'VitePress code-group',
    wrap: () => `::: code-group\n\n${code('npm')}\n${code('pnpm', 'MARKED')}\n:::\n`,
  },
  { name: 'VuePress danger', wrap: within('::: danger STOP', ':::') },
  { name: 'MkDocs admonition', wrap: (body) => `!!! note "A title"\n\n${indented(body, 4)}\n` },
  { name: 'MkDocs folded admonition', wrap: (body) => `??? tip "A title"\n\n${indented(body, 4)}\n` },
  {
    name: 'MkDocs content tabs',
    wrap: (body) => `=== "Linux"\n\n    Text.\n\n=== "macOS"\n\n${indented(body, 4)}\n`,
  },
  {
    name: 'MkDocs admonition in a tab',
    wrap: (body) => `=== "Linux"\n\n    !!! note\n\n${indented(body, 8)}\n`,
  },
  { name: 'MkDocs grid', wrap: within('<div class="grid cards" markdown>', '</div>') },
  { name: 'MyST note of backticks', wrap: within('````{note}', '````') },
  { name: 'MyST note of colons', wrap: within('::::{note} A title', '::::') },
  {
    name: 'MyST tab-set',
    wrap: (body) =>
      `::::{tab-set}\n\n:::{tab-item} One\n\nText.\n\n:::\n\n:::{tab-item} Two\n\n${body}\n\n:::\n\n::::\n`,
  },
  { name: 'MyST dropdown', wrap: within('::::{dropdown} More', '::::') },
  { name: 'MyST admonition', wrap: within('````{admonition} Title\n:class: tip', '````') },
  { name: 'Nuxt callout', wrap: within('::callout', '::') },
  { name: 'Nuxt card with properties', wrap: within('::card\n---\ntitle: One\n---', '::') },
  {
    name: 'Nuxt steps',
    wrap: (body) => `::steps\n\n### One\n\n${body}\n\n### Two\n\nText.\n\n::\n`,
  },
  {
    name: 'Nuxt tabs',
    wrap: (body) =>
      `::tabs\n\n  :::tabs-item{label="One"}\n\n${indented(body, 2)}\n\n  :::\n\n  :::tabs-item{label="Two"}\n  Text.\n  :::\n\n::\n`,
  },
  {
    name: 'Nuxt accordion',
    wrap: (body) =>
      `::accordion\n\n:::accordion-item{label="One"}\n\n${body}\n\n:::\n\n:::accordion-item{label="Two"}\nText.\n:::\n\n::\n`,
  },
  { name: 'Hugo alert', wrap: within('{{% alert title="Title" color="warning" %}}', '{{% /alert %}}') },
  { name: 'Hugo details', wrap: within('{{< details title="More" >}}', '{{< /details >}}') },
  {
    name: 'Hugo tabs',
    wrap: among(
      '{{< tabs >}}',
      (body) => `{{% tab name="One" %}}\n\n${body}\n\n{{% /tab %}}\n`,
      '{{< /tabs >}}',
    ),
  },
  {
    name: 'Hugo tabpane',
    wrap: among(
      '{{< tabpane >}}',
      (body) => `{{% tab header="One" %}}\n\n${body}\n\n{{% /tab %}}\n`,
      '{{< /tabpane >}}',
    ),
  },
  { name: 'GitBook hint', wrap: within('{% hint style="info" %}', '{% endhint %}') },
  {
    name: 'GitBook tabs',
    wrap: among(
      '{% tabs %}',
      (body) => `{% tab title="One" %}\n\n${body}\n\n{% endtab %}\n`,
      '{% endtabs %}',
    ),
  },
  {
    name: 'GitBook stepper',
    wrap: among('{% stepper %}', (body) => `{% step %}\n\n${body}\n\n{% endstep %}\n`, '{% endstepper %}'),
  },
  { name: 'mdBook block quote', wrap: (body) => `${body.replaceAll(/^/gm, '> ')}\n` },
  { name: 'mdBook and GitHub note', wrap: (body) => `> [!NOTE]\n${body.replaceAll(/^/gm, '> ')}\n` },
  { name: 'HTML details', wrap: within('<details>\n<summary>More</summary>', '</details>') },
  { name: 'numbered list', wrap: numbered },
  { name: 'bullets', wrap: (body) => `- One\n\n${indented(body, 2)}\n\n- Two\n` },
]

const written: Omit<Container, 'mdx'>[] = [
  {
    name: 'Docusaurus tabs',
    wrap: among(
      '<Tabs groupId="os">',
      (body) => `<TabItem value="a" label="One">\n\n${body}\n\n</TabItem>\n`,
      '</Tabs>',
    ),
  },
  { name: 'Docusaurus admonition', wrap: within(':::tip[A title]', ':::') },
  {
    name: 'Docusaurus admonition in one with more colons',
    wrap: (body) => `::::note\n\n:::tip\n\n${body}\n\n:::\n\n::::\n`,
  },
  { name: 'Docusaurus details', wrap: within('<details>\n<summary>More</summary>', '</details>') },
  { name: 'Starlight Steps', wrap: (body) => `<Steps>\n\n${numbered(body)}\n</Steps>\n` },
  {
    name: 'Starlight Tabs',
    wrap: among('<Tabs>', (body) => `<TabItem label="One">\n\n${body}\n\n</TabItem>\n`, '</Tabs>'),
  },
  { name: 'Starlight Aside', wrap: within('<Aside type="caution" title="Title">', '</Aside>') },
  { name: 'Starlight Card', wrap: within('<Card title="Title" icon="star">', '</Card>') },
  {
    name: 'Starlight CardGrid',
    wrap: among('<CardGrid>', (body) => `<Card title="One">\n\n${body}\n\n</Card>\n`, '</CardGrid>'),
  },
  { name: 'Mintlify Accordion', wrap: within('<Accordion title="Title">', '</Accordion>', 2) },
  {
    name: 'Mintlify Steps',
    wrap: among('<Steps>', (body) => `<Step title="One">\n\n${body}\n\n</Step>\n`, '</Steps>'),
  },
  {
    name: 'Mintlify Tabs',
    wrap: among('<Tabs>', (body) => `<Tab title="One">\n\n${body}\n\n</Tab>\n`, '</Tabs>'),
  },
  { name: 'Mintlify Card', wrap: within('<Card title="Title" href="/x">', '</Card>') },
  {
    name: 'Mintlify CodeGroup',
    wrap: () => `<CodeGroup>\n\n${code('npm')}\n${code('pnpm', 'MARKED')}\n</CodeGroup>\n`,
  },
  { name: 'Mintlify Expandable', wrap: within('<Expandable title="Title">', '</Expandable>') },
  { name: 'Mintlify ParamField', wrap: within('<ParamField path="id" type="string">', '</ParamField>') },
  { name: 'Mintlify Update', wrap: within('<Update label="2026-01">', '</Update>') },
  { name: 'unknown component', wrap: within('<MyOwnBox>', '</MyOwnBox>') },
  { name: 'unknown component with a title', wrap: within('<MyOwnBox title="Title">', '</MyOwnBox>') },
]
const jsx: Container[] = written.map((one) => ({ ...one, mdx: true }))

function code(title: string, word = 'same'): string {
  const lines = Array.from({ length: 1200 }, (_, n) => `command-${n} ${n === 600 ? word : '--flag'} value`)
  return `\`\`\`sh [${title}]\n${lines.join('\n')}\n\`\`\`\n`
}

const sentence = (at: string): string =>
  Array.from({ length: 40 }, (_, n) => `word${n % 7} of ${at} stays`).join(', ') + '.'

/** Forty blocks of every kind with more than 6,000 words, and the word in the middle. */
function body(word: string): string {
  const blocks = Array.from({ length: 20 }, (_, n) => [
    n % 5 === 2 ? `#### Heading ${n}` : sentence(`paragraph ${n}`),
    n % 3 === 1 ? `- one ${n}\n- two\n- three ${n}` : sentence(`text ${n}`),
  ]).flat()
  blocks.splice(20, 0, `This sentence says ${word} of it.`)
  return blocks.join('\n\n')
}

async function reviewed(
  { wrap, mdx = false }: Container,
  lines: 'unified' | 'split',
): Promise<{ rows: BlockRow[]; html: string; seen: number }> {
  const around = Array.from({ length: 12 }, (_, n) => `Around it stands paragraph ${n}.`).join('\n\n')
  const page = (word: string): { text: string; mdx: boolean } => ({
    text: `# Title\n\n${around}\n\n${wrap(body(word)).replace('MARKED', word)}\n\n## Below\n\n${around}\n`,
    mdx,
  })
  const window = { from: 0, count: 1000, whole: false }
  const nothing = { before: {}, after: {} }
  const found = await renderedRows({ before: page('oldword'), after: page('newword'), lines, window }, () =>
    Promise.resolve({ links: nothing, images: nothing }),
  )
  const rows = found?.rows ?? []
  const sides = rows.map((row) => {
    if (row.kind === 'fold') return ['', '']
    return [row.before && 'html' in row.before ? row.before.html : '', row.after?.html ?? '']
  })
  const seen = sides.map(([before = '', after = '']) => after || before).join('\n')
  return {
    rows,
    html: rows.map((row, index) => (row.kind === 'same' ? '' : (sides[index] ?? []).join('\n'))).join('\n'),
    seen: seen.replaceAll(/<[^<>]*>/g, '').length,
  }
}

/** Characters that fit on a screen. */
const screen = 4500

/** How lines are shown is the same for all containers: every fourth is tried with both sides beside each other, too. */
const cases = [...markdown, ...jsx].flatMap((container, index) =>
  (['unified', 'split'] as const)
    .filter((lines) => lines === 'unified' || index % 4 === 0)
    .map((lines) => ({ ...container, lines })),
)

it.each(cases)('marks only the word that has changed in $name, $lines', async (container) => {
  const { rows, html, seen } = await reviewed(container, container.lines)
  const kinds = rows.map(({ kind }) => kind).filter((kind) => kind !== 'same' && kind !== 'fold')
  expect(kinds).toEqual([container.lines === 'unified' ? 'merged' : 'changed'])
  expect(html.match(/<(?:ins|del)[^>]*>[^<]*<\/(?:ins|del)>/g)?.toSorted()).toEqual([
    '<del>oldword</del>',
    '<ins>newword</ins>',
  ])
  expect(html).not.toMatch(/class="[^"]*\b(?:old|new)\b/)
  expect(seen).toBeLessThan(screen)
})

it.each([
  ['summary', '::: details Click me', '<summary>Click me</summary>'],
  ['label of a note', '::: tip Read this', 'Read this</p>'],
])('keeps the %s in sight when what stands below it is folded', async (_, open, title) => {
  for (const lines of ['unified', 'split'] as const) {
    const { html } = await reviewed({ name: '', wrap: within(open, ':::') }, lines)
    expect(html).toContain(title)
    expect(html).toContain('unchanged blocks')
  }
})

it('ends a container where the parser of the site does', async () => {
  const { html } = await reviewed(
    { name: '', wrap: (text) => `::: details\n\nIn it.\n\n::: tip\n\nInner.\n\n:::\n\n${text}\n` },
    'unified',
  )
  expect(html).not.toContain('<details')
})

it('compares code of many lines line by line where all of them have changed a little', async () => {
  const page = (flag: string): { text: string; mdx: boolean } => ({
    text: `\`\`\`sh\n${Array.from({ length: 400 }, (_, n) => (n % 2 === 0 ? `same ${n} of it` : `${flag} run ${n} ${flag}`)).join('\n')}\n\`\`\`\n`,
    mdx: false,
  })
  const window = { from: 0, count: 1000, whole: false }
  const nothing = { before: {}, after: {} }
  const found = await renderedRows({ before: page('a'), after: page('b'), lines: 'unified', window }, () =>
    Promise.resolve({ links: nothing, images: nothing }),
  )
  const [row] = found?.rows ?? []
  expect(row?.kind).toBe('merged')
  const html = row?.kind === 'merged' ? row.after.html : ''
  expect(html).not.toMatch(/<(?:ins|del)>[^<]*same/)
})

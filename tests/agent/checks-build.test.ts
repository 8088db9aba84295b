import { describe, expect, it } from 'vitest'
import { problemsAfter } from './change-tree.ts'

const vitepress = { '.vitepress/config.ts': 'export default {}', 'a.md': '# A\n' }
const docusaurus = {
  'docusaurus.config.js': 'export default { presets: [["classic", { docs: {} }]] }',
  'docs/a.md': '# A\n',
}
const after = async (body: string) =>
  (await problemsAfter(vitepress, { 'a.md': `# A\n\n${body}\n` })).map(({ check, line, message }) =>
    [check, line, message].join(' '),
  )

// What VitePress 1.6 says of these texts was tried with it.
describe('elements on pages of VitePress', () => {
  it('are closed, once, and where they were opened', async () => {
    expect(await after('<div>\n\ntext')).toEqual(['mdx 3 <div> is never closed'])
    expect(await after('A List<T> here')).toEqual(['mdx 3 <T> is never closed in its paragraph'])
    expect(await after('x </b> y')).toEqual(['mdx 3 </b> closes nothing'])
    expect(await after('- <b>x\n- y</b>')).toEqual([
      'mdx 3 <b> is never closed in its paragraph',
      'mdx 4 </b> closes nothing',
    ])
    expect(await after('<div>\n\n> <i>x\n\n</div>')).toEqual(['mdx 5 <i> is never closed in its paragraph'])
  })

  it('may be empty, closed by themselves, in code, or hold what is no HTML', async () => {
    const fine = [
      'x <br> y </br> <img src="a.png"> <Badge text="a > b" @x="() => y" />',
      '<script setup>\nconst a = 1 < 2 && "<b>"\n</script>',
      '`<T>` and \\<T>',
      '```html\n<div>\n```',
      '<!-- <div> -->',
      '<div>\n\n*x*\n\n</div>',
    ]
    expect((await after(fine.join('\n\n'))).filter((one) => !one.startsWith('image'))).toEqual([])
  })

  it('show values that the page has', async () => {
    expect(await after('{{ 1 + }}')).toEqual(['mdx 3 "{{ 1 + }}" is no expression that Vue can read'])
    expect(await after('{{ user.name }}')).toEqual([
      'mdx 3 "{{ user.name }}" reads from user, which the page does not define: nothing of the page is shown',
    ])
    expect(await after('<p>{{ user.name }}</p>')).toHaveLength(1)
    expect(await after('<li v-for="one in all">{{ one.name }}</li>\n\n<style>a {{ b.c }}</style>')).toEqual(
      [],
    )
    const fine = '`{{ a.b }}` {{ name }} {{ $frontmatter.title }} {{ Math.max(1, 2) }} {{ a?.b }}'
    expect(await after(fine)).toEqual([])
    expect(await after('::: v-pre\n{{ a.b }}\n:::')).toEqual([])
    expect(await after('<script setup>\nconst user = {}\n</script>\n\n{{ user.name }}')).toEqual([])
  })
})

it('finds styles that React does not take, in elements and not in components', async () => {
  const body = '# A\n\n<p style="color: red">x</p>\n<p style={{ color: "red" }}>x</p>\n\n<Box style="x" />\n'
  expect(await problemsAfter(docusaurus, { 'docs/a.md': body })).toMatchObject([
    { check: 'mdx', line: 3, message: 'The style of <p> is a text, and React takes an object' },
  ])
})

describe('code that says what it is', () => {
  it('is JSON that can be read, or an example that leaves something out', async () => {
    expect(await after('```json\n{\n  "a": 1\n  "b": 2\n}\n```')).toEqual([
      'fence 6 The code block says that it is JSON, and cannot be read as such',
    ])
    for (const fine of ['{"a": 1}', '{"a": ...}', '{ // why\n}', '"a": 1', '{"a": <id>}'])
      expect(await after(`\`\`\`json\n${fine}\n\`\`\``)).toEqual([])
  })

  it('is a diagram whose blocks end', async () => {
    expect(await after('```mermaid\nflowchart TD\nsubgraph x\nA --> B\n```')).toEqual([
      'fence 5 The block subgraph in the diagram has no `end`',
    ])
    expect(await after('```mermaid\nsequenceDiagram\nA->>B: x\nend\n```')).toEqual([
      'fence 6 An `end` in the diagram closes nothing',
    ])
    expect(await after('```mermaid\nsequencediagram\n```')).toEqual([
      'fence 4 Mermaid has no diagram type sequencediagram',
    ])
    for (const [wrong, right] of [
      ['flowchrt LR', 'flowchart'],
      ['sequenceDiagramm', 'sequenceDiagram'],
      ['statediagram-v2', 'stateDiagram'],
    ])
      expect(await after(`\`\`\`mermaid\n${wrong}\n\`\`\``), right).toEqual([
        `fence 4 Mermaid has no diagram type ${wrong?.split(' ')[0]}`,
      ])
    for (const kind of [
      'stateDiagram-v2',
      'xychart-beta',
      'C4Context',
      'zenuml',
      'radar-beta',
      'newKind',
      'info',
    ])
      expect(await after(`\`\`\`mermaid\n${kind}\n\`\`\``), kind).toEqual([])
    const fine = '---\ntitle: x\n---\n%% note\nsequenceDiagram\nalt a\nA->>B: x\nelse b\nB->>A: y\nend'
    expect(await after(`\`\`\`mermaid\n${fine}\n\`\`\``)).toEqual([])
  })
})

it('finds rows that do not fit their table, and a second title', async () => {
  expect(await after('| a | b |\n|---|---|\n| 1 | 2 | 3 |\n| 1 \\| x | 2 |\n| 1 |\n\n# B')).toEqual([
    'table 5 The row has 3 cells and the table 2 columns: what is too much is not shown',
    'heading 9 The page has a second heading of the first level, after that in line 1',
  ])
})

import type { ChatMarkupName } from './print-chat.ts'
import { expect, it } from 'vitest'
import { createMarkdownReader } from './read-markdown.ts'

const read = createMarkdownReader()

async function printed(markdown: string, markup: ChatMarkupName = 'slack'): Promise<string | undefined> {
  return read({ projectId: 'prj_1', markdown, mdx: false, printed: { form: 'chat', markup } })
}

it('prints what a chat shows: emphasis, links, lists, code, tables and quotations', async () => {
  const markdown = [
    '# Start **now**',
    'Use **one** _two_ ~~three~~ `a<b>` and [the guide](https://docs.example/a?b=1&c=2).',
    '- first\n  - inner\n- second',
    '1. one\n2. two',
    '```sh\nnpm i @scope/x && echo <y>\n```',
    '> quoted\n> text',
    '| A | B |\n| - | - |\n| 1 | `2` |',
  ].join('\n\n')
  expect(await printed(markdown)).toBe(
    [
      'Start *now*',
      'Use *one* _two_ ~three~ `a&lt;b&gt;` and <https://docs.example/a?b=1&amp;c=2|the guide>.',
      '• first\n    • inner\n• second',
      '1. one\n2. two',
      '```\nnpm i @scope/x &amp;&amp; echo &lt;y&gt;\n```',
      '> quoted text',
      '*A* | *B*\n1 | `2`',
    ].join('\n\n'),
  )
})

it('mentions nobody, whatever a text holds', async () => {
  const text = await printed(
    'Hi \\<!channel> `<@U1>` &lt;!here&gt; [x](javascript:alert(1)) [y](https://e.example/|a>)',
  )
  expect(text).not.toMatch(/<[!@#]/)
  expect(text).not.toContain('javascript')
  expect(text).toContain('&lt;!channel&gt;')
})

it('prints the same for Discord, with what means something to it escaped', async () => {
  const markdown = [
    '# Start **now**',
    'Use **one** _two_ ~~three~~ `a*b*` and [the guide](https://docs.example/a_(b)?c=1).',
    '- first',
    '```sh\necho **x**\n```',
    'Hi @everyone, \\<@1>, snake\\_case and a * b',
  ].join('\n\n')
  expect(await printed(markdown, 'discord')).toBe(
    [
      'Start **now**',
      'Use **one** _two_ ~~three~~ `a*b*` and [the guide](https://docs.example/a_%28b%29?c=1).',
      '• first',
      '```\necho **x**\n```',
      'Hi \\@everyone, \\<\\@1\\>, snake\\_case and a \\* b',
    ].join('\n\n'),
  )
})

it('prints the same for Teams, where links and marks of a text are text', async () => {
  const markdown = [
    '# Start **now**',
    'Use **one** _two_ ~~three~~ `a*b*` and [the guide](https://docs.example/a_(b)?c=1).',
    '- first',
    '```sh\necho **x**\n```',
    'Hi \\<at>Ann\\</at>, \\[no link](evil.md)',
  ].join('\n\n')
  expect(await printed(markdown, 'teams')).toBe(
    [
      'Start **now**',
      'Use **one** _two_ three `a\\*b\\*` and [the guide](https://docs.example/a_%28b%29?c=1).',
      '• first',
      '```\necho \\*\\*x\\*\\*\n```',
      'Hi \\<at\\>Ann\\</at\\>, \\[no link\\](evil.md)',
    ].join('\n\n'),
  )
})

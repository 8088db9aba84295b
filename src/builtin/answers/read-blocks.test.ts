import { expect, it } from 'vitest'
import { readBlocks } from './read-blocks.ts'

it('keeps a code block together that shows another one', () => {
  expect(readBlocks('Include it:\n\n````md title="a"\n```{include} a.md\n```\n````\n\nDone.')).toEqual([
    { kind: 'paragraph', text: 'Include it:' },
    { kind: 'code', language: 'md', lines: ['```{include} a.md', '```'] },
    { kind: 'paragraph', text: 'Done.' },
  ])
  expect(readBlocks('```md\n=== "C"\n\n    ``` c\n    f()\n    ```\n```\n\nDone.')).toEqual([
    { kind: 'code', language: 'md', lines: ['=== "C"', '', '    ``` c', '    f()', '    ```'] },
    { kind: 'paragraph', text: 'Done.' },
  ])
})

it('reads lists with their levels, and tables with their header', () => {
  expect(readBlocks('- a\n  - b\n    goes on\n\n- c\n\n1. one\n2. two')).toEqual([
    {
      kind: 'list',
      items: [
        { indent: 0, marker: '-', text: 'a' },
        { indent: 2, marker: '-', text: 'b goes on' },
        { indent: 0, marker: '-', text: 'c' },
      ],
    },
    {
      kind: 'list',
      items: [
        { indent: 0, marker: '1.', text: 'one' },
        { indent: 0, marker: '2.', text: 'two' },
      ],
    },
  ])
  expect(readBlocks('Option | Default\n`a | b` | 1\nport | 4000')).toEqual([
    {
      kind: 'table',
      header: ['Option', 'Default'],
      rows: [
        ['`a | b`', '1'],
        ['port', '4000'],
      ],
    },
  ])
  expect(readBlocks('Either a | b is fine.')).toMatchObject([{ kind: 'paragraph' }])
})

it('drops what is left of components, directives, templates and definitions', () => {
  const noise = [
    ':::note',
    '::card',
    '</Tabs>',
    '<iframe',
    '>',
    '{% tabs %}',
    '{{< tabpane >}}',
    '{:toc}',
    '[1]: https://example.com',
    '![logo](logo.png)',
    '[[toc]]',
    '---',
    '!!! warning',
  ]
  for (const line of noise)
    expect(readBlocks(`Before.\n\n${line}\n\nAfter.`), line).toEqual([
      { kind: 'paragraph', text: 'Before.' },
      { kind: 'paragraph', text: 'After.' },
    ])
  expect(readBlocks('```ts\n// ---cut---\nrun() // [!code ++]\n```\n\n```py\n{!../src/a.py!}\n```')).toEqual([
    { kind: 'code', language: 'ts', lines: ['run()'] },
  ])
})

it('ends at the text of another section', () => {
  expect(readBlocks('Own text.\n\n## Other\n\nOther text.')).toEqual([
    { kind: 'paragraph', text: 'Own text.' },
  ])
})

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
        { indent: 0, marker: '-', text: 'a', isLink: false },
        { indent: 2, marker: '-', text: 'b goes on', isLink: false },
        { indent: 0, marker: '-', text: 'c', isLink: false },
      ],
    },
    {
      kind: 'list',
      items: [
        { indent: 0, marker: '1.', text: 'one', isLink: false },
        { indent: 0, marker: '2.', text: 'two', isLink: false },
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

it('leaves out the texts of images and rules of tables, and knows items that only lead on', () => {
  expect(readBlocks('A sentence.\n\n![The page, with a button.]')).toEqual([
    { kind: 'paragraph', text: 'A sentence.' },
  ])
  expect(readBlocks('- [Install]\n- [Set up]: how')).toMatchObject([
    {
      items: [
        { text: 'Install', isLink: true },
        { text: '[Set up]: how', isLink: false },
      ],
    },
  ])
  expect(readBlocks('A | B\n--- | :---:\n1 | 2')).toEqual([
    { kind: 'table', header: ['A', 'B'], rows: [['1', '2']] },
  ])
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

import { expect, it } from 'vitest'
import { visit } from 'unist-util-visit'
import { fileReferences } from '../pages/file-references.ts'
import { createFences } from './fence.ts'
import { readLine } from './line.ts'
import { readPageTree } from './page-tree.ts'

/** The lines that are no fenced code. */
function outside(text: string, mdx = false): string[] {
  const fences = createFences(mdx)
  return text.split('\n').filter((raw) => {
    const line = readLine(raw)
    return (fences.inside(line) ?? fences.open(line)) === undefined
  })
}

const example = '``` title="Tabs"\n=== "C"\n\n    ``` c\n    f()\n    ```\n\n=== "D"\n```\nend'

it('ends code at a fence that stands about where it opened', () => {
  expect(outside(example)).toEqual(['end'])
  expect(outside('=== "C"\n\n    ``` c\n    f()\n    ```\n\nend')).toEqual(['=== "C"', '', '', 'end'])
  expect(outside('- item\n\n  ~~~ js\n      ~~~\n  ```\n     ~~~\nend')).toEqual(['- item', '', 'end'])
  expect(outside('2. - ```js\n     f()\n         ```\n     ```\nend')).toEqual(['end'])
  expect(outside('````md\n```js\n```\n`````\nend')).toEqual(['end'])
  expect(outside('```js\nf()\n    ```\nend', true)).toEqual(['end'])
})

it('ends code in a block quote with the quote, and at no fence of another one', () => {
  expect(outside('> ```sh\n> a\n> ```\n\nend')).toEqual(['', 'end'])
  expect(outside('> ```sh\n> a\n\nend')).toEqual(['', 'end'])
  expect(outside('```sh\n> ```\n$ b\n```\nend')).toEqual(['end'])
  expect(outside('- > ```sh\n  > a\n  > ```\n\nend')).toEqual(['', 'end'])
})

it('ends code at the same line in a tree of the page', () => {
  const spans = (text: string) => {
    const found: string[] = []
    const { tree } = readPageTree(text, 'flat-markdown')
    if (tree)
      visit(tree, 'code', ({ position }) => void found.push(`${position?.start.line}-${position?.end.line}`))
    return found
  }
  expect(spans(example)).toEqual(['1-9'])
  expect(spans('- item\n\n  ~~~ js\n      ~~~\n  ~~~\n')).toEqual(['3-5'])
  expect(spans('=== "C"\n\n\t``` c\n\tf()\n    ```\n\n```\n```')).toEqual(['3-5', '7-8'])
  expect(spans('> ```\n>     ```\n\n```\na')).toEqual(['1-2', '4-5'])
})

it('keeps references of files that code shows out of those of the page', () => {
  const text =
    "```md\n1. Do:\n\n    ```js\n    ```\n\nimport a from './a.js'\n```\n\nimport b from './b.js'\n"
  expect(fileReferences(text).map((reference) => reference.text)).toEqual(['./b.js'])
})

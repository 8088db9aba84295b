import { expect, it } from 'vitest'
import { visit } from 'unist-util-visit'
import { createPageTrees, readPageTree } from './page-tree.ts'

const page = '---\ntitle: A\n---\n\n# One\n\nText with [a link](b.md).\n\n```sh\nls\n```\n'

it('gives every node its place in the text, front matter included', () => {
  for (const syntax of ['markdown', 'mdx'] as const) {
    const { tree } = readPageTree(page, syntax)
    const seen: [type: string, text: string][] = []
    if (tree !== undefined)
      visit(tree, ({ type, position }) => {
        seen.push([type, page.slice(position?.start.offset, position?.end.offset)])
      })
    expect(seen).toContainEqual(['yaml', '---\ntitle: A\n---'])
    expect(seen).toContainEqual(['link', '[a link](b.md)'])
    expect(seen).toContainEqual(['code', '```sh\nls\n```'])
  }
})

it('reads tags and braces as MDX only where the page is MDX', () => {
  const text = 'A {value} and <Note kind="tip">x</Note>\n'
  const types = (syntax: 'mdx' | 'markdown'): string[] => {
    const { tree } = readPageTree(text, syntax)
    const found: string[] = []
    if (tree !== undefined) visit(tree, (node) => void found.push(node.type))
    return found
  }
  expect(types('mdx')).toContain('mdxJsxTextElement')
  expect(types('mdx')).toContain('mdxTextExpression')
  expect(types('markdown').filter((type) => type === 'html')).toHaveLength(2)
})

it('tells where a page of MDX cannot be read', () => {
  expect(readPageTree('a\n\n<Note>\n', 'mdx').problem).toMatchObject({ line: 3 })
  expect(readPageTree('a\n\n{b c}\n', 'mdx').problem).toMatchObject({ line: 3 })
  expect(readPageTree('a\n\n{b\n', 'markdown').problem).toBeUndefined()
})

it('refuses text that is nested deeper than any honest one', () => {
  expect(readPageTree(`a\n${'> - '.repeat(2000)}x`, 'markdown').problem).toMatchObject({ line: 2 })
  expect(readPageTree(`${'-'.repeat(600)}\n`, 'markdown').problem).toBeUndefined()
})

it('reads the same text once', () => {
  const trees = createPageTrees()
  const first = trees.read(page, 'mdx')
  expect(trees.read(page.slice(0), 'mdx')).toBe(first)
  expect(trees.read(page, 'markdown')).not.toBe(first)
})

it('reads the unfinished id of a heading as text, and what is behind it as it is', () => {
  expect(readPageTree('# One {#one]\n\nText\n', 'docs-mdx').tree).toBeDefined()
  const { tree } = readPageTree('# One {#one] {run()}\n', 'docs-mdx')
  const found: string[] = []
  if (tree !== undefined) visit(tree, ({ type }) => void found.push(type))
  expect(found).toContain('mdxTextExpression')
})

import { expect, it } from 'vitest'
import { createMarkdownReader } from './read-markdown.ts'

it('gives up on text that keeps the parser busy, and goes on with the next one', async () => {
  const read = createMarkdownReader(1500)
  const hostile = read({ markdown: '_a*b '.repeat(40_000), mdx: false })
  const honest = read({ markdown: '# Fine', mdx: false })
  expect(await hostile).toBeUndefined()
  expect((await honest)?.children).toHaveLength(1)
})

it('refuses what is nested beyond reason or too large', async () => {
  const read = createMarkdownReader()
  expect(await read({ markdown: '> '.repeat(50_000), mdx: false })).toBeUndefined()
  expect(await read({ markdown: '- '.repeat(50_000), mdx: false })).toBeUndefined()
  expect(await read({ markdown: 'a'.repeat(600_000), mdx: false })).toBeUndefined()
  expect(await read({ markdown: '<A>\n'.repeat(20_000), mdx: true })).toBeDefined()
})

import { expect, it } from 'vitest'
import { colourCode } from './colour-code.ts'
import { printTree } from './print-tree.ts'
import { toTree } from './to-tree.ts'

const shown = async (text: string): Promise<string | undefined> => {
  const tree = toTree(text, false)
  if (!tree) return undefined
  await colourCode(tree)
  return printTree(tree)
}

it('colours code by the name of its language, also in lines that are marked', async () => {
  expect(await shown('```ts\nconst a = "b" // c\n```')).toBe(
    '<pre><code class="language-ts"><span class="s-k">const</span> a <span class="s-k">=</span> <span class="s-p">"</span><span class="s-s">b</span><span class="s-p">"</span> <span class="s-c">// c</span>\n</code></pre>',
  )
  expect(await shown('```js {2}\n1\n2\n```')).toBe(
    '<pre><code class="language-js"><span class="s-n">1</span>\n<span class="line marked"><span class="s-n">2</span>\n</span></code></pre>',
  )
})

it('leaves other code as it is, and every character of it', async () => {
  for (const text of ['```\nconst a\n```', '```unheard-of\nconst a\n```', '`const a`'])
    expect(await shown(text)).not.toContain('s-k')
  const hostile = '<script>alert("a")</script>\n\n\tconst b = `\n${c}`'
  const tree = toTree(`\`\`\`\`html\n${hostile}\n\`\`\`\``, false)
  expect(tree).toBeDefined()
  if (!tree) return
  await colourCode(tree)
  const html = printTree(tree)
  expect(html).not.toContain('<script')
  expect(html.replaceAll(/<[^>]*>/g, '').replaceAll('&#x3C;', '<')).toBe(`${hostile}\n`)
})

it('colours no more of a page than its reader waits for', async () => {
  const block = `\`\`\`js\n${`// ${'a'.repeat(1900)}\n`.repeat(15)}\`\`\``
  const html = await shown(`${block}\n\n${block}`)
  expect(html?.match(/class="s-c"/g)).toHaveLength(15)
})

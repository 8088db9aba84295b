import { expect, it } from 'vitest'
import { eachNode, parseScript } from './parse-script.ts'

const hostile = [
  '['.repeat(100_000),
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `let a: ${'B<'.repeat(50_000)}`,
  `let a: b = ${'1+'.repeat(100_000)}1`,
  `let a: b = ${'`${'.repeat(20_000)}`,
  `x${' as b'.repeat(50_000)}`,
]

it('keeps the offset of every literal, with types, wide characters and a byte order mark', async () => {
  const text =
    "\uFEFFimport type { A } from 'é'\r\nconst x: Record<'日本😀', A> = { a: 'é日本' } satisfies B<'😀'>\r\nexport default define<C>({ d: x!, e: ['f' as const] })\r\n"
  const script = await parseScript('config.mts', text)
  const literals =
    script === undefined ? [] : [...eachNode(script.root)].filter(({ type }) => type === 'Literal')
  expect(literals.map(({ start, end }) => text.slice(start, end))).toEqual(["'é日本'", "'f'"])
})

it('reads plain scripts and JSON, and nothing else', async () => {
  expect(await parseScript('a.cjs', '#!/usr/bin/env node\nwith (x) { y }')).toBeDefined()
  expect(await parseScript('a.json', '{ "a": [1] }\n')).toMatchObject({ root: { type: 'ObjectExpression' } })
  expect(await parseScript('a.json', '{ "a": 1 } x')).toBeUndefined()
  expect(await parseScript('a.js', 'const a: string = 1')).toBeUndefined()
})

it('reads TypeScript again after a text that breaks its parser', async () => {
  for (const text of hostile) {
    await parseScript('hostile.ts', text)
    expect(await parseScript('next.ts', `let a: string = '${text.slice(0, 9)}'`)).toBeDefined()
  }
})

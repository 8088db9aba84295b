import { expect, it } from 'vitest'
import { readToml } from './read-toml.ts'

it('finds every text under its name, in lists of lists too', () => {
  const source = `title = "One \\"two\\""
[head.meta]
tags = [
  ["a", 'b'],
  """c
d""",
] # "no"
[other]
x = { y = "z" }
`
  expect(readToml(source)).toMatchObject({
    title: ['One "two"'],
    meta: { tags: ['a', 'b', 'c\nd'] },
    other: { y: ['z'] },
  })
})

it('goes over each sign once, whatever is left open', () => {
  for (const hostile of [
    'a = "' + '\\"'.repeat(300_000),
    "a = '''" + "''a".repeat(300_000),
    `a = [${'"x",'.repeat(200_000)}`,
  ])
    expect(readToml(hostile)).toHaveProperty('a')
})

import { describe, expect, it } from 'vitest'
import { isHostileYaml } from './hostile-yaml.ts'

describe('YAML that only costs time', () => {
  it.each([
    ['tags in a row', `a: ${'!a '.repeat(20_000)}`],
    ['anchors in a row', `a: ${'&a '.repeat(20_000)}`],
    ['aliases of aliases', `a: &a [x]\nb: [${'*a, '.repeat(20_000)}]`],
    ['nothing between commas', `a: [${', '.repeat(20_000)}]`],
    ['ends of lists that never began', ']'.repeat(20_000)],
    ['objects side by side', '{{a}}'.repeat(20_000)],
    ['quotes in a row', `a: ${'"'.repeat(20_000)}`],
    ['lists in lists', '['.repeat(20_000)],
    ['lists in lists by hyphens', '- '.repeat(20_000)],
  ])('is told by %s', (_case, text) => {
    expect(isHostileYaml(text)).toBe(true)
  })

  it.each([
    ['a long navigation', `nav:\n${'  - Page: [a.md, "b c.md", {D: d.md}]\n'.repeat(10_000)}`],
    [
      'tags of plugins',
      `extensions:\n${'  - emoji: !!python/name:material.extensions.emoji.twemoji\n'.repeat(200)}`,
    ],
    ['code in a text', `code: |\n${'  a = b[i] && c["x"] or """d"""\n'.repeat(300)}`],
  ])('is not %s', (_case, text) => {
    expect(isHostileYaml(text)).toBe(false)
  })

  it('is told in linear time', () => {
    for (const text of [', '.repeat(500_000), `,${' '.repeat(1_000_000)}`, '- '.repeat(500_000)])
      expect(isHostileYaml(text)).toBe(!text.startsWith(',  '))
  })
})

import { expect, it } from 'vitest'
import { createGlob, createPattern } from './glob.ts'

it.each([
  ['*.md', ['a.md', 'x/y.md'], ['a.mdx']],
  ['docs/*.md', ['docs/a.md'], ['docs/x/a.md', 'a.md']],
  ['docs/**/*.md', ['docs/a.md', 'docs/x/y/a.md'], ['docsx/a.md', 'docs/a.txt']],
  ['**/a.md', ['a.md', 'x/a.md'], ['xa.md']],
  ['docs/**', ['docs/a', 'docs/x/a'], ['docs']],
  ['?[0-9].{md,mdx}', ['a1.md', 'x/b2.mdx'], ['ab.md', 'a1.txt']],
  ['[!a].md', ['b.md'], ['a.md']],
  ['./a/{b,c/**}/d.md', ['a/b/d.md', 'a/c/d.md', 'a/c/x/d.md'], ['a/x/d.md']],
  ['größe*', ['größe.md'], ['grosse.md']],
])('%s matches names as people expect', (glob, yes, no) => {
  const matches = createGlob(glob)
  expect([yes.map(matches), no.map(matches)]).toEqual([yes.map(() => true), no.map(() => false)])
})

it('takes no longer for hostile globs', () => {
  const path = 'a'.repeat(1000)
  expect(createGlob(`${'*a'.repeat(400)}b`)(path)).toBe(false)
  expect(createGlob(`${'**/'.repeat(300)}b`)('a/'.repeat(500))).toBe(false)
  expect(() => createGlob('{a,b}'.repeat(7))).toThrow('64 alternatives')
  expect(() => createGlob('a'.repeat(1001))).toThrow('1,000')
})

it.each([
  ['*.md', ['a.md'], ['x/a.md']],
  ['**/{a}.md', ['{a}.md', 'x/{a}.md'], ['a.md']],
  ['\\#a\\*', ['#a*'], ['#ab', '\\#a*']],
  ['a/**', ['a/b', 'a/b/c'], ['a', 'ab/c']],
])('the pattern %s of a configuration matches whole paths', (pattern, yes, no) => {
  const matches = createPattern(pattern)
  expect([yes.map(matches), no.map(matches)]).toEqual([yes.map(() => true), no.map(() => false)])
})

it('takes no longer for hostile patterns of a repository', () => {
  expect(createPattern(`${'*a'.repeat(400)}b`)('a'.repeat(4000))).toBe(false)
  expect(createPattern('+(a|aa)'.repeat(100))('a'.repeat(4000))).toBe(false)
  expect(createPattern('**')('a'.repeat(5000))).toBe(false)
})

import { expect, it } from 'vitest'
import { numberDiff } from '../workspace/numbered-diff.ts'
import { ShownSources } from './shown-sources.ts'

const id = 'a'.repeat(40)
const parent = 'b'.repeat(40)
const diff = numberDiff(`diff --git a/src/a.go b/src/b.go
similarity index 90%
rename from src/a.go
rename to src/b.go
index 1234567..89abcde 100644
--- a/src/a.go
+++ b/src/b.go
@@ -10,3 +12,3 @@ func main() {
 one
-two
+Two
 three`)

function shown(): ShownSources {
  const sources = new ShownSources()
  const results: [unknown, boolean][] = [
    [{ path: 'docs/a.md', content: '3\tthree\n4\tfour', hash: 'x' }, false],
    [{ matches: [{ path: 'docs/b.md', line: 7, text: 'seven' }], total: 1 }, false],
    [{ repository: '@app', commit: parent, path: '@app/lib/x.ts', content: '1\tone' }, false],
    [{ repository: '@app', commit: parent, id, parent, files: [{ path: 'src/b.go' }], diff }, false],
    [
      {
        results: [{ path: 'docs/c.md', lines: '5-9', url: '/c', title: 'C', heading: null, content: 'text' }],
      },
      false,
    ],
    [{ path: 'docs/new.md', hash: 'y' }, true],
    [{ path: 'docs/new.md', content: '1\tmine' }, false],
    [{ error: { code: 'not_found' }, path: 'docs/no.md', content: '1\tno' }, false],
  ]
  for (const [output, changes] of results) sources.record(output, changes)
  return sources
}

it.each([
  ['docs/a.md', { path: 'docs/a.md' }],
  ['docs/a.md:3', { path: 'docs/a.md', lines: [3, 3] }],
  ['./docs/a.md:3-4', { path: 'docs/a.md', lines: [3, 4] }],
  ['a.md#L3-L4', { path: 'docs/a.md', lines: [3, 4] }],
  ['`docs/a.md`', { path: 'docs/a.md' }],
  ['docs/b.md, line 7', { path: 'docs/b.md', lines: [7, 7] }],
  ['docs/c.md:5-9', { path: 'docs/c.md', lines: [5, 9] }],
  ['@app/lib/x.ts:1', { repository: '@app', path: 'lib/x.ts', commit: parent, lines: [1, 1] }],
  ['@app/src/b.go:12-14', { repository: '@app', path: 'src/b.go', commit: id, lines: [12, 14] }],
  ['@app/src/a.go:11', { repository: '@app', path: 'src/a.go', commit: parent, lines: [11, 11] }],
  [`commit ${id.slice(0, 9)}`, { repository: '@app', path: '', commit: id }],
])('takes %s as a source that was shown, and knows where it is', (source, place) => {
  expect(shown().find(source)?.place).toMatchObject(place)
})

it('takes the prompt and documents by their address', () => {
  expect(shown().find('Prompt')).toEqual({ text: 'the prompt' })
  expect(shown().find('/c#usage')).toEqual({ text: '/c#usage', address: '/c' })
})

it.each([
  'docs/a.md:5',
  'docs/a.md:3-9999',
  'docs/a.md:4-3',
  'docs/no.md',
  'docs/b.md:6',
  'docs/new.md:1',
  '@app/src/b.go:11',
  '@app/lib/y.ts',
  'commit 1234567',
  'https://example.com/x',
  'RFC 9110',
  'x'.repeat(5000),
  '',
])('does not take %s, which was never shown', (source) => {
  expect(shown().find(source)).toBeUndefined()
})

it('prints of a range only what was shown, where its ends were', () => {
  const sources = shown()
  sources.record({ matches: [2, 4, 5, 9].map((line) => ({ path: 'docs/d.md', line })) }, false)
  expect(sources.find('docs/d.md:2-9')).toMatchObject({ text: 'docs/d.md:4-5', place: { lines: [4, 5] } })
  expect(sources.find('docs/d.md:2-4')?.text).toBe('docs/d.md:2')
  expect(sources.find('docs/d.md:4-8')).toBeUndefined()
})

it('says which lines of a file were shown, for a model that has named others', () => {
  expect(shown().linesOf('docs/a.md:90')).toBe('3-4')
  expect(shown().linesOf('docs/none.md:1')).toBeUndefined()
})

it('takes what earlier turns gave, and files that were told as a whole', () => {
  const sources = new ShownSources()
  sources.addEarlier('docs/old.md:3', 'https://git.example/old')
  sources.addWhole('AGENTS.md')
  expect(sources.find('docs/old.md:3')).toEqual({
    text: 'docs/old.md:3',
    address: 'https://git.example/old',
  })
  expect(sources.find('AGENTS.md:40')?.place).toMatchObject({ path: 'AGENTS.md', lines: [40, 40] })
})

it('numbers the lines of a diff by the side that they are of', () => {
  expect(diff).toBe(`diff --git a/src/a.go b/src/b.go
rename from src/a.go
rename to src/b.go
--- a/src/a.go
+++ b/src/b.go
@@ -10,3 +12,3 @@ func main() {
 12\tone
-11\ttwo
+13\tTwo
 14\tthree`)
})

import { expect, it } from 'vitest'
import { addsOnly, entryInsertion, ignoreEntry, writeIgnoreFile } from './ignore-entry.ts'
import { readIgnored } from './ignored-problems.ts'

const entry = ignoreEntry('link', 'docs/a.md', 'The link "gone.md" points to no page: # really')
const link = { kind: 'link', path: 'docs/a.md', message: 'The link "gone.md" points to no page: # really' }

const added = (text: string): string => {
  const insertion = entryInsertion(text, entry)
  if (typeof insertion === 'string') return insertion
  return text.slice(0, insertion.start) + insertion.replace + text.slice(insertion.end)
}

it.each([
  ['a list', 'ignore:\n  - kind: title\n'],
  ['a list at the margin', 'ignore:\n- kind: title\n'],
  ['comments', '# Ours\nignore:\n  # Old\n  - kind: title # all\n\n# The end\n'],
  ['a file without an end of its last line', 'ignore:\n  - kind: title'],
  ['line ends of Windows', 'ignore:\r\n  - kind: title\r\n  - path: b.md\r\n'],
  ['an empty list', 'ignore: []\n'],
  ['nothing', ''],
  ['comments alone', '# Nothing yet'],
  ['settings behind the list', 'ignore:\n  - kind: title\n    path: b/\nother: 1\n'],
])('adds an entry to %s and leaves the rest', (_, text) => {
  const after = added(text)
  expect(readIgnored(after).wrong).toEqual([])
  expect(readIgnored(after).ignores(link)).toBe(true)
  expect(readIgnored(after).ignores({ ...link, message: 'Another' })).toBe(false)
  for (const line of text.split(/\r?\n/)) expect(after).toContain(line.replace('[]', ''))
  expect(addsOnly(text, after, entry)).toBe(true)
  expect(addsOnly(text, after.replaceAll('\n', '\r\n').replaceAll('\r\r', '\r'), entry)).toBe(true)
})

it.each([
  'ignore: [{ kind: title }]\n',
  'ignore: 3\n',
  'a: 1\n',
  'ignore: [',
  `ignore:\n${'- kind: link\n'.repeat(5000)}`,
])('says why it cannot be added: %#', (text) => {
  expect(entryInsertion(text, entry)).toMatch(/by hand|too long/)
  expect(addsOnly(text, text, entry)).toBe(false)
})

it('takes nothing but the entry for an addition of it', () => {
  const before = 'ignore:\n  - kind: title\n'
  const after = added(before)
  for (const other of [
    before,
    after.replace('kind: link', 'kind: image'),
    `${after}  - path: docs/\n`,
    after.replace('kind: title', 'kind: mdx'),
    `${after}other: 1\n`,
    writeIgnoreFile(entry),
  ])
    expect(addsOnly(before, other, entry)).toBe(false)
  expect(addsOnly(undefined, writeIgnoreFile(entry), entry)).toBe(true)
  expect(addsOnly(undefined, after, entry)).toBe(false)
})

it.each([
  ['docs/[slug].md', 'docs/[slug].md', true],
  ['docs/{a,b}*.md', 'docs/{a,b}*.md', true],
  ['docs/{a,b}*.md', 'docs/a.md', false],
  ['index.md', 'index.md', true],
  ['index.md', 'docs/index.md', false],
])('means the file %s, and says of %s %s', (path, other, expected) => {
  const { ignores } = readIgnored(writeIgnoreFile(ignoreEntry('link', path)))
  expect(ignores({ ...link, path: other })).toBe(expected)
})

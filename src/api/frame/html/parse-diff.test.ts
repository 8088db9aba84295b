import { expect, it } from 'vitest'
import { parseDiff } from './parse-diff.ts'

const diff = String.raw`diff --git a/guide.md b/guide.md
index 1..2 100644
--- a/guide.md
+++ b/guide.md
@@ -1,3 +1,3 @@ Title
 one
--- a/looks like a header
+++ b/also text
 three
@@ -10 +10,2 @@
-ten
+ten
+eleven
\ No newline at end of file
diff --git "a/\303\274n\303\257 code.md" "b/\303\274n\303\257 code.md"
new file mode 100644
--- /dev/null
+++ "b/\303\274n\303\257 code.md"
@@ -0,0 +1 @@
+new
diff --git a/old name.md b/moved to.md
similarity index 100%
rename from old name.md
rename to moved to.md
diff --git a/logo.png b/logo.png
index 1..2 100644
Binary files a/logo.png and b/logo.png differ
diff --git a/gone.md b/gone.md
deleted file mode 100644
--- a/gone.md
+++ /dev/null
@@ -1,2 +0,0 @@
-a

# The diff is longer than 10 bytes; the rest is left out.
`

it('cuts a diff into files and counts lines as the hunks say', () => {
  const { files, note } = parseDiff(diff, 1000)
  expect(
    files.map(({ path, oldPath, status, binary, additions, deletions }) => [
      path,
      oldPath,
      status,
      binary,
      additions,
      deletions,
    ]),
  ).toEqual([
    ['guide.md', undefined, 'changed', false, 3, 2],
    ['ünï code.md', undefined, 'added', false, 1, 0],
    ['moved to.md', 'old name.md', 'renamed', false, 0, 0],
    ['logo.png', undefined, 'changed', true, 0, 0],
    ['gone.md', undefined, 'deleted', false, 0, 1],
  ])
  expect(files[0]?.hunks[0]?.lines).toEqual([
    { kind: 'same', before: 1, after: 1, text: 'one' },
    { kind: 'removed', before: 2, after: undefined, text: '-- a/looks like a header' },
    { kind: 'added', before: undefined, after: 2, text: '++ b/also text' },
    { kind: 'same', before: 3, after: 3, text: 'three' },
  ])
  expect(files[0]?.hunks[1]?.lines.at(-1)).toMatchObject({ kind: 'note', text: 'No newline at end of file' })
  expect(note).toContain('longer than')
})

it('keeps as many lines as allowed and says where it cut', () => {
  const { files } = parseDiff(diff, 4)
  expect(files.map(({ cut }) => cut)).toEqual([true, true, false, false, true])
  expect(files[1]).toMatchObject({ additions: 1, hunks: [] })
})

it('reads any text without failing', () => {
  for (const text of [
    '',
    '@@ -1 +1 @@\n+a',
    'diff --git ',
    'diff --git "',
    'diff --git a/x b/x\n@@ nonsense @@\n+x',
    '+++ b/x\n\\',
  ])
    expect(() => parseDiff(text, 10)).not.toThrow()
})

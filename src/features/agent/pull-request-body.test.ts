import { expect, it } from 'vitest'
import { pullRequestBody } from './pull-request-body.ts'

const change = { path: 'a.md', oldPath: null, status: 'modified' as const, additions: 1, deletions: 2 }
const input = {
  turns: [{ n: 1, prompt: 'Fix it', summary: 'Fixed it.' }],
  changes: [change],
  checks: [],
  model: 'builtin',
  link: 'https://docs.example/jobs/1',
}

it('says what and why, what changed, what was asked, how it was checked and how to go on', () => {
  expect(pullRequestBody(input)).toBe(`Fixed it.

## Changed files

- \`a.md\`: modified, +1 −2

## Checks

No new problems were found.

## Asked for

> Fix it

---
Made by Docwright (builtin). To ask for more, send a message to [the job](https://docs.example/jobs/1); to stop, close this pull request.`)
})

it('tells every turn that was published, and what is still wrong', () => {
  const body = pullRequestBody({
    ...input,
    turns: [...input.turns, { n: 2, prompt: 'And this', summary: 'Done too.' }],
    checks: [
      { check: 'link', severity: 'error', path: 'a.md', line: 3, message: 'leads\nnowhere', hint: null },
    ],
  })
  expect(body).toContain('### Follow-up\n\nDone too.')
  expect(body).toContain('> Fix it\n\n> And this')
  expect(body).toContain('- `a.md:3` link: leads nowhere')
})

it('keeps a path with line ends and backticks inside its code span', () => {
  const body = pullRequestBody({ ...input, changes: [{ ...change, path: 'a\n`b`.md', oldPath: 'c d.md' }] })
  expect(body).toContain('- `a??b?.md` (from `c d.md`): modified')
})

it('stays within what hosts accept, however much there is to say', () => {
  const body = pullRequestBody({
    ...input,
    turns: Array.from({ length: 50 }, (_, n) => ({
      n,
      prompt: '\u{1F600}'.repeat(4000),
      summary: 'x'.repeat(50_000),
    })),
    changes: Array.from({ length: 5000 }, () => change),
  })
  expect(body.length).toBeLessThanOrEqual(60_001)
  expect(body.isWellFormed()).toBe(true)
})

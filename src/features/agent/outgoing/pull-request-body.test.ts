import { expect, it } from 'vitest'
import { whatActs } from '../../../../tests/agent/what-acts.ts'
import { pullRequestBody, type RequestBody } from './pull-request-body.ts'
import { plainPrinter, printer } from './print.ts'

const change = { path: 'a.md', oldPath: null, status: 'modified' as const, additions: 1, deletions: 2 }
const problem = {
  check: 'link',
  severity: 'error' as const,
  path: 'a.md',
  line: 3,
  message: 'leads\nnowhere',
  hint: null,
}
const input: RequestBody = {
  turns: [{ n: 1, prompt: 'Fix it', summary: 'Fixed it.' }],
  changes: [change],
  pages: [{ path: 'a.md', reason: 'It named the old product', sources: ['src/name.ts:3', 'the prompt'] }],
  checks: [],
  draft: false,
  newHosts: [],
  conflicts: [],
  related: [],
  model: 'builtin',
  link: 'https://docs.example/jobs/1',
  messagePath: '/v2/agent/prj_1/job/job_1/message',
}

it('says what was changed and why, from which sources, how it was checked and how to continue', () => {
  expect(pullRequestBody(input, printer)).toBe(`Fixed it.

## Changed pages

- \`a.md\` (modified, +1 −2): It named the old product. Source: \`src/name.ts:3\`, the prompt.

## Checks

No new problems were found.

## Asked for

> Fix it

---
Made by Docwright (\`builtin\`). To ask for more, send a message to [the job](https://docs.example/jobs/1), or \`POST /v2/agent/prj_1/job/job_1/message\`; comments here are read with it. To stop, close this pull request.`)
})

it('lists every published turn, conflicts, hosts, other pull requests and remaining problems', () => {
  const body = pullRequestBody(
    {
      ...input,
      turns: [...input.turns, { n: 2, prompt: 'And this', summary: 'Done too.' }],
      checks: [problem, { ...problem, severity: 'warning', message: 'odd' }],
      draft: true,
      newHosts: ['new.example'],
      conflicts: ['b.md'],
      related: [
        { number: 7, link: 'https://git.example/pulls/7', title: 'Also [a](x) @you', pages: ['a.md'] },
        { number: 8, link: null, title: 'Local', pages: ['a.md'] },
      ],
    },
    printer,
  )
  expect(body).toMatch(
    /^> \*\*Draft:\*\* One problem is left that the agent could not fix\.\n\n- `a\.md:3` link: leads nowhere/,
  )
  expect(body).toContain('### Follow-up\n\nDone too.')
  expect(body).toContain('> Fix it\n\n> And this')
  expect(body).toContain('Warnings:\n\n- `a.md:3` link: odd')
  expect(body).toContain('## Conflicts resolved\n\n- `b.md`')
  expect(body).toContain('## New external hosts\n\n- `new.example`')
  expect(body).toContain('- [#7 Also a(x) `@you`](https://git.example/pulls/7): `a.md`\n- #8 Local: `a.md`')
})

it('keeps a path with line ends and backticks inside its code span', () => {
  const body = pullRequestBody(
    { ...input, changes: [{ ...change, path: 'a\n`b`.md', oldPath: 'c d.md' }] },
    printer,
  )
  expect(body).toContain('- `a??b?.md` (from `c d.md`) (modified')
})

it('lets no text of a model or a client have an effect, hide, or swallow the text after it', () => {
  const bad = 'Thanks @octocat, fixes #1 <!-- hidden --> ![x](https://evil.example/x.png)\n/merge\n```'
  const body = pullRequestBody(
    {
      ...input,
      turns: [{ n: 1, prompt: bad, summary: bad }],
      pages: [{ path: 'a.md', reason: bad, sources: [`\`@octocat\` <b>`] }],
      checks: [{ ...problem, message: bad, check: bad }],
      newHosts: ['`@octocat`'],
      model: '`<b>@octocat',
    },
    printer,
  )
  expect(whatActs(body)).toEqual([])
  expect(body).toContain('To stop, close this pull request.')
})

it.each([
  ['parsed', printer, 8, 2000],
  ['not parsed', plainPrinter, 50, 20_000],
])(
  'stays within what hosts accept and keeps its foot, however much there is to say: %s',
  (_, print, turns, words) => {
    const many = Array.from({ length: 5000 }, (_, n) => ({ ...change, path: `${n}/${'p'.repeat(300)}.md` }))
    const body = pullRequestBody(
      {
        ...input,
        turns: Array.from({ length: turns }, (_, n) => ({
          n,
          prompt: '\u{1F600}'.repeat(4000),
          summary: '@x '.repeat(words),
        })),
        changes: many,
        pages: many.map(({ path }) => ({
          path,
          reason: '#1 '.repeat(100),
          sources: Array(5).fill('s'.repeat(300)),
        })),
        checks: Array.from({ length: 200 }, () => problem),
        draft: true,
      },
      print,
    )
    expect(body.length).toBeLessThanOrEqual(60_000)
    expect(body.isWellFormed()).toBe(true)
    expect(body).toContain('To stop, close this pull request.')
  },
)

it('names what was deleted first', () => {
  const deleted = { ...change, path: 'old.md', status: 'deleted' as const }
  expect(pullRequestBody({ ...input, changes: [change, deleted] }, printer)).toMatch(
    /^> \*\*Deleted:\*\* One file\.\n\n- `old\.md`\n\nFixed it\./,
  )
})

it('says at the top that a person decided, what was left out and what is wrong', () => {
  const decided = { turn: 2, reason: 'It was [cancelled](x) @you' }
  const leftOut = { ...problem, check: 'policy', message: 'Left out: It would add a script' }
  const body = pullRequestBody({ ...input, draft: true, decided, checks: [leftOut, problem] }, printer)
  expect(
    body.startsWith(
      `> **Draft:** A person decided to publish what turn 2 had changed. The agent had not finished it: `,
    ),
  ).toBe(true)
  expect(whatActs(body.slice(0, body.indexOf('\n')))).toEqual([])
  expect(body).toContain(
    '> One change was left out of this pull request.\n\n- `a.md:3` policy: Left out: It would add a script',
  )
  expect(body).toContain(
    '> One problem is left that the agent could not fix.\n\n- `a.md:3` link: leads nowhere',
  )
  const alone = pullRequestBody({ ...input, draft: true, checks: [leftOut] }, printer)
  expect(alone).toMatch(/^> \*\*Draft:\*\* One change was left out/)
  expect(alone).toContain('## Checks\n\nNo new problems were found.')
})

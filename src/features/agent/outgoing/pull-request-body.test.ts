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
const claim = (message: string) => ({
  check: 'claim',
  severity: 'warning' as const,
  path: '',
  line: null,
  message,
  hint: null,
})
const input: RequestBody = {
  summary: 'Fixed it.',
  prompts: [{ prompt: 'Fix it' }],
  changes: [change],
  pages: [
    {
      path: 'a.md',
      reason: 'It named the old product',
      sources: ['src/name.ts:3', 'the prompt'],
      links: { 'src/name.ts:3': 'https://git.example/a/b/blob/c0ffee/src/name.ts?plain=1#L3' },
    },
  ],
  checks: [],
  draft: false,
  newHosts: [],
  conflicts: [],
  related: [],
  model: 'builtin',
  link: 'https://docs.example/jobs/1',
}

it('says what was changed and why, from which sources, how it was checked and how to continue', () => {
  expect(pullRequestBody(input, printer)).toBe(`Fixed it.

## Changed pages

- \`a.md\` (modified, +1 −2): It named the old product. Source: [\`src/name.ts:3\`](https://git.example/a/b/blob/c0ffee/src/name.ts?plain=1#L3), the prompt.

## Checks

No new problems.

## Prompt

> Fix it

---
Created by Docwright (\`builtin\`). To request changes, send a follow-up from [the job](https://docs.example/jobs/1). The agent also reads comments on this pull request. To discard the changes, close it.`)
})

it('lists what every turn was asked for, conflicts, hosts, other pull requests and remaining problems', () => {
  const body = pullRequestBody(
    {
      ...input,
      prompts: [
        ...input.prompts,
        { prompt: 'Which one?', question: 'Cloud or server?' },
        { prompt: 'And this', failed: 'It took too long.' },
      ],
      checks: [problem, { ...problem, severity: 'warning', message: 'odd' }, claim('Updated all links.')],
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
    /^> \*\*Draft:\*\* One problem remains that the agent couldn’t fix\.\n\n- `a\.md:3` link: leads nowhere/,
  )
  expect(body).toContain(
    '> Fix it\n\n> Which one?\n>\n> The agent asked: Cloud or server?\n\n> And this\n>\n> *This turn failed: It took too long.*',
  )
  expect(body).toContain('which the changes do not show:\n\n- Updated all links.')
  expect(body).toContain('Warnings:\n\n- `a.md:3` link: odd')
  expect(body).toContain('## Resolved conflicts\n\n- `b.md`')
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
      summary: bad,
      prompts: [{ prompt: bad, question: bad, failed: bad }],
      pages: [
        {
          path: 'a.md',
          reason: bad,
          sources: [`\`@octocat\` <b>`],
          links: { [`\`@octocat\` <b>`]: 'https://evil.example/) @octocat' },
        },
      ],
      checks: [claim(bad), { ...problem, message: bad, check: bad }],
      newHosts: ['`@octocat`'],
      model: '`<b>@octocat',
    },
    printer,
  )
  expect(whatActs(body)).toEqual([])
  expect(body).toContain('To discard the changes, close it.')
})

it.each([
  ['parsed', printer, 300, 8, 2000],
  ['not parsed', plainPrinter, 5000, 50, 20_000],
])(
  'stays within what hosts accept and keeps its foot, however much there is to say: %s',
  (_, print, pages, turns, words) => {
    const many = Array.from({ length: pages }, (_, n) => ({ ...change, path: `${n}/${'p'.repeat(300)}.md` }))
    const body = pullRequestBody(
      {
        ...input,
        summary: '@x '.repeat(words * 2),
        prompts: Array.from({ length: turns }, () => ({ prompt: '\u{1F600}'.repeat(4000) })),
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
    expect(body).toContain('To discard the changes, close it.')
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
      `> **Draft:** Published manually from turn 2 before the agent finished. Reason the agent stopped: `,
    ),
  ).toBe(true)
  expect(whatActs(body.slice(0, body.indexOf('\n')))).toEqual([])
  expect(body).toContain(
    '> One change was not included in this pull request.\n\n- `a.md:3` policy: Left out: It would add a script',
  )
  expect(body).toContain(
    '> One problem remains that the agent couldn’t fix.\n\n- `a.md:3` link: leads nowhere',
  )
  const alone = pullRequestBody({ ...input, draft: true, checks: [leftOut] }, printer)
  expect(alone).toMatch(/^> \*\*Draft:\*\* One change was not included/)
  expect(alone).toContain('## Checks\n\nPublished without `a.md`.\n\n## Prompt')
  expect(alone).not.toContain('No new problems')
})

it('says of a page without a source that it has none, and of one that a tool changed only what it follows', () => {
  const paths = ['a.md', 'nav.json']
  const body = pullRequestBody(
    {
      ...input,
      changes: paths.map((path) => ({ ...change, path })),
      pages: [
        { path: 'a.md', reason: 'It was wrong', sources: [] },
        { path: 'nav.json', reason: 'follows the move of a.md', sources: [], follows: true },
      ],
    },
    printer,
  )
  expect(body).toContain('- `a.md` (modified, +1 −2): It was wrong. No source given.\n')
  expect(body).toContain('- `nav.json` (modified, +1 −2): follows the move of a.md\n')
})

it('says a reason that several pages share once', () => {
  const paths = ['a.md', 'b.md', 'c.md']
  const body = pullRequestBody(
    {
      ...input,
      changes: paths.map((path) => ({ ...change, path })),
      pages: paths.map((path) => ({ path, reason: 'The product has a new name', sources: ['the prompt'] })),
    },
    printer,
  )
  expect(body).toContain(
    '- 3 files: The product has a new name. Source: the prompt.\n  - `a.md` (modified, +1 −2)\n  - `b.md` (modified, +1 −2)\n  - `c.md` (modified, +1 −2)\n',
  )
})

it('says of many files that moved along with another one only which', () => {
  const moved = ['ar', 'de', 'fr'].map((language) => ({
    ...change,
    path: `${language}/new.md`,
    oldPath: `${language}/old.md`,
    status: 'renamed' as const,
    additions: 0,
    deletions: 0,
  }))
  const body = pullRequestBody({ ...input, changes: [change, ...moved] }, printer)
  expect(body).toContain('- 3 files that moved along, as they were: `ar/new.md`, `de/new.md`, `fr/new.md`\n')
  expect(body).not.toContain('old.md')
})

it('lets the headings of the form of the repository keep their level, and no other', () => {
  const summary = '# Why\n\nIt was wrong.\n\n## Checks\n\nNone.'
  const body = pullRequestBody({ ...input, summary, headings: { Why: 2 } }, printer)
  expect(body.startsWith('## Why\n\nIt was wrong.\n\n#### Checks\n\nNone.')).toBe(true)
})

it('names the code change that it documents, and what it touches and was left alone', () => {
  const documents = [
    {
      repository: '@app',
      from: 'a'.repeat(40),
      to: 'b'.repeat(40),
      link: 'https://git.example/a/app/commit/bbbb',
      pages: [
        { path: 'a.md', level: 'certain' },
        { path: 'b.md', level: 'likely' },
        { path: 'c.md', level: 'look' },
      ],
    },
  ]
  expect(pullRequestBody({ ...input, documents }, printer)).toContain(
    `## Code change\n\n- [\`${'a'.repeat(12)}..${'b'.repeat(12)}\`](https://git.example/a/app/commit/bbbb) of \`@app\`. Left alone: \`b.md\` (likely)\n`,
  )
})

import { expect, it } from 'vitest'
import { jobsMarkdown, jobsReport, type RunChange } from './jobs-report.ts'
import type { CaseResult } from './run-case.ts'

const resultOf = (more: Partial<CaseResult>): CaseResult => ({
  outcome: 'changed',
  said: '',
  pages: [],
  scores: {},
  problems: 0,
  refusals: 0,
  steps: 2,
  tokens: 100,
  cost: 0.5,
  seconds: 10,
  isToBeRepeated: false,
  ...more,
})

const changeOf = (kind: RunChange['kind'], subject: string, ...results: RunChange['results']): RunChange => ({
  commit: subject.padEnd(40, '0'),
  subject,
  kind,
  pages: kind === 'silent' ? [] : ['docs/a.md', 'docs/b.md'],
  results,
})

const reportOf = (changes: RunChange[], names: string[], stopped: string | null = null) =>
  jobsReport(
    {
      repository: 'handbook',
      commit: 'c'.repeat(40),
      root: 'docs',
      chosen: { code: { chosen: 2, of: 9 }, docs: { chosen: 0, of: 0 }, silent: { chosen: 1, of: 4 } },
      leftOut: { 'too large': 3 },
      stopped,
      changes,
    },
    names.map((name) => ({ name, model: name, settings: {} })),
  )

it('takes means over what a metric says something of, and adds up the rest', () => {
  const changes = [
    changeOf(
      'code',
      'one',
      resultOf({ pages: ['docs/a.md'], scores: { documented: 1, precision: 1, recall: 0.5 } }),
    ),
    changeOf(
      'code',
      'two',
      resultOf({ outcome: 'failed', scores: { documented: 0, recall: 0 }, refusals: 1 }),
    ),
    changeOf('silent', 'three', resultOf({ outcome: 'no_change', scores: { silent: 1 } })),
    changeOf('code', 'four', null),
  ]
  const [configuration] = reportOf(changes, ['m']).configurations
  expect(configuration?.summary).toEqual({
    documented: 0.5,
    precision: 1,
    recall: 0.25,
    silent: 1,
    jobs: 3,
    failed: 1,
    problems: 0,
    refusals: 1,
    steps: 6,
    tokens: 300,
    cost: 1.5,
    'seconds.p50': 10,
    'seconds.p95': 10,
  })
  expect(configuration?.outcomes).toEqual({ changed: 1, failed: 1, no_change: 1 })
})

it('says no cost where one price is not known', () => {
  const changes = [changeOf('code', 'one', resultOf({ cost: null })), changeOf('code', 'two', resultOf({}))]
  expect(reportOf(changes, ['m']).configurations[0]?.summary).not.toHaveProperty('cost')
})

it('compares two configurations on the changes that both have, and shows what differs', () => {
  const changes = [
    changeOf(
      'code',
      'one | `two`',
      resultOf({ pages: ['docs/a.md', 'docs/c.md'], scores: { recall: 0.5, lines: 0.25 } }),
      resultOf({ pages: ['docs/a.md', 'docs/b.md'], scores: { recall: 1, lines: 1 } }),
    ),
    changeOf('code', 'cut', resultOf({ scores: { recall: 0 } }), null),
  ]
  const report = reportOf(changes, ['first', 'second'], 'The ceiling of 2.00 USD was reached.')
  expect(report.comparison?.['recall']).toMatchObject({ questions: 1, difference: 0.5, better: 1 })
  const text = jobsMarkdown(report)
  expect(text).toContain('**Not complete.** The ceiling of 2.00 USD was reached.')
  expect(text).toMatch(/^\| recall \| 0\.250 \| 1\.000 \| \+0\.500 \| {2}\| 1 \| 0 \|/m)
  expect(text).toContain('one \\| \\`two\\` | 2 pages | changed, 2 pages, 1 of 2 found, lines 0.25 |')
  expect(text).toContain('people alone changed docs/b.md; the agent alone changed docs/c.md')
  expect(text).toMatch(/cut \| 2 pages \| changed \| not run \|/)
})

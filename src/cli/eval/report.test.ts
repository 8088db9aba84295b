import { expect, it } from 'vitest'
import { compare, markdownOf, summarize, type Asked, type Report } from './report.ts'
import type { Result } from './target.ts'

const result = (scores: Result['scores'], more: Partial<Result> = {}): Result => ({
  scores,
  total: 10,
  sections: [],
  ...more,
})
const asked = (line: number, ...results: Result[]): Asked => ({
  key: String(line),
  line,
  question: `Question *${line}*?`,
  results,
})

it('takes means over the questions that a metric says something of', () => {
  const summary = summarize([
    result({ ndcg: 1, facts: 0 }, { firstText: 4, tokens: 10, cost: 0.5 }),
    result({ ndcg: 0.5 }, { firstText: 8, total: 30, tokens: 20, cost: 0.25 }),
    result({}, { error: 'The server is away' }),
  ])
  expect(summary).toEqual({
    ndcg: 0.75,
    facts: 0,
    failed: 1,
    'firstText.p50': 8,
    'firstText.p95': 8,
    'total.p50': 30,
    'total.p95': 30,
    tokens: 30,
    cost: 0.75,
  })
  // A sum without the price of one answer would be too low.
  expect(
    summarize([result({}, { tokens: 1, cost: 1 }), result({}, { tokens: 1, cost: null })])['cost'],
  ).toBeUndefined()
})

it('compares pairs, and lists the questions that changed', () => {
  const questions = [
    asked(1, result({ ndcg: 0 }), result({ ndcg: 1 })),
    asked(2, result({ ndcg: 1, facts: 1 }), result({ ndcg: 1, facts: 0.5 })),
    asked(3, result({ ndcg: 1 }), result({}, { error: 'away' })),
    asked(4, result({ ndcg: 0.5 }), result({ ndcg: 0.5 })),
  ]
  const { metrics, better, worse } = compare(questions)
  // Differences 1, 0, 0: mean 1/3, standard deviation 0.577, margin 1.96 × 0.577 / √3.
  expect(metrics['ndcg']).toMatchObject({ questions: 3, better: 1, worse: 0 })
  expect(metrics['ndcg']?.difference).toBeCloseTo(0.3333, 4)
  expect(metrics['ndcg']?.low).toBeCloseTo(0.3333 - 0.6533, 3)
  expect(metrics['facts']).toEqual({
    questions: 1,
    difference: -0.5,
    low: -0.5,
    high: -0.5,
    better: 0,
    worse: 1,
  })
  expect(better).toEqual([{ line: 1, question: 'Question *1*?', scores: { ndcg: [0, 1] } }])
  expect(worse).toEqual([{ line: 2, question: 'Question *2*?', scores: { facts: [1, 0.5] } }])
})

it('prints what others wrote as text, not as markup', () => {
  const questions = [asked(1, result({ ndcg: 0 }, { error: 'a | b\n# c' }))]
  const report: Report = {
    kind: 'search',
    at: '2026-01-31T12:00:00.000Z',
    cases: 'cases.jsonl',
    asked: 1,
    leftOut: { 'beyond the limit': 2, other: 0 },
    quoteThreshold: 0.6,
    judge: null,
    configurations: [
      {
        name: 'as set',
        domain: 'docs',
        commit: null,
        models: {},
        outcomes: {},
        summary: { ndcg: 0, failed: 1 },
      },
    ],
    comparison: null,
    questions,
  }
  const text = markdownOf(report)
  expect(text).toContain('2026-01-31 12:00 UTC, 1 questions of `cases.jsonl`; 2 left out: beyond the limit.')
  expect(text).toContain('| ndcg | 0.000 | nDCG of the first ten pages |')
  expect(text).toContain('- line 1, Question \\*1\\*?: no ndcg')
  expect(text).toContain('- line 1, Question \\*1\\*?: a \\| b # c')
})

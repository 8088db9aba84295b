import { expect, it } from 'vitest'
import type { Analytics } from '../../features/assistant/insights/analytics.ts'
import { answerOutcomes } from '../../features/assistant/outcome.ts'
import { periodOf, seriesCsv } from './period.ts'

it('counts by days, weeks or months, as fits the range', () => {
  const interval = (from: string, to: string) => periodOf({ from, to }).interval
  expect(interval('2026-01-01', '2026-03-01')).toBe('day')
  expect(interval('2026-01-01', '2026-12-31')).toBe('week')
  expect(interval('2020-01-01', '2026-12-31')).toBe('month')
  expect(() => periodOf({ from: '2020-01-01', to: '2026-12-31', interval: 'day' })).toThrow('too many parts')
  const { range } = periodOf({ to: '2026-01-31' }, 7)
  expect(range).toEqual({ from: new Date('2026-01-25'), to: new Date('2026-02-01') })
})

it('writes what was counted as a table, without a cost where a price is unknown', () => {
  const none = { questions: 0, searches: 0 }
  const used = { model: 'large', calls: 2, inputTokens: 10, cachedInputTokens: 1, outputTokens: 5 }
  const part = {
    start: '2026-01-31',
    conversations: 1,
    questions: 2,
    outcomes: { ...Object.fromEntries(answerOutcomes.map((one) => [one, 0])), answered: 2 },
    feedback: { up: 1, down: 0 },
    searches: { total: 3, withoutResult: 1 },
    callers: { web: { questions: 2, searches: 3 }, widget: none, api: none, mcp: none, chat: none },
    usage: [{ ...used, cost: 0.25 }],
  } as unknown as Analytics['series'][number]
  const [header, first, second] = seriesCsv([part, { ...part, usage: [{ ...used, cost: null }] }]).split(
    '\r\n',
  )
  const cells = (line = ''): string[] => line.split(',')
  const row = (line = '') => Object.fromEntries(cells(header).map((name, at) => [name, cells(line)[at]]))
  expect(row(first)).toMatchObject({
    start: '2026-01-31',
    questions: '2',
    answered: '2',
    webSearches: '3',
    inputTokens: '10',
    cost: '0.25',
  })
  expect(row(second)).toMatchObject({ cost: '' })
})

import type { Analytics } from '../../features/assistant/insights/analytics.ts'
import { callers, type Interval } from '../../features/assistant/insights/insight-words.ts'
import type { Range } from '../../features/assistant/insights/list-searches.ts'
import { answerOutcomes } from '../../features/assistant/outcome.ts'
import { csvLine } from '../../lib/text/csv.ts'
import { AppError } from '../../lib/errors.ts'
import { rangeOf } from './question-filter.ts'

const day = 86_400_000
const mostParts = 1000
/** At least. */
const daysOf: Record<Interval, number> = { day: 1, week: 7, month: 28 }

/** The range that is counted, 30 days by default, and its parts. @throws AppError `invalid` */
export function periodOf(
  query: { from?: string | undefined; to?: string | undefined; interval?: Interval | undefined },
  days = 30,
): { range: Range; interval: Interval } {
  const bounds = rangeOf(query)
  const to = bounds.to ?? new Date()
  const range = { from: bounds.from ?? new Date(to.getTime() - days * day), to }
  const interval = query.interval ?? fittingInterval(range)
  if (daysIn(range) > mostParts * daysOf[interval])
    throw new AppError('invalid', '`interval`: gives too many parts of this range; use week or month')
  return { range, interval }
}

function daysIn({ from, to }: Range): number {
  return (to.getTime() - from.getTime()) / day
}

function fittingInterval(range: Range): Interval {
  const days = daysIn(range)
  if (days <= 92) return 'day'
  return days <= 731 ? 'week' : 'month'
}

type Part = Analytics['series'][number]

function sum({ usage }: Part, of: (used: Part['usage'][number]) => number): number {
  return usage.reduce((total, used) => total + of(used), 0)
}

const columns: readonly [name: string, of: (part: Part) => string | number | null][] = [
  ['start', ({ start }) => start],
  ['conversations', ({ conversations }) => conversations],
  ['questions', ({ questions }) => questions],
  ...answerOutcomes.map((outcome): [string, (part: Part) => number] => [
    outcome,
    ({ outcomes }) => outcomes[outcome],
  ]),
  ['ratedUp', ({ feedback }) => feedback.up],
  ['ratedDown', ({ feedback }) => feedback.down],
  ['searches', ({ searches }) => searches.total],
  ['searchesWithoutResult', ({ searches }) => searches.withoutResult],
  ...callers.flatMap((caller): [string, (part: Part) => number][] => [
    [`${caller}Questions`, (part) => part.callers[caller].questions],
    [`${caller}Searches`, (part) => part.callers[caller].searches],
  ]),
  ['modelCalls', (part) => sum(part, ({ calls }) => calls)],
  ['inputTokens', (part) => sum(part, ({ inputTokens }) => inputTokens)],
  ['cachedInputTokens', (part) => sum(part, ({ cachedInputTokens }) => cachedInputTokens)],
  ['outputTokens', (part) => sum(part, ({ outputTokens }) => outputTokens)],
  [
    'cost',
    (part) => (part.usage.some(({ cost }) => cost === null) ? null : sum(part, ({ cost }) => cost ?? 0)),
  ],
]

/** What was counted of each interval, as a table. */
export function seriesCsv(series: Analytics['series']): string {
  const lines = series.map((part) => csvLine(columns.map(([, of]) => of(part))))
  return [csvLine(columns.map(([name]) => name)), ...lines].join('')
}

import { callers, type Analytics, type Interval } from '../../../features/assistant/insights/analytics.ts'
import type { Range } from '../../../features/assistant/insights/list-searches.ts'
import { answerOutcomes } from '../../../features/assistant/outcome.ts'
import { csvLine } from '../../../lib/csv.ts'
import { AppError } from '../../../lib/errors.ts'
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
  const asked = rangeOf(query)
  const to = asked.to ?? new Date()
  const range = { from: asked.from ?? new Date(to.getTime() - days * day), to }
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

/** What was counted of each interval, as a table. */
export function seriesCsv(series: Analytics['series']): string {
  const names = [
    ...['start', 'conversations', 'questions', ...answerOutcomes, 'ratedUp', 'ratedDown'],
    ...['searches', 'searchesWithoutResult'],
    ...callers.flatMap((caller) => [`${caller}Questions`, `${caller}Searches`]),
    ...['modelCalls', 'inputTokens', 'cachedInputTokens', 'outputTokens', 'cost'],
  ]
  const lines = series.map(({ start, conversations, questions, outcomes, feedback, searches, ...one }) => {
    const sum = (of: (used: (typeof one.usage)[number]) => number): number =>
      one.usage.reduce((total, used) => total + of(used), 0)
    return csvLine([
      ...[start, conversations, questions, ...answerOutcomes.map((outcome) => outcomes[outcome])],
      ...[feedback.up, feedback.down, searches.total, searches.withoutResult],
      ...callers.flatMap((caller) => [one.callers[caller].questions, one.callers[caller].searches]),
      ...[sum((used) => used.calls), sum((used) => used.inputTokens), sum((used) => used.cachedInputTokens)],
      sum((used) => used.outputTokens),
      one.usage.some(({ cost }) => cost === null) ? null : sum((used) => used.cost ?? 0),
    ])
  })
  return [csvLine(names), ...lines].join('')
}

import type { Analytics } from '../../../features/assistant/insights/analytics.ts'
import { callers } from '../../../features/assistant/insights/insight-words.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { callerWord, dollars, stateWord } from './answer-words.ts'
import { columnChart, type Chart, type ChartSeries } from './column-chart.ts'
import type { Interval } from '../../../features/assistant/insights/insight-words.ts'

type Series = Analytics['series']

const names: Record<Interval, string> = {
  day: 'Day',
  week: 'Week from',
  month: 'Month from',
}

function chartOf(series: Series, interval: Interval, chart: Omit<Chart, 'starts' | 'interval'>): Html {
  return columnChart({ ...chart, starts: series.map(({ start }) => start), interval: names[interval] })
}

/** What became of questions. Outcomes that nobody has to act on are one series. */
function outcomeSeries(series: Series): ChartSeries[] {
  const of = (...outcomes: (keyof Series[number]['outcomes'])[]): number[] =>
    series.map((one) => outcomes.reduce((sum, outcome) => sum + one.outcomes[outcome], 0))
  return [
    { name: stateWord('answered'), values: of('answered') },
    { name: stateWord('partial'), values: of('partial') },
    { name: stateWord('weak'), values: of('weak') },
    { name: stateWord('unanswered'), values: of('unanswered') },
    { name: stateWord('uncited'), values: of('uncited') },
    { name: 'Greeting, clarification, or refusal', values: of('greeting', 'clarified', 'refused') },
    { name: 'failed or stopped', values: of('failed', 'stopped') },
  ]
}

export function outcomeChart(series: Series, interval: Interval): Html {
  return chartOf(series, interval, {
    id: 'outcomes',
    title: 'Questions and their outcomes',
    description: 'Columns of questions over time, by the outcome of their answers.',
    series: outcomeSeries(series),
    empty: 'No questions in this period.',
  })
}

export function ratingChart(series: Series, interval: Interval): Html {
  return chartOf(series, interval, {
    id: 'ratings',
    title: 'Ratings of readers',
    description: 'Columns of ratings over time: how many readers liked an answer, and how many did not.',
    series: [
      { name: 'helpful', values: series.map(({ feedback }) => feedback.up) },
      { name: 'not helpful', colour: 2, values: series.map(({ feedback }) => feedback.down) },
    ],
    empty: 'No ratings in this period.',
  })
}

export function searchChart(series: Series, interval: Interval): Html {
  return chartOf(series, interval, {
    id: 'searches',
    title: 'Searches',
    description: 'Columns of searches over time: those that found something, and those with no results.',
    series: [
      {
        name: 'with results',
        values: series.map(({ searches }) => searches.total - searches.withoutResult),
      },
      { name: 'with no results', colour: 2, values: series.map(({ searches }) => searches.withoutResult) },
    ],
    empty: 'No searches in this period.',
  })
}

export function callerChart(series: Series, interval: Interval): Html {
  return chartOf(series, interval, {
    id: 'callers',
    title: 'Where questions came from',
    description: 'Columns of questions over time, by what they came through.',
    series: callers.map((caller) => ({
      name: callerWord(caller),
      values: series.map((one) => one.callers[caller].questions),
    })),
    empty: 'No questions in this period.',
  })
}

const mostModels = 5

/** Columns by model. Of many models, those that were used least are one series. */
export function modelChart(
  analytics: Pick<Analytics, 'series' | 'usage'>,
  interval: Interval,
  of: 'calls' | 'tokens' | 'cost',
): Html {
  const { series, usage } = analytics
  const measure = (used: Series[number]['usage'][number]): number =>
    of === 'calls' ? used.calls : of === 'tokens' ? used.inputTokens + used.outputTokens : (used.cost ?? 0)
  const models = usage.map(({ model }) => model)
  const own = models.length > mostModels + 1 ? models.slice(0, mostModels) : models
  const valuesOf = (wanted: (model: string) => boolean): number[] =>
    series.map((one) => one.usage.reduce((sum, used) => sum + (wanted(used.model) ? measure(used) : 0), 0))
  const others = models.length > own.length
  return chartOf(series, interval, {
    ...modelTexts[of],
    series: [
      ...own.map((model) => ({ name: model, values: valuesOf((one) => one === model) })),
      ...(others ? [{ name: 'other models', values: valuesOf((one) => !own.includes(one)) }] : []),
    ],
  })
}

const modelTexts = {
  calls: {
    id: 'calls',
    title: 'Calls of models',
    description: 'Columns of calls over time, by model.',
    empty: 'No model was called in this time.',
  },
  tokens: {
    id: 'tokens',
    title: 'Tokens',
    description: 'Columns of tokens read and written over time, by model.',
    empty: 'No tokens were used in this time. The built-in model uses none that cost.',
  },
  cost: {
    id: 'cost',
    title: 'Cost in USD',
    description: 'Columns of cost over time, by model, as far as prices are known.',
    empty: 'No cost in this period. Models without a known price are excluded.',
    format: dollars,
  },
} as const

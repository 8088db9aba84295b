import { mean, percentile } from '../../lib/ranking-quality.ts'
import { timeText } from '../../lib/text/time-words.ts'
import { differencesOf, least, type Differences } from './differences.ts'
import type { Case } from './read-cases.ts'
import { differenceCells, differenceHeads, inline, letters, tableOf } from './report-text.ts'
import { metrics, type Metric } from './score.ts'
import type { Result, Target } from './target.ts'

/** What was measured, as it is written as JSON. */
export interface Report {
  kind: 'search' | 'answers'
  /** ISO 8601. */
  at: string
  cases: string
  /** How many cases were asked, and why others were not. */
  asked: number
  leftOut: Record<string, number>
  quoteThreshold: number
  judge: { model: string; cost: number | null } | null
  configurations: {
    name: string
    domain: string
    commit: string | null
    /** How many answers each model gave. */
    models: Record<string, number>
    outcomes: Record<string, number>
    summary: Summary
  }[]
  /** The second configuration beside the first, where there are two. */
  comparison: Comparison | null
  questions: Asked[]
}

/** One question with its results, in the order of the configurations. */
export interface Asked extends Pick<Case, 'key' | 'line' | 'question'> {
  results: Result[]
}

/** Means by metric, how often something failed, latency in milliseconds, and tokens and cost of all questions together. */
export type Summary = Record<string, number>

export interface Comparison {
  metrics: Differences
  better: Change[]
  worse: Change[]
}

interface Change {
  line: number
  question: string
  /** What changed: before and after. */
  scores: Record<string, [number, number]>
}

export function summarize(results: readonly Result[]): Summary {
  const summary: Summary = {}
  for (const metric of metricNames) {
    const values = results.flatMap(({ scores }) => scores[metric] ?? [])
    if (values.length > 0) summary[metric] = mean(values)
  }
  const done = results.filter(({ error }) => error === undefined)
  summary['failed'] = results.length - done.length
  for (const [name, times] of [
    ['firstText', done.flatMap(({ firstText }) => firstText ?? [])],
    ['total', done.map(({ total }) => total)],
  ] as const) {
    if (times.length === 0) continue
    summary[`${name}.p50`] = percentile(times, 0.5)
    summary[`${name}.p95`] = percentile(times, 0.95)
  }
  const tokens = done.flatMap((one) => one.tokens ?? [])
  if (tokens.length > 0) summary['tokens'] = tokens.reduce((sum, some) => sum + some, 0)
  const costs = done.flatMap(({ cost }) => cost ?? [])
  // Without the price of one answer the sum would be too low.
  if (costs.length > 0 && costs.length === tokens.length)
    summary['cost'] = costs.reduce((sum, some) => sum + some, 0)
  return summary
}

export function compare(questions: readonly Asked[]): Comparison {
  const pairs = questions.flatMap(({ results: [a, b] }) => (a && b ? [[a.scores, b.scores] as const] : []))
  const comparison: Comparison = { metrics: differencesOf(pairs, metricNames), better: [], worse: [] }
  for (const { line, question, results } of questions) {
    const [before, after] = results
    if (!before || !after) continue
    const scores: Change['scores'] = {}
    for (const metric of metricNames) {
      const [a, b] = [before.scores[metric], after.scores[metric]]
      if (a !== undefined && b !== undefined && Math.abs(a - b) > least) scores[metric] = [a, b]
    }
    const gain = Object.values(scores).reduce((sum, [a, b]) => sum + b - a, 0)
    if (Object.keys(scores).length === 0) continue
    const list = gain >= 0 ? comparison.better : comparison.worse
    list.push({ line, question, scores })
  }
  return comparison
}

const metricNames = Object.keys(metrics).filter((name): name is Metric => name in metrics)

/** A configuration with what it came to. */
export function configurationOf(
  { name, domain, commit }: Pick<Target, 'name' | 'domain' | 'commit'>,
  results: readonly Result[],
): Report['configurations'][number] {
  return {
    name,
    domain,
    commit,
    models: countOf(results.flatMap(({ model }) => model ?? [])),
    outcomes: countOf(results.flatMap(({ outcome }) => outcome ?? [])),
    summary: summarize(results),
  }
}

function countOf(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))
}

const mostListed = 100

/** The report for people. */
export function markdownOf(report: Report): string {
  const { configurations, comparison, questions } = report
  const left = Object.entries(report.leftOut).filter(([, count]) => count > 0)
  const names = [...new Set(configurations.flatMap(({ summary }) => Object.keys(summary)))]
  const failed = questions.flatMap(({ line, question, results }) =>
    results.flatMap(({ error }) =>
      error === undefined ? [] : [`- line ${line}, ${inline(question)}: ${inline(error)}`],
    ),
  )
  return [
    `# Evaluation of ${report.kind}`,
    '',
    `${timeText(report.at)}, ${report.asked} questions of \`${report.cases}\`${left.map(([why, count]) => `; ${count} left out: ${why}`).join('')}.`,
    '',
    ...configurations.map(({ name, domain, commit, models, outcomes }, at) => {
      const facts = [
        `${domain}${commit === null ? '' : ` at \`${commit.slice(0, 8)}\``}`,
        counted('answered by', models),
        counted('outcomes:', outcomes),
      ]
      return `- **${letters[at]}**: ${inline(name)} (${facts.filter((fact) => fact !== '').join('; ')})`
    }),
    ...(report.judge
      ? [
          `- Judged by ${report.judge.model}, ${report.judge.cost === null ? 'at an unknown price' : `for US$ ${report.judge.cost.toFixed(4)}`}`,
        ]
      : []),
    '',
    ...tableOf(
      [
        '',
        ...configurations.map((_, at) => letters[at] ?? ''),
        ...(comparison ? differenceHeads : []),
        'meaning',
      ],
      names.map((name) => {
        return [
          name,
          ...configurations.map(({ summary }) => shown(name, summary[name])),
          ...(comparison ? differenceCells(comparison.metrics[name]) : []),
          meaningOf(name),
        ]
      }),
    ),
    '',
    ...(names.includes('quotes')
      ? [
          `\`quotes\`: at least ${report.quoteThreshold * 100}% of the words of the text, in any form and order.`,
          '',
        ]
      : []),
    ...(comparison
      ? [...changes('Better in B', comparison.better), ...changes('Worse in B', comparison.worse)]
      : []),
    ...(comparison === null ? weakest(questions) : []),
    ...(failed.length === 0 ? [] : ['## Failed', '', ...failed, '']),
  ].join('\n')
}

function changes(title: string, list: readonly Change[]): string[] {
  if (list.length === 0) return []
  const more = list.length > mostListed ? [`- … and ${list.length - mostListed} more`] : []
  return [
    `## ${title} (${list.length})`,
    '',
    ...list.slice(0, mostListed).map(({ line, question, scores }) => {
      const what = Object.entries(scores).map(
        ([name, [a, b]]) => `${name} ${shown(name, a)} → ${shown(name, b)}`,
      )
      return `- line ${line}, ${inline(question)}: ${what.join(', ')}`
    }),
    ...more,
    '',
  ]
}

// The questions to look at first.
function weakest(questions: readonly Asked[]): string[] {
  const list = questions.flatMap(({ line, question, results: [result] }) => {
    const zero = Object.entries(result?.scores ?? {}).filter(([, score]) => score === 0)
    return zero.length === 0
      ? []
      : [`- line ${line}, ${inline(question)}: no ${zero.map(([name]) => name).join(', ')}`]
  })
  if (list.length === 0) return []
  const more = list.length > mostListed ? [`- … and ${list.length - mostListed} more`] : []
  return [`## Questions that miss something (${list.length})`, '', ...list.slice(0, mostListed), ...more, '']
}

const otherMeanings: Record<string, string> = {
  failed: 'questions with no results',
  'firstText.p50': 'ms to the first text, half of the answers',
  'firstText.p95': 'ms to the first text, 95% of the answers',
  'total.p50': 'ms in all, half of the questions',
  'total.p95': 'ms in all, 95% of the questions',
  tokens: 'tokens of models together',
  cost: 'USD together',
}

/** Everything that `--fail-under` and `--fail-over` may name. */
export const measures: readonly string[] = [...metricNames, ...Object.keys(otherMeanings)]

function meaningOf(name: string): string {
  return Object.entries({ ...metrics, ...otherMeanings }).find(([key]) => key === name)?.[1] ?? ''
}

function shown(name: string, value: number | undefined): string {
  if (value === undefined) return '–'
  if (name === 'cost') return value.toFixed(4)
  return name in otherMeanings ? String(Math.round(value)) : value.toFixed(3)
}

function counted(before: string, counts: Record<string, number>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  return parts.length === 0 ? '' : `${before} ${parts.join(', ')}`
}

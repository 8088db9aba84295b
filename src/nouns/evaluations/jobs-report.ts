import type { PastChange, PastKind } from '../../features/impact/past-changes.ts'
import { mean, percentile } from '../../lib/ranking-quality.ts'
import { counted } from '../../lib/text/counted.ts'
import { timeText } from '../../lib/text/time-words.ts'
import { differencesOf, type Differences } from '../../cli/eval/differences.ts'
import { differenceCells, differenceHeads, inline, letters, tableOf } from '../../cli/eval/report-text.ts'
import type { CaseResult, Configuration } from './run-case.ts'

/** From 0 to 1, more being better: means over the changes that a metric says something of. */
const metrics = {
  documented: 'changes that people documented, and the agent too',
  precision: 'of the pages that the agent changed, those that people changed',
  recall: 'of the pages that people changed, those that the agent changed',
  lines: 'of the lines that people changed, those that the agent changed too',
  wording: 'words that both wrote, of all words that they wrote',
  silent: 'changes that people did not document, and the agent neither',
  clean: 'changes of the agent in which the checks found nothing',
} as const

const sums = {
  jobs: 'jobs that were run',
  failed: 'jobs that failed, did nothing, or were not understood',
  problems: 'problems that the checks found',
  refusals: 'files or parts that the policy blocked',
  steps: 'model calls',
  tokens: 'tokens in and out together',
  cost: 'USD together',
  'seconds.p50': 'seconds of a job, half of the jobs',
  'seconds.p95': 'seconds of a job, 95% of the jobs',
} as const

const metricNames = Object.keys(metrics)

/** Everything that `--fail-under` and `--fail-over` may name. */
export const measures: readonly string[] = [...metricNames, ...Object.keys(sums)]

/** One change of the past with its results, in the order of the configurations; null where it was not run. */
export interface RunChange extends Pick<PastChange, 'commit' | 'kind' | 'pages'> {
  subject: string
  results: (CaseResult | null)[]
}

export interface JobsReport {
  kind: 'jobs'
  /** ISO 8601. */
  at: string
  repository: string
  commit: string
  root: string
  /** How many changes of each kind were chosen, of how many there are. */
  chosen: Record<PastKind, { chosen: number; of: number }>
  leftOut: Record<string, number>
  /** Why not all of them were run. */
  stopped: string | null
  configurations: (Pick<Configuration, 'name' | 'settings'> & {
    outcomes: Record<string, number>
    summary: Record<string, number>
  })[]
  comparison: Differences | null
  changes: RunChange[]
}

/** The report of what was run. */
export function jobsReport(
  run: Omit<JobsReport, 'kind' | 'at' | 'configurations' | 'comparison'>,
  configurations: readonly Configuration[],
): JobsReport {
  return {
    kind: 'jobs',
    at: new Date().toISOString(),
    ...run,
    configurations: configurations.map(({ name, settings }, at) => {
      const results = run.changes.flatMap((one) => one.results[at] ?? [])
      const outcomes = Map.groupBy(results, ({ outcome }) => outcome)
      return {
        name,
        settings,
        outcomes: Object.fromEntries(Array.from(outcomes, ([outcome, all]) => [outcome, all.length])),
        summary: summarize(results),
      }
    }),
    comparison:
      configurations.length < 2
        ? null
        : differencesOf(
            run.changes.flatMap(({ results: [a, b] }) => (a && b ? [[a.scores, b.scores] as const] : [])),
            metricNames,
          ),
  }
}

const useless = new Set(['failed', 'timed_out', 'unavailable', 'nothing_done', 'not_understood', 'cancelled'])

function summarize(results: readonly CaseResult[]): Record<string, number> {
  const summary: Record<string, number> = {}
  for (const metric of metricNames) {
    const values = results.flatMap(
      ({ scores }) => Object.entries(scores).find(([name]) => name === metric)?.[1] ?? [],
    )
    if (values.length > 0) summary[metric] = mean(values)
  }
  const sum = (of: (result: CaseResult) => number): number => results.reduce((all, one) => all + of(one), 0)
  summary['jobs'] = results.length
  summary['failed'] = results.filter(({ outcome }) => useless.has(outcome)).length
  for (const name of ['problems', 'refusals', 'steps', 'tokens'] as const)
    summary[name] = sum((one) => one[name])
  // Without the price of one job the sum would be too low.
  if (results.every(({ cost }) => cost !== null)) summary['cost'] = sum(({ cost }) => cost ?? 0)
  if (results.length === 0) return summary
  const seconds = results.map((one) => one.seconds)
  summary['seconds.p50'] = percentile(seconds, 0.5)
  summary['seconds.p95'] = percentile(seconds, 0.95)
  return summary
}

const mostListed = 40
const mostPaths = 8

const kindWords: Record<PastKind, string> = {
  code: 'changed code and docs',
  docs: 'changed docs alone',
  silent: 'changed code, and people did not document it',
}

/** The report for people. */
export function jobsMarkdown(report: JobsReport): string {
  const { configurations, comparison, changes, stopped } = report
  const left = Object.entries(report.leftOut)
  const names = measures.filter((name) => configurations.some(({ summary }) => name in summary))
  return [
    '# Evaluation of jobs',
    '',
    `${timeText(report.at)}, past changes of ${inline(report.repository)} up to \`${report.commit.slice(0, 10)}\`${report.root === '' ? '' : `, docs in \`${report.root}\``}.`,
    '',
    ...Object.entries(kindWords).flatMap(([kind, words]) =>
      Object.entries(report.chosen).flatMap(([name, { chosen, of }]) =>
        name === kind ? [`- ${chosen} of ${of.toLocaleString('en')} that ${words}`] : [],
      ),
    ),
    ...(left.length === 0
      ? []
      : [`- Left out: ${left.map(([why, count]) => `${count.toLocaleString('en')} ${why}`).join(', ')}`]),
    ...(stopped === null ? [] : ['', `**Not complete.** ${inline(stopped)}`]),
    '',
    ...configurations.map(({ name, settings, outcomes }, at) => {
      const set = Object.entries(settings).map(([key, value]) => `${key} ${JSON.stringify(value)}`)
      const ends = Object.entries(outcomes).map(
        ([outcome, count]) => `${outcome.replaceAll('_', ' ')} ${count}`,
      )
      return `- **${letters[at]}**: ${inline([name, ...set].join(', '))} (${inline(ends.join(', ') || 'nothing was run')})`
    }),
    '',
    ...tableOf(
      [
        '',
        ...configurations.map((_, at) => letters[at] ?? ''),
        ...(comparison ? differenceHeads : []),
        'meaning',
      ],
      names.map((name) => [
        name,
        ...configurations.map(({ summary }) => shown(name, summary[name])),
        ...(comparison ? differenceCells(comparison[name]) : []),
        Object.entries({ ...metrics, ...sums }).find(([key]) => key === name)?.[1] ?? '',
      ]),
    ),
    '',
    '## Changes',
    '',
    ...tableOf(
      ['commit', 'people', ...configurations.map((_, at) => letters[at] ?? '')],
      changes.map((change) => [
        `\`${change.commit.slice(0, 10)}\` ${inline(change.subject)}`,
        change.kind === 'silent' ? 'no page' : counted(change.pages.length, 'page'),
        ...change.results.map((result) => resultText(change, result)),
      ]),
    ),
    '',
    ...listed('Pages that differ', changes.flatMap(differingPages)),
    ...listed('Jobs with no results', changes.flatMap(failures)),
  ]
    .join('\n')
    .trimEnd()
}

/** What to look at: pages that only one side changed. */
function differingPages({ commit, subject, pages, results }: RunChange): string[] {
  return results.flatMap((result, at) => {
    if (result === null || useless.has(result.outcome)) return []
    const missed = pages.filter((path) => !result.pages.includes(path))
    const more = result.pages.filter((path) => !pages.includes(path))
    const parts = [
      ...(missed.length === 0 ? [] : [`people alone changed ${pathsText(missed)}`]),
      ...(more.length === 0 ? [] : [`the agent alone changed ${pathsText(more)}`]),
    ]
    if (parts.length === 0) return []
    return [`- ${letters[at]}, \`${commit.slice(0, 10)}\` ${inline(subject)}: ${parts.join('; ')}`]
  })
}

function pathsText(paths: readonly string[]): string {
  const more = paths.length - mostPaths
  return `${paths.slice(0, mostPaths).map(inline).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function failures({ commit, subject, results }: RunChange): string[] {
  return results.flatMap((result, at) =>
    result !== null && useless.has(result.outcome)
      ? [`- ${letters[at]}, \`${commit.slice(0, 10)}\` ${inline(subject)}: ${inline(result.said)}`]
      : [],
  )
}

function listed(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const more = lines.length > mostListed ? [`- … and ${lines.length - mostListed} more`] : []
  return [`## ${title} (${lines.length})`, '', ...lines.slice(0, mostListed), ...more, '']
}

function resultText({ pages, kind }: RunChange, result: CaseResult | null): string {
  if (result === null) return 'not run'
  const { outcome, scores, problems, refusals } = result
  const right = result.pages.filter((path) => pages.includes(path)).length
  const parts = [
    outcome.replaceAll('_', ' '),
    ...(result.pages.length === 0 ? [] : [counted(result.pages.length, 'page')]),
    ...(kind === 'silent' || result.pages.length === 0 ? [] : [`${right} of ${pages.length} found`]),
    ...(scores.lines === undefined || result.pages.length === 0 ? [] : [`lines ${scores.lines.toFixed(2)}`]),
    ...(problems === 0 ? [] : [counted(problems, 'problem')]),
    ...(refusals === 0 ? [] : [`${refusals} blocked`]),
  ]
  return parts.join(', ')
}

function shown(name: string, value: number | undefined): string {
  if (value === undefined) return '–'
  if (name === 'cost') return value.toFixed(4)
  if (name.startsWith('seconds')) return value.toFixed(1)
  return name in sums ? value.toLocaleString('en') : value.toFixed(3)
}

import type { Command } from 'commander'
import { AppError } from '../../lib/errors.ts'
import { timeText } from '../../lib/text/time-words.ts'
import { enrichmentEstimate, projectAnswer } from './answers.ts'
import { getUsage } from './verbs.ts'
import { resolveProject, type CliProject, type CommandContext } from '../../cli/command-context.ts'
import type { Answer } from '../../cli/read-answer.ts'
import { table } from '../../cli/terminal-text.ts'
import { wholeNumber } from '../../cli/typed-number.ts'

/** `project enrich` and `project usage`. */
export function addUseCommands(project: Command, open: (command: Command) => CommandContext): void {
  addEnrichCommand(project, open)
  project
    .command('usage <domain>')
    .description('tokens and cost of a project, by model')
    .option('--days <number>', 'how many days back, today included', wholeNumber(1, 366), 30)
    .action(async (name: string, options: { days: number }, command: Command) => {
      const context = open(command)
      const { domain } = await resolveProject(context, name)
      const path = `/admin/projects/${domain}/usage?days=${options.days}`
      const rows = await context.read(getUsage.output, 'GET', path)
      context.print(rows, () =>
        table(
          ['FOR', 'MODEL', 'CALLS', 'IN', 'CACHED', 'OUT', 'US$'],
          rows.map((row) => [
            row.surface,
            row.model,
            ...[row.calls, row.inputTokens, row.cachedInputTokens, row.outputTokens].map(String),
            row.cost === null ? 'unknown' : row.cost.toFixed(4),
          ]),
          `Nothing used in the last ${options.days} days`,
        ),
      )
    })
}

/** `project enrich`. */
function addEnrichCommand(project: Command, open: (command: Command) => CommandContext): void {
  project
    .command('enrich <domain>')
    .description('Build the semantic search index now (also runs after each sync)')
    .option('--estimate', 'show the estimated cost without running')
    .option('--questions <model>', 'estimate for this model of questions')
    .option('--vectors <model>', 'estimate for this embedding model')
    .action(async (name: string, options: EnrichOptions, command: Command) => {
      const context = open(command)
      const { domain } = await resolveProject(context, name)
      const path = `/admin/projects/${domain}/enrichment`
      const { estimate, questions, vectors } = options
      if (estimate !== true && (questions ?? vectors) !== undefined)
        throw new AppError(
          'invalid',
          '--questions and --vectors belong to --estimate; to use models: "project set --enrich-questions", "--enrich-vectors"',
        )
      if (estimate !== true) {
        const { enrichment } = await context.read(projectAnswer, 'POST', path, {})
        return context.print(enrichment, () => enrichmentText(enrichment))
      }
      const named = Object.entries({ questions, vectors }).flatMap(([key, value]) =>
        value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`],
      )
      const costs = await context.read(
        enrichmentEstimate,
        'GET',
        `${path}${named.length > 0 ? `?${named.join('&')}` : ''}`,
      )
      context.print(costs, () => estimateText(costs))
    })
}

interface EnrichOptions {
  estimate?: boolean
  questions?: string
  vectors?: string
}

function estimateText({ sections, work, spent, ceiling }: Answer<typeof enrichmentEstimate>) {
  return [
    ...table(
      ['FOR', 'MODEL', 'SECTIONS TO READ', 'TOKENS IN', 'TOKENS OUT', 'US$'],
      work.map((one) => [
        one.kind,
        one.model,
        `${one.sections} of ${sections}`,
        ...[one.inputTokens, one.outputTokens].map(String),
        one.cost === null ? 'unknown' : one.cost.toFixed(4),
      ]),
      'No model is named for it',
    ),
    `This month ${spent.toFixed(4)} USD were spent; the ceiling is ${ceiling}`,
  ]
}

/** How far models are with the sections, in one line. */
export function enrichmentText(enrichment: CliProject['enrichment']): string {
  if (enrichment === null) return 'off'
  const { state, done, total, error, notice, retryAt } = enrichment
  const far = total === 0 ? '' : `, ${done} of ${total} sections`
  const reason = error ?? notice
  const why = reason === null ? '' : `: ${reason}`
  return `${state}${far}${why}${retryAt === null ? '' : ` (tried again at ${timeText(retryAt)})`}`
}

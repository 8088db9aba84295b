import type { Command } from 'commander'
import { AppError } from '../../lib/errors.ts'
import { timeText } from '../../lib/text/time-words.ts'
import { addVerbCommands, ask, projectArgument, verbCommand, verbOptions } from '../../verbs/terminal.ts'
import { enrichProject, estimateEnrichment, getUsage } from './verbs.ts'
import { resolveProject, type CliProject, type CommandContext } from '../../cli/command-context.ts'
import type { Answer } from '../../cli/read-answer.ts'
import { table } from '../../cli/terminal-text.ts'

const useCommands = [
  verbCommand(
    getUsage,
    { usage: 'usage <domain>', description: 'Show a project’s tokens and cost by model' },
    (rows, { days }) =>
      table(
        ['FOR', 'MODEL', 'CALLS', 'IN', 'CACHED', 'OUT', 'US$'],
        rows.map((row) => [
          row.surface,
          row.model,
          ...[row.calls, row.inputTokens, row.cachedInputTokens, row.outputTokens].map(String),
          row.cost === null ? 'unknown' : row.cost.toFixed(4),
        ]),
        `Nothing used in the last ${days} days`,
      ),
  ),
]

/** `project enrich` and `project usage`. */
export function addUseCommands(project: Command, open: (command: Command) => CommandContext): void {
  addEnrichCommand(project, open)
  addVerbCommands(project, open, useCommands, projectArgument)
}

/** `project enrich`. */
function addEnrichCommand(project: Command, open: (command: Command) => CommandContext): void {
  const enrich = project
    .command('enrich <domain>')
    .description('Build the semantic search index now (also runs after each sync)')
    .option('--estimate', 'show the estimated cost without running')
  const modelsOf = verbOptions(enrich, estimateEnrichment)
  enrich.action(async (name: string, { estimate }: { estimate?: true }, command: Command) => {
    const context = open(command)
    const { domain } = await resolveProject(context, name)
    const models = modelsOf()
    if (estimate) {
      const costs = await ask(context, estimateEnrichment, { ...models, domain })
      return context.print(costs, () => estimateText(costs))
    }
    if (Object.keys(models).length > 0)
      throw new AppError(
        'invalid',
        '--questions and --vectors belong to --estimate; to use models: "project set --enrich-questions", "--enrich-vectors"',
      )
    const { enrichment } = await ask(context, enrichProject, { domain })
    context.print(enrichment, () => enrichmentText(enrichment))
  })
}

function estimateText({ sections, work, spent, ceiling }: Answer<(typeof estimateEnrichment)['output']>) {
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

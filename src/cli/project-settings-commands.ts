import { readFile } from 'node:fs/promises'
import { InvalidArgumentError, type Command } from 'commander'
import { z } from 'zod'
import { AppError } from '../lib/errors.ts'
import { timeText } from '../lib/text/time-words.ts'
import { enrichmentEstimate, projectAnswer } from '../nouns/projects/answers.ts'
import { usageSum } from '../nouns/usage/answers.ts'
import { pathFromUser, resolveProject, type CliProject, type CommandContext } from './command-context.ts'
import type { Answer } from './read-answer.ts'
import { table } from './terminal-text.ts'

interface Options {
  visibility?: string
  site?: string
  model?: string
  assistantModel?: string
  onProblems?: string
  branchPrefix?: string
  signOff?: string
  maxSteps?: number
  maxTokens?: number
  maxCost?: number
  maxMinutes?: number
  assistantTokensPerDay?: number
  assistantQueries?: string
  assistantFiles?: boolean
  assistantOnDocs?: boolean
  assistantInstructions?: string
  assistantStarter?: string[]
  assistantRefuse?: string[]
  assistantContact?: string
  retentionDays?: number
  allow?: string[]
  protect?: string[]
  allowHost?: string[]
  enrichQuestions?: string
  enrichVectors?: string
  enrichCeiling?: number
  allowImport?: string[]
  context?: string[]
  draft?: boolean
  label?: string[]
  reviewer?: string[]
  assignee?: string[]
  trusted?: string[]
  unset?: string[]
}

const settingNames = [
  'visibility',
  'site',
  'model',
  'assistantModel',
  'budget',
  'onProblems',
  'allow',
  'protect',
  'allowedHosts',
  'allowedImports',
  'assistantTokensPerDay',
  'assistantQueries',
  'assistantFiles',
  'assistantOnDocs',
  'assistantInstructions',
  'assistantStarters',
  'assistantRefuse',
  'assistantContact',
  'retentionDays',
  'contextRepositories',
  'enrichment',
  'pullRequest',
  'branchPrefix',
  'signOff',
  'trusted',
]

/** `project set` and `project usage`. */
export function addProjectSettingsCommands(
  project: Command,
  open: (command: Command) => CommandContext,
): void {
  project
    .command('set <domain>')
    .description('change settings of a project; without options it shows them')
    .option('--visibility <who>', 'who may read its pages below /docs/: public, key or signed-in')
    .option('--site <address>', 'where it is published: https://docs.example.com')
    .option('--model <name>', 'model for its jobs, such as anthropic:claude-sonnet-5-5')
    .option('--assistant-model <name>', 'model for its assistant')
    .option('--on-problems <draft|fail>', 'what happens to changes that still have problems')
    .option('--max-steps <number>', 'model calls per prompt', numberOf)
    .option('--max-tokens <number>', 'tokens per prompt', numberOf)
    .option('--max-cost <dollars>', 'US dollars per prompt', numberOf)
    .option('--max-minutes <number>', 'minutes of work per prompt', numberOf)
    .option('--assistant-tokens-per-day <number>', 'tokens of the assistant per day', numberOf)
    .option('--assistant-queries <auto|off>', 'whether its model also writes search queries')
    .option('--retention-days <number>', 'days to keep conversations and searches; 0: no texts', numberOf)
    .option('--assistant-files', 'pass images in questions on to the assistant’s model')
    .option('--no-assistant-files', 'do not pass them on')
    .option(
      '--assistant-on-docs',
      'let readers of public pages on this server ask the assistant without a key',
    )
    .option('--no-assistant-on-docs', 'do not let them')
    .option('--assistant-instructions <text>', 'what its models are told besides; @FILE reads a file')
    .option('--assistant-starter <question...>', 'questions to begin with; "/guides How …?" for some pages')
    .option('--assistant-refuse <topic...>', 'topics that it does not speak of')
    .option('--assistant-contact <who>', 'who helps instead: help@example.com, "Support https://…"')
    .option('--allow <glob...>', 'files besides the documentation that the agent may change')
    .option('--protect <glob...>', 'files that the agent never changes')
    .option('--allow-host <host...>', 'hosts that pages may load from: images.example.com, *.example.com')
    .option('--allow-import <module...>', 'modules that pages may import, or globs of them')
    .option('--enrich-questions <model>', 'model that writes the questions that a section answers')
    .option('--enrich-vectors <model>', 'model of vectors, such as openai:text-embedding-3-small')
    .option('--enrich-ceiling <dollars>', 'US dollars that both may cost a month', numberOf)
    .option('--context <name=location...>', 'other repositories to read: name=path-or-url[#branch]')
    .option('--draft', 'open pull requests as drafts')
    .option('--no-draft', 'open them ready for review')
    .option('--label <name...>', 'labels of new pull requests')
    .option('--reviewer <login...>', 'who is asked to review them')
    .option('--assignee <login...>', 'who they are assigned to')
    .option('--branch-prefix <text>', 'branch prefix (default: docwright/)')
    .option('--sign-off <off|server|person>', 'sign-off in commits (default: off)')
    .option('--trusted <login...>', 'accounts whose comments are follow-ups, besides people who may write')
    .option('--unset <setting...>', `back to the default: ${settingNames.join(', ')}`)
    .action(async (name: string, options: Options, command: Command) => {
      const context = open(command)
      const found = await resolveProject(context, name)
      const change = await changeOf(options, found)
      const changed =
        Object.keys(change).length === 0
          ? found
          : await context.read(projectAnswer, 'PATCH', `/admin/projects/${found.domain}/settings`, change)
      context.print(changed.settings, () => [...describe(changed.settings), ...changed.warnings])
    })

  addEnrichCommand(project, open)
  project
    .command('usage <domain>')
    .description('tokens and cost of a project, by model')
    .option('--days <number>', 'how many days back, today included', numberOf, 30)
    .action(async (name: string, options: { days: number }, command: Command) => {
      const context = open(command)
      const { domain } = await resolveProject(context, name)
      const path = `/admin/projects/${domain}/usage?days=${options.days}`
      const rows = await context.read(z.array(usageSum), 'GET', path)
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
    .description('have models read the sections now; it goes on by itself after each sync')
    .option('--estimate', 'only say what it would take and cost')
    .option('--questions <model>', 'estimate for this model of questions')
    .option('--vectors <model>', 'estimate for this model of vectors')
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
    `This month ${spent.toFixed(4)} US dollars were spent; the ceiling is ${ceiling}`,
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

async function changeOf(options: Options, { settings }: CliProject): Promise<Record<string, unknown>> {
  const change: Record<string, unknown> = {}
  for (const name of options.unset ?? []) {
    if (!settingNames.includes(name))
      throw new AppError('invalid', `There is no setting ${name}; it is one of ${settingNames.join(', ')}`)
    change[name] = null
  }
  const {
    visibility,
    site,
    model,
    assistantModel,
    onProblems,
    branchPrefix,
    signOff,
    assistantTokensPerDay,
    assistantQueries,
    assistantFiles,
    assistantOnDocs,
    retentionDays,
  } = options
  const { allow, protect, allowHost: allowedHosts, allowImport: allowedImports, context } = options
  // Logins may be separated by commas too.
  const trusted = options.trusted?.flatMap((one) => one.split(',')).filter((one) => one !== '')
  const assistant = {
    assistantModel,
    assistantTokensPerDay,
    assistantQueries,
    assistantFiles,
    assistantOnDocs,
  }
  const { assistantInstructions: told, assistantStarter, assistantRefuse, assistantContact } = options
  const guidance = {
    assistantInstructions: told?.startsWith('@') ? await readFile(pathFromUser(told.slice(1)), 'utf8') : told,
    assistantStarters: assistantStarter,
    assistantRefuse,
    assistantContact,
  }
  const models = { model, ...assistant, ...guidance, retentionDays }
  const plain = {
    visibility,
    site,
    ...models,
    onProblems,
    branchPrefix,
    signOff,
    allow,
    protect,
    allowedHosts,
    allowedImports,
    trusted,
  }
  for (const [name, value] of Object.entries(plain)) if (value !== undefined) change[name] = value
  const { maxSteps: steps, maxTokens: tokens, maxCost: cost, maxMinutes: minutes } = options
  const limits = Object.entries({ steps, tokens, cost, minutes }).filter(([, value]) => value !== undefined)
  if (limits.length > 0) {
    const kept = 'budget' in change ? {} : settings['budget']
    change['budget'] = { ...(typeof kept === 'object' ? kept : {}), ...Object.fromEntries(limits) }
  }
  const { enrichQuestions: questions, enrichVectors: vectors, enrichCeiling: ceiling } = options
  const enriching = Object.entries({ questions, vectors, ceiling }).filter(([, value]) => value !== undefined)
  if (enriching.length > 0) {
    const kept = 'enrichment' in change ? {} : settings['enrichment']
    change['enrichment'] = { ...(typeof kept === 'object' ? kept : {}), ...Object.fromEntries(enriching) }
  }
  const { draft, label: labels, reviewer: reviewers, assignee: assignees } = options
  const request = Object.entries({ draft, labels, reviewers, assignees }).filter(
    ([, value]) => value !== undefined,
  )
  if (request.length > 0) {
    const kept = 'pullRequest' in change ? {} : settings['pullRequest']
    change['pullRequest'] = { ...(typeof kept === 'object' ? kept : {}), ...Object.fromEntries(request) }
  }
  if (context) change['contextRepositories'] = context.map(contextRepository)
  return change
}

function contextRepository(text: string): object {
  const [, name, place = '', ref] = /^([^=]+)=([^#]+)(?:#(.+))?$/.exec(text) ?? []
  if (name === undefined)
    throw new AppError('invalid', `Give a context repository as name=path-or-url, not ${text}`)
  const location = /^[a-z][a-z0-9+.-]*:\/\//i.test(place) ? place : pathFromUser(place)
  return { name, location, ...(ref === undefined ? {} : { ref }) }
}

function describe(settings: Record<string, unknown>): string[] {
  const names = Object.keys(settings)
  if (names.length === 0) return ['Nothing is set: the server’s defaults hold']
  const width = Math.max(...names.map((name) => name.length))
  return names.map((name) => {
    const value = settings[name]
    return `${name.padEnd(width)}  ${typeof value === 'string' ? value : JSON.stringify(value)}`
  })
}

function numberOf(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number.')
  return value
}

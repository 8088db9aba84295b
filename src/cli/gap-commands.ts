import { InvalidArgumentError, type Command } from 'commander'
import { resolveProject, type CommandContext } from './command-context.ts'
import { printNewJob } from './job-commands.ts'
import { facts, stateText, styled, table, type Text } from './terminal-text.ts'

interface Gap {
  id: string
  name: string
  state: string
  questions: number
  askers: number
  causes: Record<string, number>
  trend: { now: number; before: number }
  firstAskedAt: string
  lastAskedAt: string
  nearest: { title: string; heading: string | null; url: string }[]
  dismissed: { at: string; reason: string | null; returnsAfter: number } | null
  job: { id: string; status: string; pullRequest: { link: string; state: string } | null } | null
  check: { verdict: string; at: string } | null
}

interface WholeGap extends Gap {
  exchanges: {
    askedAt: string
    threadId: string
    question: string
    outcome: string | null
    cause: string | null
  }[]
  searches: { query: string; searches: number }[]
  checks: { question: string; outcome: string; cited: boolean }[]
}

interface Options {
  project?: string
  days?: string
  state?: string
  limit?: string
  reason?: string
  returnsAfter?: number
  instructions?: string
  base?: string
  model?: string
  draft?: boolean
}

/** `gap`: what readers ask about and the documentation does not answer. */
export function addGapCommands(program: Command, open: (command: Command) => CommandContext): void {
  const gap = program
    .command('gap')
    .description('what readers ask about and the documentation does not answer well')
  const withProject = (command: Command): Command =>
    command.option('--project <domain-or-id>', 'its project (default: the only project)')
  const opened = async (command: Command, { project }: Options) => {
    const context = open(command)
    const { id } = await resolveProject(context, project)
    const path = `/v2/insights/${id}/gaps`
    return { context, path, pathOf: (gapId: string) => `${path}/${encodeURIComponent(gapId)}` }
  }
  const change = async (id: string, body: object, options: Options, command: Command): Promise<void> => {
    const { context, pathOf } = await opened(command, options)
    const changed = await context.json<Gap>('PATCH', pathOf(id), body)
    context.print(changed, () => describeGap(changed))
  }

  withProject(gap.command('list'))
    .description('those asked about most in the last days first')
    .option('--days <number>', 'how many days count', '30')
    .option('--state <state>', 'open, dismissed, in_work, published, answered or still_open')
    .option('--limit <number>', 'at most this many, up to 500', '20')
    .action(async ({ days = '', state, limit = '', ...options }: Options, command: Command) => {
      const { context, path } = await opened(command, options)
      const query = new URLSearchParams({ days, limit, ...(state !== undefined && { state }) })
      const list = await context.json<{ gaps: Gap[] }>('GET', `${path}?${query.toString()}`)
      context.print(list, () =>
        table(
          ['ID', 'STATE', `LAST ${days} DAYS`, 'BEFORE', 'IN ALL', 'ASKERS', 'TOPIC'],
          list.gaps.map(({ id, name, state: now, trend, questions, askers }) => [
            id,
            stateText(now),
            String(trend.now),
            String(trend.before),
            String(questions),
            String(askers),
            name,
          ]),
          'No gap',
        ),
      )
    })

  withProject(gap.command('show <id>'))
    .description('one gap with its questions')
    .action(async (id: string, options: Options, command: Command) => {
      const { context, pathOf } = await opened(command, options)
      const found = await context.json<WholeGap>('GET', pathOf(id))
      context.print(found, () => [
        ...describeGap(found),
        ...found.searches.map(({ query, searches }) => [`searched ${searches} times: ${query}`]),
        ...found.exchanges.map((one) => [
          styled('dim', `${one.askedAt.slice(0, 19)}  ${one.threadId}  `),
          one.question,
          styled('dim', `  ${[one.outcome, one.cause].filter((part) => part !== null).join(', ')}`),
        ]),
        ...found.checks.map(({ question, outcome, cited }) => [
          styled('dim', 'asked again: '),
          `${question}  `,
          stateText(outcome),
          cited ? ', from a page that was changed' : '',
        ]),
      ])
    })

  withProject(gap.command('dismiss <id>'))
    .description('it needs no page; it is open again when more is asked')
    .option('--reason <text>', 'why')
    .option(
      '--returns-after <number>',
      'the questions after which it is open again (default: 5)',
      wholeNumber,
    )
    .action((id: string, { reason, returnsAfter, ...options }: Options, command: Command) =>
      change(id, { dismissed: true, reason, returnsAfter }, options, command),
    )

  withProject(gap.command('reopen <id>'))
    .description('a gap that was dismissed or answered is open again')
    .action((id: string, options: Options, command: Command) =>
      change(id, { dismissed: false }, options, command),
    )

  withProject(gap.command('rename <id> <name>'))
    .description('give it a name that stays')
    .action((id: string, name: string, options: Options, command: Command) =>
      change(id, { name }, options, command),
    )

  withProject(gap.command('merge <id> <other>'))
    .description('move the questions of the other gap to this one')
    .action(async (id: string, other: string, options: Options, command: Command) => {
      const { context, pathOf } = await opened(command, options)
      const merged = await context.json<Gap>('POST', `${pathOf(id)}/merge`, { from: other })
      context.print(merged, () => describeGap(merged))
    })

  withProject(gap.command('job <id>'))
    .description('have the agent write what is missing')
    .option('--instructions <text>', 'what the agent should know or heed besides')
    .option('--base <branch>', 'the branch to start from')
    .option('--model <provider:model>', 'the model')
    .option('--draft', 'open the pull request as a draft')
    .action(async (id: string, { project, ...body }: Options, command: Command) => {
      const { context, pathOf } = await opened(command, project === undefined ? {} : { project })
      const { instructions, base, model, draft } = body
      printNewJob(
        context,
        await context.json('POST', `${pathOf(id)}/job`, { instructions, base, model, draft }),
      )
    })
}

function wholeNumber(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number)) throw new InvalidArgumentError('It must be a whole number.')
  return number
}

function describeGap(gap: Gap): Text[][] {
  const { dismissed, job, check } = gap
  const causes = Object.entries(gap.causes).filter(([, count]) => count > 0)
  return [
    [styled('bold', gap.name)],
    ...facts([
      ['Id', gap.id],
      ['State', gap.state.replace('_', ' ')],
      [
        'Questions',
        `${gap.questions} of ${gap.askers} people: ${causes.map(([name, count]) => `${count} ${name.replace('_', ' ')}`).join(', ')}`,
      ],
      ['Last 30 days', `${gap.trend.now}, ${gap.trend.before} in the 30 days before`],
      ['Asked', `${gap.firstAskedAt.slice(0, 10)} to ${gap.lastAskedAt.slice(0, 10)}`],
      [
        'Dismissed',
        dismissed
          ? `${dismissed.at.slice(0, 10)}, until ${dismissed.returnsAfter} more questions${dismissed.reason === null ? '' : `: ${dismissed.reason}`}`
          : undefined,
      ],
      ['Job', job ? `${job.id}, ${job.status}` : undefined],
      ['Pull request', job?.pullRequest ? `${job.pullRequest.link}, ${job.pullRequest.state}` : undefined],
      ['Asked again', check ? `${check.at.slice(0, 10)}, ${check.verdict.replace('_', ' ')}` : undefined],
      ...gap.nearest.map(({ title, heading, url }): [string, string] => [
        'Nearest page',
        `${title}${heading === null ? '' : ` – ${heading}`}  ${url}`,
      ]),
    ]),
  ]
}

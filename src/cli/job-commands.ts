import { setTimeout as delay } from 'node:timers/promises'
import { InvalidArgumentError, type Command } from 'commander'
import { AppError } from '../lib/errors.ts'
import { resolveProject, table, type CliProject, type CommandContext } from './command-context.ts'

/** The fields of a job that are printed. */
interface ListedJob {
  id: string
  status: 'active' | 'completed' | 'archived' | 'failed'
  prLink: string | null
  title: string | null
  createdAt: string
  source: { repository: string; ref: string | null }
  failure: {
    code: string
    message: string
    files?: { approval?: { kind: string; value: string } }[]
  } | null
  changes: { kept: boolean }[]
  kept: { turn: number } | null
}

interface ListedEvent {
  id: number
  turn: number
  type: string
  data: Record<string, unknown>
}

interface JobOptions {
  project?: string
}

export function addJobCommands(program: Command, open: (command: Command) => CommandContext): void {
  const job = program.command('job').description('agent jobs')
  const define = (usage: string, description: string): Command =>
    job
      .command(usage)
      .description(description)
      .option('--project <domain-or-id>', 'its project (default: the only one, or the one that has the job)')

  define('create <prompt>', 'start a job')
    .option('--base <branch>', 'branch to start from')
    .option('--model <name>', 'model to use')
    .option('--draft', 'open the pull request as a draft')
    .option('--watch', 'print its events until it ends')
    .action(
      async (
        prompt: string,
        options: JobOptions & { base?: string; model?: string; draft?: boolean; watch?: boolean },
        command: Command,
      ) => {
        const context = open(command)
        const { id } = await resolveProject(context, options.project)
        const { base, model, draft } = options
        const made = await context.json<ListedJob>('POST', `/v2/agent/${id}/job`, {
          prompt,
          base,
          model,
          draft,
        })
        if (options.watch === true) await watch(context, `/v2/agent/${id}/job/${made.id}`)
        else context.print(made, () => describe(made))
      },
    )

  define('list', 'newest first')
    .option('--status <status>', 'active, completed, archived or failed')
    .option('--limit <number>', 'at most this many', limitOf, 20)
    .action(async (options: JobOptions & { status?: string; limit: number }, command: Command) => {
      const context = open(command)
      const { id } = await resolveProject(context, options.project)
      const query = new URLSearchParams({
        limit: String(options.limit),
        ...(options.status && { status: options.status }),
      })
      const page = await context.json<{ jobs: ListedJob[] }>(
        'GET',
        `/v2/agent/${id}/jobs?${query.toString()}`,
      )
      context.print(page, () =>
        table(
          ['ID', 'STATUS', 'CREATED', 'TITLE'],
          page.jobs.map((one) => [one.id, one.status, one.createdAt.slice(0, 19), one.title ?? '']),
        ),
      )
    })

  const act = (usage: string, description: string, method: string, suffix: string): void => {
    define(`${usage} <id>`, description).action(async (id: string, options: JobOptions, command: Command) => {
      const context = open(command)
      const done = await context.json<ListedJob>(
        method,
        `${await pathOf(context, id, options.project)}${suffix}`,
      )
      context.print(done, () => describe(done))
    })
  }
  act('show', 'one job', 'GET', '')
  act('publish', 'publish what a turn that ended early has left, as a draft', 'POST', '/publish')
  act('cancel', 'end the turn under way', 'POST', '/cancel')
  act('archive', 'put a job away for good', 'POST', '/archive')

  define('approve <id> <host-or-module>', 'allow what the policy refused in a job')
    .option('--always', 'in the settings of the project as well')
    .action(async (id: string, value: string, options: JobOptions & { always?: true }, command: Command) => {
      const context = open(command)
      const path = await pathOf(context, id, options.project)
      const { failure } = await context.json<ListedJob>('GET', path)
      const approval = failure?.files?.find((file) => file.approval?.value === value)?.approval
      if (approval === undefined)
        throw new AppError('invalid', `The job was not refused because of ${value}; see "job show"`)
      const { always } = options
      const told = await context.json<ListedJob>('POST', `${path}/approve`, { ...approval, always })
      context.print(told, () => describe(told))
    })

  define('message <id> <prompt>', 'send a follow-up').action(
    async (id: string, prompt: string, options: JobOptions, command: Command) => {
      const context = open(command)
      const path = await pathOf(context, id, options.project)
      const told = await context.json<ListedJob>('POST', `${path}/message`, { prompt })
      context.print(told, () => describe(told))
    },
  )

  define('watch <id>', 'follow a job until it ends').action(
    async (id: string, options: JobOptions, command: Command) => {
      const context = open(command)
      await watch(context, await pathOf(context, id, options.project))
    },
  )
}

async function pathOf(context: CommandContext, jobId: string, project?: string): Promise<string> {
  const projects =
    project === undefined
      ? await context.json<CliProject[]>('GET', '/admin/projects')
      : [await resolveProject(context, project)]
  for (const { id } of projects) {
    const path = `/v2/agent/${id}/job/${encodeURIComponent(jobId)}`
    if (projects.length === 1 || (await context.request('GET', path).catch(() => undefined))) return path
  }
  throw new AppError('not_found', `There is no job ${jobId}; see "job list"`)
}

/** Prints events as they come. The command exits with 1 when the job has failed. */
async function watch(context: CommandContext, path: string): Promise<void> {
  let after = 0
  for (;;) {
    const job = await context.json<ListedJob>('GET', path)
    const { events } = await context.json<{ events: ListedEvent[] }>('GET', `${path}/events?after=${after}`)
    for (const event of events) {
      context.note(`${event.type}  ${textOf(event.data)}`.trimEnd())
      after = event.id
    }
    if (job.status !== 'active' && events.length === 0) {
      context.print(job, () => describe(job))
      if (job.status === 'failed') process.exitCode = 1
      return
    }
    await delay(500)
  }
}

function describe(job: ListedJob): string[] {
  return [
    `id      ${job.id}`,
    `status  ${job.status}`,
    `title   ${job.title ?? ''}`,
    `branch  ${job.source.ref ?? ''}`,
    `pull    ${job.prLink ?? '(none)'}`,
    ...(job.kept === null ? [] : [`kept    ${describeKept(job)}`]),
    ...(job.failure === null ? [] : [`reason  ${job.failure.message.replaceAll(/\s+/g, ' ')}`]),
    ...approvable(job).map((value) => `allow   docwright job approve ${job.id} ${value}`),
  ]
}

/** What the policy refused and a person may allow. */
function approvable({ failure }: ListedJob): string[] {
  return [...new Set((failure?.files ?? []).flatMap(({ approval }) => approval?.value ?? []))]
}

function describeKept({ changes }: ListedJob): string {
  const count = changes.filter(({ kept }) => kept).length
  return `${count} changed ${count === 1 ? 'file' : 'files'}, not published: send a message to go on, or "job publish"`
}

/** The text of an event for people. */
function textOf({ message, description }: Record<string, unknown>): string {
  if (typeof message === 'string') return message
  return typeof description === 'string' ? description : ''
}

function limitOf(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 100)
    throw new InvalidArgumentError('It must be from 1 to 100.')
  return value
}

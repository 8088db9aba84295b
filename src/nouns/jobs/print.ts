import type { Command } from 'commander'
import { z } from 'zod'
import { askUntil } from '../../cli/ask-until.ts'
import {
  projectList,
  resolveProject,
  type CliProject,
  type CommandContext,
} from '../../cli/command-context.ts'
import { isCancelled } from '../../cli/job-lines.ts'
import type { Answer } from '../../cli/read-answer.ts'
import { diffLines, facts, stateText, styled, table, type Text } from '../../cli/terminal-text.ts'
import { aboutChangeForm, promptOfChange, readAboutChange } from '../../features/agent/about-change.ts'
import { describeEvent } from '../../features/agent/describe-event.ts'
import { AppError } from '../../lib/errors.ts'
import type { AboutChangeColumn } from '../../store/columns.ts'
import { ownCommand } from '../../lib/own-command.ts'
import { counted } from '../../lib/text/counted.ts'
import { timeText } from '../../lib/text/time-words.ts'
import { addVerbCommands, ask, verbCommand, type Place } from '../../verbs/terminal.ts'
import { eventAnswer, type jobBody } from './answers.ts'
import {
  approve,
  archiveJob,
  cancelJob,
  createJob,
  getJob,
  listJobs,
  publishJob,
  sendMessage,
} from './verbs.ts'

type Job = Answer<typeof jobBody>
type Event = Answer<typeof eventAnswer>
const eventPage = z.object({ events: z.array(eventAnswer) })

const list = verbCommand(listJobs, { usage: 'list', description: 'List jobs, newest first' }, ({ jobs }) =>
  table(
    ['ID', 'STATUS', 'PULL', 'CREATED', 'TITLE'],
    jobs.map((one) => [one.id, statusOf(one), pullOf(one), timeText(one.createdAt), one.title ?? '']),
    'No job',
  ),
)
const publish = verbCommand(
  publishJob,
  { usage: 'publish <id>', description: 'Publish unpublished changes as a draft pull request' },
  describe,
)
const cancel = verbCommand(cancelJob, { usage: 'cancel <id>', description: 'Cancel a running job' }, describe)
const archive = verbCommand(archiveJob, { usage: 'archive <id>', description: 'Archive a job' }, describe)
export const jobCommands = [list, publish, cancel, archive]

interface JobOptions {
  project?: string
}

export const inProject = [
  '--project <domain-or-id>',
  'project (default: the only project, or the job’s project)',
] as const

/** The project of a command for one job or all of them. */
export const placesOfJob: Record<string, Place> = {
  projectId: {
    option: inProject,
    async find(context, value, _, argument) {
      const id = argument('id')
      const project = await (id === undefined
        ? resolveProject(context, value)
        : projectOfJob(context, id, value))
      return { id: project.id, name: project.domain }
    },
  },
}

/** @returns the group, for the commands of reviews */
export function addJobCommands(program: Command, open: (command: Command) => CommandContext): Command {
  const job = program.command('job').description('Manage agent jobs')
  const define = (usage: string, description: string): Command =>
    job
      .command(usage)
      .description(description)
      .option(...inProject)

  define('create [prompt]', 'Start a job')
    .option('--base <branch>', 'branch to start from')
    .option('--model <name>', 'model to use')
    .option('--draft', 'open the pull request as a draft')
    .option('--about <change>', `document a change of code: ${aboutChangeForm}`)
    .option('--watch', 'print its events until it ends')
    .action(
      async (
        given: string | undefined,
        options: JobOptions & {
          base?: string
          model?: string
          draft?: boolean
          about?: string
          watch?: boolean
        },
        command: Command,
      ) => {
        const context = open(command)
        const about = options.about === undefined ? undefined : requireAbout(options.about)
        const prompt = given ?? (about && promptOfChange)
        if (prompt === undefined)
          throw new AppError('invalid', 'Say what to do, or give a change with --about')
        const { id } = await resolveProject(context, options.project)
        const { base, model, draft } = options
        const job = await ask(context, createJob, { projectId: id, prompt, base, model, draft, about })
        if (options.watch === true) await watch(context, { projectId: id, id: job.id })
        else context.print(job, () => describe(job))
      },
    )

  addVerbCommands(job, open, [list], placesOfJob)
  define('show <id>', 'Show a job').action(async (id: string, options: JobOptions, command: Command) => {
    const context = open(command)
    const one = await readJob(context, await placeOf(context, id, options.project))
    context.print(one, () => describe(one))
  })
  addVerbCommands(job, open, [publish, cancel, archive], placesOfJob)

  define('diff <id>', 'Show the diff').action(async (id: string, options: JobOptions, command: Command) => {
    const context = open(command)
    const path = pathIn(await placeOf(context, id, options.project))
    const diff = await (await context.request('GET', `${path}/diff`)).text()
    context.print({ diff }, () => (diff === '' ? 'Nothing was changed' : diffLines(diff)))
  })

  define('approve <id> <host-or-module>', 'Allow a host or import that policy blocked')
    .option('--always', 'also add it to the project settings')
    .action(async (id: string, value: string, options: JobOptions & { always?: true }, command: Command) => {
      const context = open(command)
      const place = await placeOf(context, id, options.project)
      const approvals = approvable(await readJob(context, place))
      const approval = approvals.find((one) => one.value === value)
      if (approval === undefined)
        throw new AppError('invalid', `The job was not refused because of ${value}; see "job show"`)
      const approved = await ask(context, approve, {
        ...place,
        ...approval,
        always: options.always,
      })
      context.print(approved, () => describe(approved))
    })

  define('message <id> <prompt>', 'Send a follow-up')
    .option('--watch', 'print the events of the job until it ends')
    .action(
      async (id: string, prompt: string, options: JobOptions & { watch?: boolean }, command: Command) => {
        const context = open(command)
        const place = await placeOf(context, id, options.project)
        const job = await ask(context, sendMessage, { ...place, prompt })
        if (options.watch === true) await watch(context, place)
        else context.print(job, () => describe(job))
      },
    )

  define('watch <id>', 'Stream a job’s events until it finishes').action(
    async (id: string, options: JobOptions, command: Command) => {
      const context = open(command)
      await watch(context, await placeOf(context, id, options.project))
    },
  )
  return job
}

function requireAbout(given: string): AboutChangeColumn {
  const about = readAboutChange(given)
  if (about === undefined) throw new AppError('invalid', `--about takes ${aboutChangeForm}`)
  return about
}

/** How the verbs of a job name it. */
interface JobPlace {
  projectId: string
  id: string
}

async function placeOf(context: CommandContext, id: string, project?: string): Promise<JobPlace> {
  return { projectId: (await projectOfJob(context, id, project)).id, id }
}

function pathIn({ projectId, id }: JobPlace): string {
  return `/v2/agent/${projectId}/job/${encodeURIComponent(id)}`
}

function readJob(context: CommandContext, place: JobPlace): Promise<Job> {
  return ask(context, getJob, { ...place })
}

/** The project that has a job. */
export async function projectOfJob(
  context: CommandContext,
  jobId: string,
  project?: string,
): Promise<CliProject> {
  if (project !== undefined) return resolveProject(context, project)
  const projects = await context.read(projectList, 'GET', '/admin/projects')
  for (const one of projects) {
    const path = pathIn({ projectId: one.id, id: jobId })
    if (projects.length === 1 || (await context.request('GET', path).catch(() => undefined))) return one
  }
  throw new AppError('not_found', `Job ${jobId} not found. Run "job list" to see all jobs`)
}

/** Prints events as they come. The command exits with 1 when the job has failed, did nothing or asks something. */
async function watch(context: CommandContext, place: JobPlace): Promise<void> {
  let after = 0
  const ended = await askUntil(500, async () => {
    const job = await readJob(context, place)
    const { events } = await context.read(eventPage, 'GET', `${pathIn(place)}/events?after=${after}`)
    for (const event of events) {
      const { name, text } = describeEvent(event)
      context.note([
        styled('dim', `${event.createdAt.slice(11, 19)} `),
        styled(styleOf(event), name.padEnd(19)),
        ` ${text}`,
      ])
      after = event.id
    }
    return job.status !== 'active' && events.length === 0 ? job : undefined
  })
  context.print(ended, () => describe(ended))
  if (isCancelled(ended)) process.exitCode = 4
  else if (['failed', 'nothing_done', 'needs_input'].includes(ended.outcome ?? ended.status))
    process.exitCode = 1
}

function styleOf({ type, data }: Event): 'red' | 'yellow' | 'green' | 'cyan' {
  if (type === 'turn.failed' || data['ok'] === false) return 'red'
  if (type === 'attention' || type === 'turn.waiting' || type === 'turn.asked') return 'yellow'
  return type === 'turn.completed' || type.startsWith('pull_request.') ? 'green' : 'cyan'
}

function describe(job: Job): Text[][] {
  return facts([
    ['id', job.id],
    ['status', statusOf(job)],
    ['title', job.title ?? ''],
    ['branch', job.source.ref ?? ''],
    ['pull', job.pullRequest === null ? '(none)' : `${pullOf(job)} ${job.prLink ?? job.pullRequest.link}`],
    ['because', job.nothingChanged === null ? undefined : oneLine(job.nothingChanged)],
    ['kept', job.kept === null ? undefined : describeKept(job)],
    ['reason', job.failure === null ? undefined : oneLine(job.failure.message)],
    ...[...new Set(approvable(job).map(({ value }) => value))].map(
      (value) =>
        [
          'allow',
          `${ownCommand} job approve ${job.id} ${/\s/.test(value) ? JSON.stringify(value) : value}`,
        ] as const,
    ),
    ['waits', job.waiting === null ? undefined : oneLine(job.waiting.message)],
    ['asks', job.question === null ? undefined : oneLine(job.question.text)],
    ['answer', job.question === null ? undefined : `${ownCommand} job message ${job.id} "…"`],
    ...job.changes.map(({ path, oldPath, status, additions, deletions }) => {
      const name = oldPath === null ? path : `${oldPath} → ${path}`
      const counts = [styled('green', `+${additions}`), ' ', styled('red', `−${deletions}`)]
      return [status, [`${name}  `, ...counts]] as const
    }),
    ...job.checks.map(({ check, path, line, message }) => {
      const place = line === null ? path : `${path}:${line}`
      return [check, `${place}: ${message}`] as const
    }),
  ])
}

/** What the policy refused and a person may allow. */
function approvable({ failure, checks }: Job): { kind: string; value: string }[] {
  return [...(failure?.files ?? []), ...checks].flatMap(({ approval }) => approval ?? [])
}

function describeKept({ changes }: Job): string {
  const count = changes.filter(({ kept }) => kept).length
  return `${counted(count, 'changed file')}, not published: send a message to go on, or "job publish"`
}

/** `completed, no change`: the status with what came of the job, where that says more. */
function statusOf(job: Job): Text {
  const { status, state, outcome, waiting } = job
  if (isCancelled(job)) return styled('yellow', 'cancelled')
  if (waiting) return styled('yellow', `${status}, waiting`)
  if (state === 'not_understood') return styled('yellow', `${status}, not understood`)
  const isPlain = outcome === null || outcome === 'changed' || outcome === status
  return isPlain ? stateText(status) : styled('yellow', `${status}, ${outcome.replace('_', ' ')}`)
}

function pullOf({ pullRequest }: Job): string {
  return pullRequest === null ? '' : `#${pullRequest.number} ${pullRequest.state}`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import {
  choosePastChanges,
  pastKinds,
  readPastChanges,
  type PastChange,
  type PastKind,
} from '../../features/impact/past-changes.ts'
import { createGit, type Git, type Repository } from '../../integrations/git/git.ts'
import { findRepository, requireCommit } from '../../integrations/git/working-copy.ts'
import { settingNames } from '../../features/projects/settings/fields.ts'
import { AppError } from '../../lib/errors.ts'
import { issueSentence } from '../../lib/text/issue-sentence.ts'
import { counted } from '../../lib/text/counted.ts'
import {
  pathFromUser,
  resolveProject,
  type CliProject,
  type CommandContext,
} from '../../cli/command-context.ts'
import { table } from '../../cli/terminal-text.ts'
import { wholeNumber } from '../../cli/typed-number.ts'
import { failWith, limitsOf, missedLimits, pairOf, type Limits } from '../../cli/eval/limits.ts'
import { printerOf } from '../../cli/eval/report-text.ts'
import { changeSettings } from '../projects/verbs.ts'
import { openCode } from './code-then.ts'
import { jobsMarkdown, jobsReport, measures } from './jobs-report.ts'
import type { Configuration } from './run-case.ts'
import { runJobs, subjectOf } from './run-jobs.ts'
import { pathEnds } from '../../site/text/paths.ts'

interface Options extends Limits {
  folder: string
  project?: string
  root?: string
  code?: string
  since?: string
  limit: number
  sample?: true
  kinds?: PastKind[]
  model?: string
  set?: [string, string][]
  against?: [string, string][]
  maxCost?: number
  maxTokens?: number
  minutes: number
  concurrency: number
  resume?: string
  out?: string[]
  list?: true
}

/** Finds the repository of a project in the data folder of the terminal's own server. */
type FindMirror = (command: Command, project: CliProject) => Promise<string>

/** `eval jobs`: how well a model documents changes that people have documented. */
export function jobsCommand(open: (command: Command) => CommandContext, findMirror: FindMirror): Command {
  return new Command('jobs')
    .description('Evaluate how well a model documents the past changes of your repository')
    .argument('[range]', 'commits to choose from: from..to (default: the history of the current branch)')
    .option('--folder <folder>', 'the working copy of the docs', '.')
    .option('--project <domain-or-id>', 'a project of the server instead of a folder')
    .option('--root <folder>', 'folder of the pages in it, such as docs/')
    .option('--code <folder>', 'the working copy of the code, if it is another repository')
    .option('--since <day>', 'only changes since this day: 2026-01-31', day)
    .option('--limit <number>', 'how many changes', wholeNumber(1, 1000), 20)
    .option('--sample', 'choose from the whole range instead of the newest changes')
    .option('--kinds <kind...>', `kinds of changes: ${pastKinds.join(', ')}`, kind)
    .option('--list', 'show the changes that would be run, and stop')
    .option('--model <name>', 'model to use (default: DOCWRIGHT_MODEL)')
    .option('--set <name=value...>', 'project settings for the jobs', pairs)
    .option('--against <key=value...>', 'a second configuration: model, and project settings', pairs)
    .option('--max-cost <dollars>', 'stop when all jobs together have cost this much', dollars)
    .option('--max-tokens <number>', 'stop when all jobs together have used this many tokens', wholeNumber(1))
    .option('--minutes <number>', 'minutes of work on each job', wholeNumber(1, 1440), 30)
    .option('--concurrency <number>', 'jobs at a time', wholeNumber(1, 64), 1)
    .option('--resume <file>', 'save progress to this file and resume from it')
    .option('--out <file...>', 'write the report: .md or .json')
    .option(
      '--fail-under <metric=value...>',
      'exit with 1 if a metric is below this value',
      limitsOf(measures),
    )
    .option(
      '--fail-over <metric=value...>',
      'exit with 1 if a metric is above this value',
      limitsOf(measures),
    )
    .action(async (range: string | undefined, options: Options, command: Command) => {
      const context = open(command)
      const stopping = new AbortController()
      const stop = (): void => stopping.abort(new AppError('unavailable', 'Stopped'))
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop)
      const folder = await mkdtemp(join(tmpdir(), 'docwright-eval-jobs-'))
      try {
        const project =
          options.project === undefined ? undefined : await resolveProject(context, options.project)
        const place = project
          ? {
              folder: await findMirror(command, project),
              name: project.domain,
              root: options.root ?? project.root,
              tip: `refs/heads/${project.ref}`,
              settings: settingsOf(project),
            }
          : {
              folder: pathFromUser(options.folder),
              name: options.folder,
              root: options.root ?? '',
              tip: 'HEAD',
              settings: {},
            }
        await evaluate(context, { range, options, place, folder, signal: stopping.signal })
      } catch (error) {
        if (!stopping.signal.aborted) throw error
        context.note(
          options.resume === undefined
            ? 'Stopped. With --resume, the next run would continue here'
            : `Stopped. Run the same command again to continue from ${options.resume}`,
        )
        process.exitCode = 130
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 3 })
      }
    })
}

interface Place {
  folder: string
  name: string
  root: string
  tip: string
  settings: Record<string, unknown>
}

async function evaluate(
  context: CommandContext,
  input: { range: string | undefined; options: Options; place: Place; folder: string; signal: AbortSignal },
): Promise<void> {
  const { options, place, folder, signal } = input
  // What is wrong with the command line is said before anything is run.
  const outputs = (options.out ?? []).map((path) => ({ path, print: printerOf(path, jobsMarkdown) }))
  const configurations = await configurationsOf(options, place.settings)
  const git = await createGit({ dataFolder: folder, environment: process.env })
  const source = await requireRepository(git, place.folder)
  const { from, to } = await rangeIn(source, input.range, place.tip)
  const root = place.root.replace(pathEnds, '').replace(/^\.$/, '')
  const { readDocsNotion } = await import('../../features/impact/docs-notion.ts')
  const notion = await readDocsNotion(source, { commit: to, root })
  const past = await readPastChanges(source, notion, { from, to, since: options.since, signal })
  const codePath = options.code === undefined ? undefined : pathFromUser(options.code)
  // Code elsewhere: what a commit changes here beside pages is of the site, and nobody knows what code was not documented.
  const changes: PastChange[] =
    codePath === undefined
      ? past.changes
      : past.changes.filter(({ kind }) => kind !== 'silent').map((change) => ({ ...change, kind: 'docs' }))
  const kinds = options.kinds ?? pastKinds
  const chosen = choosePastChanges(changes, {
    limit: options.limit,
    kinds,
    isSample: options.sample === true,
  })
  if (chosen.length === 0)
    throw new AppError(
      'invalid',
      `No change of ${place.name} touches code or pages${root === '' ? '' : ` in ${root}`}; check --folder, --root and the range`,
    )
  if (options.list) return list(context, source, chosen)
  const run = await runJobs(
    context,
    {
      source,
      notion,
      root,
      folder,
      code: codePath === undefined ? undefined : await openCode(await requireRepository(git, codePath)),
    },
    {
      changes: chosen,
      configurations,
      ceiling: { cost: options.maxCost, tokens: options.maxTokens },
      minutes: options.minutes,
      concurrency: options.concurrency,
      resume: options.resume === undefined ? undefined : pathFromUser(options.resume),
      environment: process.env,
    },
    signal,
  )
  const countOf = (one: PastKind) => ({
    chosen: chosen.filter((change) => change.kind === one).length,
    of: changes.filter((change) => change.kind === one).length,
  })
  const report = jobsReport(
    {
      repository: place.name,
      commit: to,
      root,
      chosen: { code: countOf('code'), docs: countOf('docs'), silent: countOf('silent') },
      leftOut: past.leftOut,
      ...run,
    },
    configurations,
  )
  for (const { path, print } of outputs) await writeFile(pathFromUser(path), print(report))
  context.print(report, () => jobsMarkdown(report))
  if (run.stopped !== null) context.note(`Not complete. ${run.stopped}`)
  for (const problem of missedLimits(report.configurations.at(-1)?.summary ?? {}, options)) failWith(problem)
}

async function list(
  context: CommandContext,
  source: Repository,
  chosen: readonly PastChange[],
): Promise<void> {
  const rows = await Promise.all(
    chosen.map(async (change) => ({ ...change, subject: await subjectOf(source, change) })),
  )
  context.print(rows, () => [
    ...table(
      ['COMMIT', 'KIND', 'PAGES', 'CHANGE'],
      rows.map(({ commit, kind, pages, subject }) => [
        commit.slice(0, 10),
        kind,
        String(pages.length),
        subject,
      ]),
      'No change',
    ),
    counted(rows.length, 'change'),
  ])
}

async function requireRepository(git: Git, folder: string): Promise<Repository> {
  const repository = await findRepository(git, folder)
  if (repository === undefined) throw new AppError('invalid', `${folder} is in no git repository`)
  return repository
}

async function rangeIn(
  source: Repository,
  range: string | undefined,
  tip: string,
): Promise<{ from: string | undefined; to: string }> {
  if (range === undefined) return { from: undefined, to: await requireCommit(source, tip) }
  const [first = '', last] = range.split(/\.{2,3}/)
  const from = await requireCommit(source, first)
  // One commit is that change alone.
  if (last === undefined) return { from: await requireCommit(source, `${from}^`), to: from }
  return { from, to: await requireCommit(source, last || tip) }
}

async function configurationsOf(
  { model, set = [], against }: Options,
  settings: Record<string, unknown>,
): Promise<Configuration[]> {
  const first = await changed({ name: '', model, settings }, set)
  return against === undefined ? [first] : [first, await changed(first, against)]
}

async function changed(before: Configuration, changes: readonly [string, string][]): Promise<Configuration> {
  const settings = { ...before.settings }
  let { model } = before
  for (const [name, text] of changes) {
    if (name === 'model') model = text
    else settings[name] = await valueOf(text)
  }
  // Said before a server is started.
  const { error } = changeSettings.input.safeParse(settings)
  if (error)
    throw new AppError(
      'invalid',
      `${issueSentence(error, (path) => (path === '' ? '--set or --against' : path))}. Settings of the agent are ${settingNames.filter(isOfAgent).join(', ')}`,
    )
  return { name: model ?? (process.env['DOCWRIGHT_MODEL'] || 'builtin'), model, settings }
}

async function valueOf(text: string): Promise<unknown> {
  if (text.startsWith('@')) return readFile(pathFromUser(text.slice(1)), 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Settings of readers, of other repositories and of addresses stay with the project. */
function isOfAgent(name: string): boolean {
  return !/^(?:assistant\w*|visibility|site|retentionDays|contextRepositories|enrichment|trusted)$/.test(name)
}

function settingsOf({ settings }: CliProject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => isOfAgent(name)))
}

function day(text: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) throw new InvalidArgumentError('It must be a day such as 2026-01-31.')
  return text
}

function dollars(text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number of USD such as 2.50.')
  return value
}

function kind(text: string, before: PastKind[] = []): PastKind[] {
  const known = pastKinds.find((one) => one === text)
  if (known === undefined) throw new InvalidArgumentError(`It must be one of ${pastKinds.join(', ')}.`)
  return [...before, known]
}

function pairs(text: string, before: [string, string][] = []): [string, string][] {
  return [...before, pairOf(text)]
}

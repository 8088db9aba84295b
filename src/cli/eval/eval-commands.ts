import { readFile, writeFile } from 'node:fs/promises'
import { InvalidArgumentError, type Command } from 'commander'
import { checkParts } from '../../features/assistant/check.ts'
import { AppError } from '../../lib/errors.ts'
import { randomText } from '../../lib/ids.ts'
import { writeRaw } from '../terminal-text.ts'
import { wholeNumber } from '../typed-number.ts'
import { pathFromUser, type CommandContext } from '../command-context.ts'
import { writeCases, type CaseFilter } from './cases-from-threads.ts'
import type { OfferedModel } from './judge.ts'
import { failWith, limitsOf, missedLimits, pairOf, type Limits } from './limits.ts'
import { printerOf } from './report-text.ts'
import { readCases } from './read-cases.ts'
import { markdownOf, measures, type Report } from './report.ts'
import { readReport, runEval } from './run-eval.ts'
import { openTarget, type Settings } from './target.ts'

interface Options extends Settings, Limits {
  against?: string[]
  before?: string
  judge?: string
  out?: string[]
  limit?: number
  concurrency?: number
  resume?: string
  json?: boolean
}

/** Finds a model by its name in the terminal's own configuration. */
type FindModel = (command: Command, name: string) => Promise<OfferedModel>

/** `eval`: measures search and answers with a project's own questions. */
export function addEvalCommands(
  program: Command,
  open: (command: Command) => CommandContext,
  findModel: FindModel,
): Command {
  const evaluation = program
    .command('eval')
    .description('Evaluate search, answers, and jobs with your own questions and history')

  const withOptions = (command: Command): Command =>
    command
      .option('--project <domain-or-id>', 'project (default: the only project)')
      .option('--page-size <number>', 'sections to find', wholeNumber(1))
      .option('--without <part...>', `leave out: ${checkParts.join(', ')}`, listOf(checkParts))
      .option('--against <key=value...>', 'a second configuration: project, data, model, page-size, without')
      .option('--before <report>', 'compare with an earlier report (.json)')
      .option('--out <file...>', 'write the report: .md or .json')
      .option(
        '--fail-under <metric=value...>',
        'exit with 1 if a metric is below this value',
        limitsOf(measures),
      )
      .option(
        '--fail-over <metric=value...>',
        'end with 1 when it is higher: total.p95, cost, …',
        limitsOf(measures),
      )
      .option('--limit <number>', 'ask only the first questions', wholeNumber(1))
      .option('--concurrency <number>', 'questions at a time', wholeNumber(1))
      .option('--resume <file>', 'save progress to this file and resume from it')

  withOptions(evaluation.command('search <file>'))
    .description('Evaluate search with questions from a JSONL file')
    .action((file: string, options: Options, command: Command) => run('search', file, options, command))

  withOptions(evaluation.command('answers <file>'))
    .description('Evaluate the assistant’s answers with questions from a JSONL file')
    .option('--model <name>', 'answer with this model, such as builtin')
    .option('--judge <provider:model>', 'a model that says whether answers are correct')
    .action((file: string, options: Options, command: Command) => run('answers', file, options, command))

  evaluation
    .command('cases')
    .description('Create test cases from conversations for you to review')
    .requiredOption('--from-threads', 'from the conversations of the assistant')
    .option('--project <domain-or-id>', 'whose conversations (default: the only project)')
    .option('--from <day-or-time>', 'asked then or later')
    .option('--to <day-or-time>', 'end date (inclusive) or time (exclusive)')
    .option('--outcome <outcome>', 'outcome, for example answered or unanswered')
    .option('--rating <up|down>', 'rating by the reader')
    .option('--limit <number>', 'maximum number of questions, newest first', wholeNumber(1), 200)
    .option('--out <file>', 'write them into this file')
    .action(async (options: CaseFilter & { out?: string }, command: Command) => {
      const context = open(command)
      const lines = await writeCases(context, options)
      if (options.out === undefined) return writeRaw(lines, process.stdout)
      await writeFile(pathFromUser(options.out), lines.join(''))
      context.note(`${lines.length} cases written to ${options.out}: check each, and remove its \`review\``)
    })

  const run = async (
    kind: Report['kind'],
    file: string,
    options: Options,
    command: Command,
  ): Promise<void> => {
    const context = open(command)
    if (options.before !== undefined && options.against !== undefined)
      throw new AppError('invalid', 'Name either --against or --before: two configurations are compared')
    // All files are read before a question is asked, which may take long and cost money.
    const cases = readCases(await readFile(pathFromUser(file), 'utf8'), file)
    const before =
      options.before === undefined
        ? undefined
        : readReport(await readFile(pathFromUser(options.before), 'utf8'), options.before, kind)
    const outputs = (options.out ?? []).map((path) => ({ path, print: printerOf(path, markdownOf) }))
    const { createJudge } = await import('./judge.ts')
    const judge =
      options.judge === undefined
        ? undefined
        : createJudge(options.judge, await findModel(command, options.judge), `material-${randomText(16)}`)
    const { project, model, pageSize, without } = options
    const settings: Settings = { project, model, pageSize, without }
    const all =
      options.against === undefined ? [settings] : [settings, changed(settings, options.against, kind)]
    const targets = await Promise.all(all.map((one) => openTarget(context, kind, one, judge)))
    const report = await runEval(context, cases, {
      kind,
      file,
      targets,
      limit: options.limit,
      concurrency: options.concurrency ?? (kind === 'search' ? 1 : 4),
      judge,
      resume: options.resume === undefined ? undefined : pathFromUser(options.resume),
      before,
    })
    for (const { path, print } of outputs) await writeFile(pathFromUser(path), print(report))
    context.print(report, () => markdownOf(report))
    const summary = report.configurations.at(-1)?.summary ?? {}
    const failed = summary['failed'] ?? 0
    if (failed > 0 && options.failOver?.some(([name]) => name === 'failed') !== true)
      failWith(`${failed} questions have no result; see "Failed" in the report`)
    for (const problem of missedLimits(summary, options)) failWith(problem)
  }
  return evaluation
}

/** The settings with what a second configuration changes. */
function changed(settings: Settings, changes: readonly string[], kind: Report['kind']): Settings {
  const other = { ...settings }
  for (const change of changes) {
    const [key, value] = pairOf(change)
    if (key === 'project' || key === 'data' || (key === 'model' && kind === 'answers')) other[key] = value
    else if (key === 'page-size') other.pageSize = wholeNumber(1)(value)
    else if (key === 'without')
      other.without = value === 'none' ? [] : value.split(',').flatMap((part) => listOf(checkParts)(part))
    else
      throw new AppError(
        'invalid',
        `--against ${change}: use project, data, model (of answers), page-size or without`,
      )
  }
  return other
}

function listOf(allowed: readonly string[]): (text: string, before?: string[]) => string[] {
  return (text, before = []) => {
    if (!allowed.includes(text)) throw new InvalidArgumentError(`It must be one of ${allowed.join(', ')}.`)
    return [...before, text]
  }
}

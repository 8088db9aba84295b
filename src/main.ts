import { Command, CommanderError } from 'commander'
import { AppError, messageOf } from './lib/errors.ts'
import { version } from './lib/version.ts'
import { modelChecks } from './start/models/model-checks.ts'
import { addAuditCommand } from './cli/audit-commands.ts'
import { addAssistantCommands } from './cli/assistant-commands.ts'
import { addBackupCommands } from './cli/backup-commands.ts'
import { addCheckCommand } from './cli/check/check-command.ts'
import { contextOf, pathFromUser, type CommandContext } from './cli/command-context.ts'
import { addEvalCommands } from './cli/eval/eval-commands.ts'
import { addDoctorCommand } from './cli/doctor-command.ts'
import { addInsightsCommands } from './cli/insights-commands.ts'
import { addTraceCommands } from './cli/trace-commands.ts'
import { addJobCommands } from './cli/job-commands.ts'
import { addReviewCommands } from './cli/review-commands.ts'
import { addGapCommands } from './nouns/gaps/print.ts'
import { addKeyCommands } from './nouns/keys/print.ts'
import { addPeopleCommands } from './nouns/people/print.ts'
import { addWebhookCommands } from './nouns/webhooks/print.ts'
import { addConnectionCommands } from './nouns/connections/print.ts'
import { addProjectCommands } from './nouns/projects/print.ts'
import { addUseCommands } from './nouns/projects/use-commands.ts'
import { addSetCommand } from './nouns/settings/print.ts'
import { addProblemCommands } from './cli/problem-commands.ts'
import { addRunJobCommand } from './cli/run-job-command.ts'
import { addPullCommands } from './cli/pull-commands.ts'
import { addLimitCommands } from './cli/limit-commands.ts'
import { addOrganizationCommands, addSecretsCommands, addSignInCommand } from './cli/server-commands.ts'
import { printLines } from './cli/terminal-text.ts'
import { wholeNumber } from './cli/typed-number.ts'
import { readConfig } from './config.ts'

// Files are private to this user, including those of child processes such as git.
if (process.platform !== 'win32') process.umask(0o077)

/** The exit codes that scripts may rely on. */
const exitCodes = { failed: 1, usage: 2, unavailable: 3 } as const

const program = new Command('docwright')
  .description('Agent jobs and a documentation assistant for docs kept in git')
  .version(version)
  .option('--data <folder>', 'data folder (default: DOCWRIGHT_DATA or ./data)')
  .exitOverride()
  .configureHelp({ showGlobalOptions: true })
  .addHelpText(
    'after',
    '\nExit codes: 0 done, 1 failed, 2 wrong usage or input, 3 server, machine or database not available, 4 job cancelled',
  )

const open = (command: Command): CommandContext =>
  contextOf(command, process.env['DOCWRIGHT_DATA'] ?? './data')

program
  .command('serve')
  .description('run the server, with the work on jobs in the same process')
  .option('--port <number>', 'port, 0 for any free one', wholeNumber(0, 65_535))
  .option('--no-demo', 'leave the demo project out of the first start')
  .action(async (options: { port?: number; demo: boolean }, command: Command) => {
    const { serve } = await import('./start/serve.ts')
    await serve(environmentOf(command, options.port), { demo: options.demo })
    endProcess()
  })

program
  .command('worker')
  .description('only work on jobs, for servers with the same DATABASE_URL')
  .action(async (_options: unknown, command: Command) => {
    const { work } = await import('./start/serve.ts')
    await work(environmentOf(command))
    endProcess()
  })

addOrganizationCommands(program, open)
addPeopleCommands(program, open)
addAuditCommand(program, open)
addLimitCommands(program, open)
const project = addProjectCommands(program, open)
addConnectionCommands(project, open)
addSetCommand(project, open)
addUseCommands(project, open)
addProblemCommands(project, open)
addKeyCommands(program, open)
addReviewCommands(addJobCommands(program, open), open)
addPullCommands(program, open)
addAssistantCommands(program, open)
addInsightsCommands(program, open)
addTraceCommands(program, open)
addEvalCommands(program, open, async (command, name) => {
  const { createModels } = await import('./start/models/models.ts')
  const models = createModels(readConfig(environmentOf(command)))
  return { model: models.find(name), costOf: (usage) => models.costOf(name, usage) }
})
addGapCommands(program, open)
addCheckCommand(program, open)
addRunJobCommand(program, open)
addWebhookCommands(program, open)
addSignInCommand(program, open)
addSecretsCommands(program, open)
addBackupCommands(program, open, {
  async backup(command, file, options) {
    const { backupStore } = await import('./start/backup/closed-store.ts')
    const environment = environmentOf(command)
    await backupStore(readConfig(environment), environment, { file, ...options })
  },
  async restore(command, file, report) {
    const { restoreStore } = await import('./start/backup/closed-store.ts')
    const environment = environmentOf(command)
    return restoreStore(readConfig(environment), environment, { file, report })
  },
  async check(file) {
    const { checkBackup } = await import('./start/backup/restore-backup.ts')
    return checkBackup(file)
  },
})
addDoctorCommand(program, open, (command) => [
  {
    check: 'configuration',
    run: () => Promise.resolve(`data folder ${readConfig(environmentOf(command)).dataFolder}`),
  },
  {
    check: 'files',
    run: async () => {
      const { checkFiles } = await import('./start/private-files.ts')
      return checkFiles(readConfig(environmentOf(command)).dataFolder)
    },
  },
  {
    check: 'disk',
    run: async () => {
      const { dataFolder, minFreeBytes } = readConfig(environmentOf(command))
      const { describeSpace } = await import('./integrations/machine/machine.ts')
      return describeSpace(dataFolder, minFreeBytes)
    },
  },
  {
    check: 'git',
    run: async () => {
      const { checkGit } = await import('./start/open-services.ts')
      return checkGit(process.env)
    },
  },
  ...modelChecks(environmentOf(command)),
])

// Every command takes --data, before or after its name.
for (const command of program.commands) passOptionsDown(command)

// A reader such as `head` may close the pipe before everything is printed.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})

try {
  await program.parseAsync()
} catch (error) {
  // Resources that were opened before the failure must not keep the process alive.
  process.exit(report(error))
}

function passOptionsDown(command: Command): void {
  command.exitOverride()
  if (command.commands.length === 0)
    command.option('--data <folder>', 'data folder (default: DOCWRIGHT_DATA or ./data)')
  if (command.commands.length === 0 && !['serve', 'worker'].includes(command.name()))
    command.option('--json', 'print JSON')
  for (const below of command.commands) passOptionsDown(below)
}

// The store is closed, so whatever still runs, such as a thread that builds an index, could not save its result.
function endProcess(): never {
  process.exit(0)
}

function environmentOf(command: Command, port?: number): NodeJS.ProcessEnv {
  const { data }: { data?: string } = command.optsWithGlobals()
  return {
    ...process.env,
    ...(data === undefined ? {} : { DOCWRIGHT_DATA: pathFromUser(data) }),
    ...(port === undefined ? {} : { PORT: String(port) }),
  }
}

function report(error: unknown): number {
  // Commander has already printed its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
  if (isOfSystem(error)) {
    say(error.message)
    return exitCodes.unavailable
  }
  if (!(error instanceof AppError)) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return exitCodes.failed
  }
  say(messageOf(error))
  if (error.code === 'unavailable') return exitCodes.unavailable
  return error.code === 'internal' ? exitCodes.failed : exitCodes.usage
}

// Messages may hold texts of others.
function say(message: string): void {
  for (const line of printLines(message, process.stderr).split('\n'))
    process.stderr.write(`docwright: ${line}\n`)
}

// An error of the operating system, such as a full disk, whose message is sufficient.
function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'code' in error
}

import { Command, CommanderError, Option } from 'commander'
import { AppError, messageOf } from './lib/errors.ts'
import { version } from './lib/version.ts'
import { contextOf, pathFromUser, type CommandContext } from './cli/command-context.ts'
import { printLines } from './cli/terminal-text.ts'
import { wholeNumber } from './cli/typed-number.ts'

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
    '\nExit codes: 0 success, 1 failure, 2 invalid usage or input, 3 server or database unavailable, 4 job cancelled',
  )

const open = (command: Command): CommandContext =>
  contextOf(command, process.env['DOCWRIGHT_DATA'] ?? './data')

program
  .command('serve')
  .description('Start the server and process jobs')
  .option('--port <number>', 'port to listen on; 0 picks a free port', wholeNumber(0, 65_535))
  .option('--no-demo', 'skip the demo project on first start')
  // For a command that has a server to itself: its pipe closes however it ends.
  .addOption(new Option('--until-input-ends').hideHelp())
  .action(async (options: { port?: number; demo: boolean; untilInputEnds?: true }, command: Command) => {
    if (options.untilInputEnds)
      process.stdin.resume().once('close', () => process.kill(process.pid, 'SIGTERM'))
    const { serve } = await import('./start/serve.ts')
    await serve(environmentOf(command, options.port), { demo: options.demo })
    endProcess()
  })

program
  .command('worker')
  .description('Process jobs only (requires a shared PostgreSQL database)')
  .action(async (_options: unknown, command: Command) => {
    const { work } = await import('./start/serve.ts')
    await work(environmentOf(command))
    endProcess()
  })

/** What adds the other commands, in the order of the help. Only those that the command line names are loaded. */
const others: readonly [names: readonly string[], add: () => Promise<unknown>][] = [
  [
    ['organization'],
    async () => (await import('./nouns/people/print.ts')).addOrganizationCommands(program, open),
  ],
  [['people'], async () => (await import('./nouns/people/print.ts')).addPeopleCommands(program, open)],
  [['audit'], async () => (await import('./nouns/audit/print.ts')).addAuditCommand(program, open)],
  [['limit'], async () => (await import('./nouns/usage/print.ts')).addLimitCommands(program, open)],
  [
    ['project'],
    async () => {
      const { addProjectCommands } = await import('./nouns/projects/print.ts')
      const { addConnectionCommands } = await import('./nouns/connections/print.ts')
      const { addSetCommand } = await import('./nouns/settings/print.ts')
      const { addUseCommands } = await import('./nouns/projects/use-commands.ts')
      const { addProblemCommands } = await import('./nouns/problems/print.ts')
      const project = addProjectCommands(program, open)
      for (const add of [addConnectionCommands, addSetCommand, addUseCommands, addProblemCommands])
        add(project, open)
    },
  ],
  [['key'], async () => (await import('./nouns/keys/print.ts')).addKeyCommands(program, open)],
  [
    ['job'],
    async () => {
      const { addJobCommands } = await import('./nouns/jobs/print.ts')
      const { addReviewCommands } = await import('./nouns/reviews/print.ts')
      addReviewCommands(addJobCommands(program, open), open)
    },
  ],
  [['pull'], async () => (await import('./nouns/pulls/print.ts')).addPullCommands(program, open)],
  [
    ['ask', 'search'],
    async () => (await import('./cli/assistant-commands.ts')).addAssistantCommands(program, open),
  ],
  [
    ['insights', 'thread'],
    async () => (await import('./nouns/insights/print.ts')).addInsightsCommands(program, open),
  ],
  [['trace'], async () => (await import('./nouns/assistant/print.ts')).addTraceCommand(program, open)],
  [['searches'], async () => (await import('./nouns/insights/print.ts')).addSearchesCommand(program, open)],
  [
    ['eval'],
    async () => {
      const { addEvalCommands } = await import('./cli/eval/eval-commands.ts')
      const { readConfig } = await import('./config.ts')
      const evaluation = addEvalCommands(program, open, async (command, name) => {
        const { createModels } = await import('./start/models/models.ts')
        const models = createModels(readConfig(environmentOf(command)))
        return { model: models.find(name), costOf: (usage) => models.costOf(name, usage) }
      })
      const { jobsCommand } = await import('./nouns/evaluations/jobs-command.ts')
      const jobs = jobsCommand(open, async (command, project) => {
        const { mirrorOfProject } = await import('./start/mirrors/mirror-of-project.ts')
        return mirrorOfProject(readConfig(environmentOf(command)).dataFolder, project)
      })
      evaluation.addCommand(jobs)
    },
  ],
  [['gap'], async () => (await import('./nouns/gaps/print.ts')).addGapCommands(program, open)],
  [
    ['answer'],
    async () => (await import('./nouns/pinned-answers/print.ts')).addAnswerCommands(program, open),
  ],
  [['check'], async () => (await import('./cli/check/check-command.ts')).addCheckCommand(program, open)],
  [
    ['automation'],
    async () => (await import('./nouns/automations/print.ts')).addAutomationCommands(program, open),
  ],
  [
    ['impact'],
    async () =>
      (await import('./cli/impact/impact-command.ts')).addImpactCommand(program, open, async (address) =>
        (await import('./start/hosts/open-of-environment.ts')).openOfEnvironment(address, process.env),
      ),
  ],
  [['run-job'], async () => (await import('./cli/run-job-command.ts')).addRunJobCommand(program, open)],
  [['chat'], async () => (await import('./nouns/chats/print.ts')).addChatCommands(program, open)],
  [['webhook'], async () => (await import('./nouns/webhooks/print.ts')).addWebhookCommands(program, open)],
  [['sign-in'], async () => (await import('./nouns/people/print.ts')).addSignInCommand(program, open)],
  [['secrets'], async () => (await import('./nouns/server/print.ts')).addServerCommands(program, open)],
  [
    ['backup', 'restore'],
    async () => {
      const { addBackupCommands } = await import('./cli/backup-commands.ts')
      const { readConfig } = await import('./config.ts')
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
    },
  ],
  [
    ['doctor'],
    async () => {
      const { addDoctorCommand } = await import('./nouns/server/doctor.ts')
      const { readConfig } = await import('./config.ts')
      const { modelChecks } = await import('./start/models/model-checks.ts')
      addDoctorCommand(program, open, (command) => ({
        models: modelChecks(environmentOf(command)),
        always: [
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
        ],
      }))
    },
  ],
]

const commandName = commandIn(process.argv.slice(2))
if (commandName !== 'serve' && commandName !== 'worker') {
  const named = others.filter(([names]) => names.includes(commandName))
  for (const [, add] of named.length > 0 ? named : others) await add()
}

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

/** The first word that is no option, nor the folder of one. */
function commandIn(words: readonly string[]): string {
  return words.find((word, at) => !word.startsWith('-') && words[at - 1] !== '--data') ?? ''
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

import type { Command } from 'commander'
import type { CommandContext } from '../../cli/command-context.ts'
import { facts, stateText, styled, table, type Text } from '../../cli/terminal-text.ts'
import { exactTimeText, timeText } from '../../lib/text/time-words.ts'
import { addVerbCommands, verbCommand } from '../../verbs/terminal.ts'
import type { Answer } from '../../cli/read-answer.ts'
import {
  changeAutomation,
  createAutomation,
  deleteAutomation,
  getAutomation,
  getRun,
  listAutomations,
  listRuns,
  runAutomation,
} from './verbs.ts'

type AutomationBody = Answer<(typeof getAutomation)['output']>
type RunBody = Answer<(typeof getRun)['output']>

export const automationCommands = [
  verbCommand(
    listAutomations,
    {
      usage: 'list',
      description: 'List a project’s automations',
      json: ({ automations }) => automations,
    },
    ({ automations }) =>
      table(
        ['ID', 'STATE', 'NEXT', 'RUNS ON', 'NAME'],
        automations.map((one) => [
          one.id,
          stateOf(one),
          one.nextAt === null ? '' : exactTimeText(one.nextAt),
          one.triggers.join('; '),
          one.name,
        ]),
        'No automation',
      ),
  ),
  verbCommand(
    getAutomation,
    { usage: 'show <automation>', description: 'Show an automation' },
    describeAutomation,
  ),
  verbCommand(
    getAutomation,
    { usage: 'export <automation>', description: 'Print a rule as a file of the repository' },
    ({ source }) => source.trimEnd(),
  ),
  verbCommand(createAutomation, { usage: 'create', description: 'Create an automation' }, describeAutomation),
  verbCommand(
    changeAutomation,
    { usage: 'change <automation>', description: 'Change an automation, or switch it off or on' },
    describeAutomation,
  ),
  verbCommand(
    deleteAutomation,
    { usage: 'delete <automation>', description: 'Delete an automation' },
    ({ id }) => `Deleted ${id}`,
  ),
  verbCommand(
    runAutomation,
    { usage: 'run <automation>', description: 'Run an automation' },
    ({ instanceId, jobId }) => [`Started ${instanceId}`, `Job ${jobId}`],
  ),
  verbCommand(
    listRuns,
    { usage: 'runs', description: 'List runs of automations, newest first', json: ({ runs }) => runs },
    ({ runs }) =>
      table(
        ['ID', 'CREATED', 'STATE', 'COST', 'JOB', 'AUTOMATION', 'CAUSE'],
        runs.map((run) => [
          run.id,
          exactTimeText(run.createdAt),
          stateText(run.state),
          costOf(run),
          run.jobId ?? '',
          run.automation.name,
          run.cause.words,
        ]),
        'No run',
      ),
  ),
  verbCommand(getRun, { usage: 'run-details <run>', description: 'Show a run' }, describeRun),
]

/** `automation`: rules that give the agent work. */
export function addAutomationCommands(program: Command, open: (command: Command) => CommandContext): void {
  const group = program.command('automation').description('Manage automations: rules that start jobs')
  addVerbCommands(group, open, automationCommands)
}

function stateOf({ problems, enabled }: AutomationBody): string {
  if (problems.length > 0) return 'has problems'
  return enabled ? 'on' : 'off'
}

function costOf({ cost }: RunBody): string {
  return cost === null ? 'unknown' : `$${cost.toFixed(2)}`
}

function describeAutomation(one: AutomationBody): Text[][] {
  return [
    [styled('bold', one.name)],
    ...one.problems.map((problem) => [problem]),
    ...one.notes.map((note) => [note]),
    ...facts([
      ['Id', one.id],
      ['State', stateOf(one)],
      ['Runs on', one.triggers.join('; ')],
      ...(one.nextAt === null ? [] : [['Next', timeText(one.nextAt)] as [string, string]]),
      ...(one.path === null ? [] : [['File', one.path] as [string, string]]),
    ]),
    ...one.source
      .trimEnd()
      .split('\n')
      .map((line) => [line]),
  ]
}

function describeRun(run: RunBody): Text[][] {
  return [
    [styled('bold', run.automation.name)],
    ...run.reasons.map((reason) => [reason]),
    ...facts([
      ['Id', run.id],
      ['State', run.state],
      ['Cause', run.cause.words],
      ['Title', run.cause.title ?? ''],
      ['Job', run.jobId ?? ''],
      ['Pull request', run.pullRequest?.link ?? ''],
      ['Cost', costOf(run)],
      ['Created', timeText(run.createdAt)],
      ['Finished', run.finishedAt === null ? '' : timeText(run.finishedAt)],
    ]),
  ]
}

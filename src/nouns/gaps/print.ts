import type { Command } from 'commander'
import type { CommandContext } from '../../cli/command-context.ts'
import { newJobLines } from '../../cli/job-lines.ts'
import type { Answer } from '../../cli/read-answer.ts'
import { facts, stateText, styled, table, type Text } from '../../cli/terminal-text.ts'
import { dayText, timeText } from '../../lib/text/time-words.ts'
import { addVerbCommands, verbCommand } from '../../verbs/terminal.ts'
import { changeGap, createGapJob, getGap, listGaps, mergeGaps } from './verbs.ts'

export const gapCommands = [
  verbCommand(listGaps, { usage: 'list', description: 'List gaps, most asked first' }, ({ gaps }, { days }) =>
    table(
      ['ID', 'STATE', `LAST ${days} DAYS`, 'BEFORE', 'IN ALL', 'ASKERS', 'TOPIC'],
      gaps.map(({ id, name, state, trend, questions, askers }) => [
        id,
        stateText(state),
        String(trend.now),
        String(trend.before),
        String(questions),
        String(askers),
        name,
      ]),
      'No gap',
    ),
  ),
  verbCommand(
    getGap,
    { usage: 'show <id>', description: 'Show a gap and its questions', only: [] },
    (gap) => [
      ...describeGap(gap),
      ...gap.searches.map(({ query, searches }) => [`searched ${searches} times: ${query}`]),
      ...gap.exchanges.map((one) => [
        styled('dim', `${timeText(one.askedAt)}  ${one.threadId}  `),
        one.question,
        styled('dim', `  ${[one.outcome, one.cause].filter((part) => part !== null).join(', ')}`),
      ]),
      ...gap.checks.map(({ question, outcome, cited }) => [
        styled('dim', 'asked again: '),
        `${question}  `,
        stateText(outcome),
        cited ? ', from a page that was changed' : '',
      ]),
    ],
  ),
  verbCommand(
    changeGap,
    {
      usage: 'dismiss <id>',
      description: 'Dismiss a gap (it reopens if readers keep asking)',
      given: { dismissed: true },
    },
    describeGap,
  ),
  verbCommand(
    changeGap,
    {
      usage: 'reopen <id>',
      description: 'Reopen a dismissed or answered gap',
      given: { dismissed: false },
      only: [],
    },
    describeGap,
  ),
  verbCommand(
    changeGap,
    {
      usage: 'rename <id> <name>',
      description: 'Rename a gap',
      positional: ['name'],
      only: [],
    },
    describeGap,
  ),
  verbCommand(
    mergeGaps,
    {
      usage: 'merge <id> <other>',
      description: 'Merge another gap into this one',
      positional: ['from'],
    },
    describeGap,
  ),
  verbCommand(createGapJob, { usage: 'job <id>', description: 'Start a job to close a gap' }, newJobLines),
]

/** `gap`: what readers ask about and the documentation does not answer. */
export function addGapCommands(program: Command, open: (command: Command) => CommandContext): void {
  const group = program
    .command('gap')
    .description('Manage content gaps: questions your docs don’t answer well')
  addVerbCommands(group, open, gapCommands)
}

function describeGap(gap: Answer<(typeof changeGap)['output']>): Text[][] {
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
      ['Asked', `${dayText(gap.firstAskedAt)} to ${dayText(gap.lastAskedAt)}`],
      [
        'Dismissed',
        dismissed
          ? `${dayText(dismissed.at)}, until ${dismissed.returnsAfter} more questions${dismissed.reason === null ? '' : `: ${dismissed.reason}`}`
          : undefined,
      ],
      ['Job', job ? `${job.id}, ${job.status}` : undefined],
      ['Pull request', job?.pullRequest ? `${job.pullRequest.link}, ${job.pullRequest.state}` : undefined],
      ['Asked again', check ? `${dayText(check.at)}, ${check.verdict.replace('_', ' ')}` : undefined],
      ...gap.nearest.map(({ title, heading, url }): [string, string] => [
        'Nearest page',
        `${title}${heading === null ? '' : ` – ${heading}`}  ${url}`,
      ]),
    ]),
  ]
}

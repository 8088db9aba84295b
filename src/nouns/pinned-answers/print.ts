import type { Command } from 'commander'
import type { CommandContext } from '../../cli/command-context.ts'
import { facts, styled, table, type Text } from '../../cli/terminal-text.ts'
import { dayText, timeText } from '../../lib/text/time-words.ts'
import { addVerbCommands, verbCommand } from '../../verbs/terminal.ts'
import {
  changePinnedAnswer,
  listPinnedAnswers,
  listWeakAnswers,
  pinAnswer,
  unpinAnswer,
  type PinnedAnswer,
} from './verbs.ts'

export const pinnedAnswerCommands = [
  verbCommand(
    listWeakAnswers,
    { usage: 'weak', description: 'List questions without a good answer' },
    ({ answers }) =>
      table(
        ['TIMES', 'OUTCOME', 'RATED DOWN', 'LAST ASKED', 'QUESTION'],
        answers.map(({ times, outcome, down, askedAt, question }) => [
          String(times),
          outcome,
          String(down),
          timeText(askedAt),
          question,
        ]),
        'No weak answer',
      ),
  ),
  verbCommand(listPinnedAnswers, { usage: 'list', description: 'List pinned answers' }, ({ pinnedAnswers }) =>
    table(
      ['ID', 'USES', 'CHANGED', 'BY', 'QUESTION'],
      pinnedAnswers.map(({ id, uses, changedAt, changedBy, questions }) => [
        id,
        String(uses),
        dayText(changedAt),
        changedBy?.name ?? '',
        questions[0] ?? '',
      ]),
      'No pinned answer',
    ),
  ),
  verbCommand(pinAnswer, { usage: 'pin', description: 'Pin an answer to a question' }, describe),
  verbCommand(
    changePinnedAnswer,
    { usage: 'change <id>', description: 'Change a pinned answer or its questions' },
    describe,
  ),
  verbCommand(
    unpinAnswer,
    { usage: 'remove <id>', description: 'Remove a pinned answer' },
    ({ id }) => `Removed ${id}`,
  ),
]

/** `answer`: answers that the docs team writes itself. */
export function addAnswerCommands(program: Command, open: (command: Command) => CommandContext): void {
  const group = program.command('answer').description('Manage pinned answers: answers that your team writes')
  addVerbCommands(group, open, pinnedAnswerCommands)
}

function describe({ id, questions, answer, ...one }: PinnedAnswer): Text[][] {
  return [
    ...questions.map((question) => [styled('bold', question)]),
    [answer],
    ...facts([
      ['Id', id],
      ['Written', [dayText(one.createdAt), one.author?.name ?? ''].join(' ').trim()],
      ['Changed', [dayText(one.changedAt), one.changedBy?.name ?? ''].join(' ').trim()],
      ['Uses', String(one.uses)],
    ]),
  ]
}

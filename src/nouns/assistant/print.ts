import type { Command } from 'commander'
import type { CommandContext } from '../../cli/command-context.ts'
import type { Answer } from '../../cli/read-answer.ts'
import { facts, stateText, styled, type Text } from '../../cli/terminal-text.ts'
import { addVerbCommands, verbCommand } from '../../verbs/terminal.ts'
import type { tracedAnswer } from './answers.ts'
import { traceAnswer } from './verbs.ts'

export const traceCommands = [
  verbCommand(
    traceAnswer,
    {
      usage: 'trace <question>',
      description: 'Show how the assistant answers a question, without recording it',
      positional: ['question'],
    },
    describeAnswer,
  ),
]

/** `trace`: how an answer comes about. */
export function addTraceCommand(program: Command, open: (command: Command) => CommandContext): void {
  addVerbCommands(program, open, traceCommands)
}

function describeAnswer(answer: Answer<typeof tracedAnswer>): Text[][] {
  const { text, outcome, missing, model, cost, sources, problem, trace } = answer
  return [
    ...text.split('\n').map((line) => [line]),
    [''],
    ...(problem === null ? [] : [[styled('red', problem)]]),
    ...sources.map(({ title, url }) => [styled('bold', title), styled('cyan', `  ${url}`)]),
    [stateText(outcome), missing.length === 0 ? '' : `  not mentioned: ${missing.join(', ')}`],
    [''],
    ...trace.searches.flatMap(({ queries, sections, confidence }) => [
      ...queries.map(({ query, by, found }) => [
        styled('bold', query),
        styled('dim', `  by ${by}, ${found} found, confidence ${confidence.toFixed(2)}`),
      ]),
      ...sections.map(({ title, heading, path, fate, found }) => [
        `  ${found.map(({ score }) => score).join(' ')}  ${heading === null ? title : `${title} › ${heading}`}`,
        styled('dim', `  ${path}${fate === 'shown' ? '' : `, ${fate.replace('_', ' ')}`}`),
      ]),
    ]),
    [''],
    ...trace.problems.map((one) => [styled('yellow', one)]),
    ...trace.calls.map(({ model: name, task, milliseconds, tools }) => [
      `${name}  ${task}${tools.map((tool) => `, ${tool.name}`).join('')}`,
      styled('dim', `  ${milliseconds === null ? 'given up' : `${milliseconds} ms`}`),
    ]),
    ...facts([
      ['Model', model ?? 'none'],
      ['First text', trace.firstText === null ? 'none' : `${trace.firstText} ms`],
      ['Time', `${trace.milliseconds} ms`],
      ['Tokens', `${answer.inputTokens} in, ${answer.outputTokens} out`],
      ['Cost', cost === null ? 'no price known' : `$${cost.toFixed(4)}`],
    ]),
  ]
}

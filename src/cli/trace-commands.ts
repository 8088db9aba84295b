import type { Command } from 'commander'
import { tracedAnswer } from '../nouns/assistant/answers.ts'
import { resolveProject, type CommandContext } from './command-context.ts'
import type { Answer } from './read-answer.ts'
import { facts, stateText, styled, type Text } from './terminal-text.ts'

/** `trace`: how an answer comes about. */
export function addTraceCommand(program: Command, open: (command: Command) => CommandContext): void {
  program
    .command('trace <question>')
    .description('Show how the assistant answers a question, without recording it')
    .option('--project <domain-or-id>', 'project (default: the only project)')
    .option('--model <provider:model>', 'the model that answers')
    .option('--page <path>', 'the page that the reader is on')
    .action(
      async (
        question: string,
        options: { project?: string; model?: string; page?: string },
        command: Command,
      ) => {
        const context = open(command)
        const { id } = await resolveProject(context, options.project)
        const answer = await context.read(tracedAnswer, 'POST', `/v2/insights/${id}/trace`, {
          question,
          model: options.model,
          currentPath: options.page,
        })
        context.print(answer, () => describeAnswer(answer))
      },
    )
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

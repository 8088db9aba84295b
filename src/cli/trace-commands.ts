import { InvalidArgumentError, type Command } from 'commander'
import { beginningOf } from '../lib/text/plain-text.ts'
import { tracedAnswer } from '../nouns/assistant/answers.ts'
import { searchList } from '../nouns/insights/answers.ts'
import { resolveProject, type CommandContext } from './command-context.ts'
import type { Answer } from './read-answer.ts'
import { facts, stateText, styled, table, type Text } from './terminal-text.ts'

/** `trace` and `searches`: how an answer comes about, and what was searched for. */
export function addTraceCommands(program: Command, open: (command: Command) => CommandContext): void {
  const project = ['--project <domain-or-id>', 'project (default: the only project)'] as const
  program
    .command('trace <question>')
    .description('Show how the assistant answers a question, without recording it')
    .option(...project)
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

  program
    .command('searches')
    .description('List searches from the last 30 days, most frequent first')
    .option(...project)
    .option('--result <none|weak>', 'filter by result: none or weak', resultOf)
    .option('--text <text>', 'what the query contains')
    .option('--from <day-or-time>', 'then or later: 2026-01-31, or 2026-01-31T12:00:00Z')
    .option('--to <day-or-time>', 'end date (inclusive) or time (exclusive)')
    .option('--limit <number>', 'maximum number of results, up to 500', '20')
    .action(async (options: Record<string, string>, command: Command) => {
      const context = open(command)
      const { id } = await resolveProject(context, options['project'])
      const wanted = Object.entries(options).filter(([name]) =>
        ['result', 'text', 'from', 'to', 'limit'].includes(name),
      )
      const query = new URLSearchParams(wanted).toString()
      const list = await context.read(searchList, 'GET', `/v2/insights/${id}/searches?${query}`)
      context.print(list, () =>
        table(
          ['SEARCHES', 'WITHOUT RESULT', 'WEAK', 'QUERY'],
          list.searches.map(({ query: text, searches, withoutResult, weak }) => [
            String(searches),
            String(withoutResult),
            String(weak),
            beginningOf(text, 80),
          ]),
          'No search',
        ),
      )
    })
}

function resultOf(text: string): string {
  if (text !== 'none' && text !== 'weak') throw new InvalidArgumentError('It must be none or weak.')
  return text
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

import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { AppError } from '../../lib/errors.ts'
import { timeText } from '../../lib/text/time-words.ts'
import { deletedThreads, insights, threadList, wholeThread, type exchange } from './answers.ts'
import { addVerbCommands, projectPlace, verbCommand } from '../../verbs/terminal.ts'
import { createAnswerJob } from './verbs.ts'
import { pathFromUser, readList, resolveProject, type CommandContext } from '../../cli/command-context.ts'
import { newJobLines } from '../../cli/job-lines.ts'
import type { Answer } from '../../cli/read-answer.ts'
import { facts, stateText, styled, table, type Text, writeRaw } from '../../cli/terminal-text.ts'

type Exchange = Answer<typeof exchange>
type Insights = Answer<typeof insights>

interface Options {
  project?: string
  id?: string
  fp?: string
  output?: string
  json?: boolean
}

export const threadCommands = [
  verbCommand(
    createAnswerJob,
    {
      usage: 'job <id> <question>',
      description: 'Start a job to improve an answer (get the question number from thread show)',
    },
    newJobLines,
  ),
]

/** `insights` and `thread`: what readers asked and searched. */
export function addInsightsCommands(program: Command, open: (command: Command) => CommandContext): void {
  const opened = async (command: Command, { project }: Options) => {
    const context = open(command)
    const { id, domain } = await resolveProject(context, project)
    return { context, domain, path: `/v2/insights/${id}` }
  }
  const withProject = (command: Command): Command =>
    command.option('--project <domain-or-id>', 'project (default: the only project)')
  const withRange = (command: Command): Command =>
    withProject(command)
      .option(
        '--from <day-or-time>',
        'start date or time (inclusive), for example 2026-01-31 or 2026-01-31T12:00:00Z',
      )
      .option('--to <day-or-time>', 'end date (inclusive) or time (exclusive)')
  const withFilter = (command: Command): Command =>
    withRange(command)
      .option('--outcome <outcome>', 'such as answered or unanswered')
      .option('--caller <caller>', 'web, widget, api or mcp')
      .option('--rating <up|down>', 'what a reader thought of an answer')
      .option('--page <page>', 'the page that the reader was on, or that an answer cites')
      .option('--text <text>', 'what a question or its answer contains')
      .option('--fp <fingerprint>', 'reader ID (the fp value sent by the client)')

  withRange(program.command('insights'))
    .description('Show assistant usage for the last 30 days or a date range')
    .option('--interval <interval>', 'day, week or month')
    .option('--limit <number>', 'maximum number of results entries in each list', '10')
    .action(async (options: Options, command: Command) => {
      const { context, path } = await opened(command, options)
      const counted = await context.read(insights, 'GET', `${path}?${queryOf(options)}`)
      context.print(counted, () => describeInsights(counted))
    })

  const thread = program.command('thread').description('conversations of the assistant')

  withFilter(thread.command('list'))
    .description('the newest questions first')
    .option('--limit <number>', 'maximum number of results', '20')
    .action(async (options: Options, command: Command) => {
      const { context, path } = await opened(command, options)
      const query = new URLSearchParams(queryOf(options))
      const list = await readList(
        (page) => context.read(threadList, 'GET', `${path}/threads?${page.toString()}`),
        query,
        {
          limit: Number(query.get('limit')),
          most: 500,
          entriesOf: ({ threads }) => threads,
        },
      )
      context.print(list, () =>
        table(
          ['ID', 'LAST QUESTION AT', 'QUESTIONS', 'ANSWER', 'RATED', 'LAST QUESTION'],
          list.threads.map((one) => [
            one.id,
            timeText(one.updatedAt),
            String(one.questions),
            stateText(one.outcome ?? ''),
            ratingsOf(one.feedback),
            shortened(one.lastQuestion),
          ]),
          'No conversation',
        ),
      )
    })

  withProject(thread.command('show <id>'))
    .description('one conversation, oldest question first')
    .action(async (id: string, options: Options, command: Command) => {
      const { context, path } = await opened(command, options)
      const exchanges: Exchange[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const query = cursor === '' ? '' : `?cursor=${cursor}`
        const address = `${path}/threads/${encodeURIComponent(id)}${query}`
        const page: Answer<typeof wholeThread> = await context.read(wholeThread, 'GET', address)
        exchanges.push(...page.exchanges)
        cursor = page.nextCursor
      }
      context.print({ id, exchanges }, () => exchanges.flatMap(describeExchange))
    })

  withFilter(thread.command('export'))
    .description('questions with answers, citations and feedback, oldest first')
    .option('--format <format>', 'jsonl or csv', 'jsonl')
    .option('--output <file>', 'write them into this file')
    .action(async ({ output, ...options }: Options, command: Command) => {
      const { context, path } = await opened(command, options)
      const { body } = await context.request('GET', `${path}/export?${queryOf(options)}`)
      if (body === null) return
      if (output !== undefined) {
        await pipeline(Readable.fromWeb(body), createWriteStream(pathFromUser(output)))
        context.note(`Written to ${output}`)
        return
      }
      await writeRaw(body, process.stdout)
    })

  addVerbCommands(thread, open, threadCommands, projectPlace('project (default: the only project)'))

  withProject(thread.command('delete'))
    .description('Delete a conversation, or all data from one reader')
    .option('--id <thread>', 'id of the thread')
    .option('--fp <fingerprint>', 'reader ID (the fp value sent by the client)')
    .action(async (options: Options, command: Command) => {
      if ((options.id === undefined) === (options.fp === undefined))
        throw new AppError('invalid', 'Name either a thread with --id or a person with --fp')
      const { context, path } = await opened(command, options)
      const result = await context.read(deletedThreads, 'DELETE', `${path}/threads?${queryOf(options)}`)
      context.print(result, () => `Deleted ${result.deleted}`)
    })
}

const notAsked = new Set(['project', 'json', 'data'])

function queryOf(options: Options): string {
  return new URLSearchParams(Object.entries(options).filter(([name]) => !notAsked.has(name))).toString()
}

function describeInsights({ from, to, totals, ...lists }: Insights): Text[][] {
  const { searches, latency, feedback } = totals
  const milliseconds = (value: number | null): string => (value === null ? '–' : `${value} ms`)
  const unanswered = countsOf(totals.causes)
  const reasons = countsOf(totals.reasons)
  const eventful = lists.series.filter((one) => one.questions + one.searches.total > 0)
  return [
    [styled('dim', `${timeText(from)} to ${timeText(to)}`)],
    [''],
    ...facts([
      ['Conversations', String(totals.conversations)],
      ['Questions', `${totals.questions}${inBrackets(callersOf(totals.callers, 'questions'))}`],
      ['Answers', countsOf(totals.outcomes) || 'none'],
      ['Unanswered', unanswered || undefined],
      ['Feedback', `${feedback.up} up, ${feedback.down} down${inBrackets(reasons)}`],
      ['Searches', `${searches.total}${inBrackets(callersOf(totals.callers, 'searches'))}`],
      ['Without result', String(searches.withoutResult)],
      ['Time to answer', `p50 ${milliseconds(latency.p50)}, p95 ${milliseconds(latency.p95)}`],
    ]),
    ...listed('', ['FROM', 'QUESTIONS', 'ANSWERED', 'SEARCHES'], eventful, (one) => [
      one.start,
      String(one.questions),
      String(one.outcomes['answered'] ?? 0),
      String(one.searches.total),
    ]),
    ...listed('Cited most', ['TIMES', 'SECTION', 'ADDRESS'], lists.sections, (one) => [
      String(one.citations),
      shortened(one.title),
      one.url,
    ]),
    ...listed('Searched with no results', ['TIMES', 'QUERY'], lists.queriesWithoutResult, (one) => [
      String(one.searches),
      shortened(one.query),
    ]),
    ...listed('Models', ['MODEL', 'CALLS', 'IN', 'OUT', 'US$'], lists.usage, (one) => [
      one.model,
      String(one.calls),
      String(one.inputTokens),
      String(one.outputTokens),
      one.cost === null ? 'unknown' : one.cost.toFixed(4),
    ]),
  ]
}

function listed<Row>(title: string, header: string[], rows: Row[], cells: (row: Row) => string[]): Text[][] {
  if (rows.length === 0) return []
  return [[''], ...(title === '' ? [] : [[styled('bold', title)]]), ...table(header, rows.map(cells), 'None')]
}

function describeExchange(one: Exchange): Text[][] {
  const where = one.page === null ? one.caller : `${one.caller}, ${one.page}`
  const missing = one.missing.length === 0 ? '' : `not mentioned: ${one.missing.join(', ')}`
  return [
    [styled('dim', `${one.n}  ${timeText(one.askedAt)}  ${one.fp}  ${where}`)],
    ...one.context.flatMap(({ value }) => value.split('\n').map((line) => [styled('dim', `> ${line}`)])),
    ...(one.question || '(text not kept)').split('\n').map((line) => [styled('bold', line)]),
    ...(one.outcome === null ? [] : (one.answer || '(no text)').split('\n').map((line) => [line])),
    ...one.sources.map(({ title, url }) => [styled('cyan', `  ${title}  ${url}`)]),
    [
      stateText(one.outcome ?? 'no answer'),
      styled(
        'dim',
        [one.cause, missing || null, one.model, one.milliseconds === null ? null : `${one.milliseconds} ms`]
          .filter((part) => part !== null)
          .map((part) => `  ${part}`)
          .join(''),
      ),
    ],
    ...one.feedback.map(({ rating, reason, note }) => [
      `rated ${rating}${reason === null ? '' : `, ${reason}`}${note === null ? '' : `: ${note}`}`,
    ]),
    [''],
  ]
}

function ratingsOf({ up, down }: { up: number; down: number }): string {
  return [up > 0 ? `${up} up` : '', down > 0 ? `${down} down` : ''].filter((part) => part !== '').join(', ')
}

function countsOf(counts: Record<string, number>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`)
    .join(', ')
}

function callersOf(callers: Insights['totals']['callers'], what: 'questions' | 'searches'): string {
  return countsOf(Object.fromEntries(Object.entries(callers).map(([name, counts]) => [name, counts[what]])))
}

function inBrackets(text: string): string {
  return text === '' ? '' : ` (${text})`
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { beginningOf } from '../../lib/text/plain-text.ts'
import { timeText } from '../../lib/text/time-words.ts'
import type { exchange, insights } from './answers.ts'
import { addVerbCommands, ask, projectPlace, verbCommand, verbOptions } from '../../verbs/terminal.ts'
import { createAnswerJob, deleteThreads, getInsights, getThread, listSearches, listThreads } from './verbs.ts'
import { pathFromUser, readList, resolveProject, type CommandContext } from '../../cli/command-context.ts'
import { wholeNumber } from '../../cli/typed-number.ts'
import { newJobLines } from '../../cli/job-lines.ts'
import type { Answer } from '../../cli/read-answer.ts'
import { facts, stateText, styled, table, type Text, writeRaw } from '../../cli/terminal-text.ts'

type Exchange = Answer<typeof exchange>
type Insights = Answer<typeof insights>

export const threadCommands = [
  verbCommand(
    createAnswerJob,
    {
      usage: 'job <id> <question>',
      description: 'Start a job to improve an answer (get the question number from thread show)',
    },
    newJobLines,
  ),
  verbCommand(
    deleteThreads,
    {
      usage: 'delete',
      description: 'Delete a conversation, or all data from one reader',
    },
    ({ deleted }) => `Deleted ${deleted}`,
  ),
]

export const searchCommands = [
  verbCommand(
    listSearches,
    {
      usage: 'searches',
      description: 'List searches from the last 30 days, most frequent first',
    },
    ({ searches }) =>
      table(
        ['SEARCHES', 'WITHOUT RESULT', 'WEAK', 'QUERY'],
        searches.map(({ query, searches: count, withoutResult, weak }) => [
          String(count),
          String(withoutResult),
          String(weak),
          beginningOf(query, 80),
        ]),
        'No search',
      ),
  ),
]

export const insightCommands = [
  verbCommand(
    getInsights,
    { usage: 'insights', description: 'Show assistant usage for the last 30 days or a date range' },
    describeInsights,
  ),
]

interface Options {
  project?: string
}

const inProject = ['--project <domain-or-id>', 'project (default: the only project)'] as const
const places = projectPlace(inProject[1])

/** `searches`: what was searched for. */
export function addSearchesCommand(program: Command, open: (command: Command) => CommandContext): void {
  addVerbCommands(program, open, searchCommands, places)
}

/** `insights` and `thread`: what readers asked. */
export function addInsightsCommands(program: Command, open: (command: Command) => CommandContext): void {
  const opened = async (command: Command, { project }: Options) => {
    const context = open(command)
    const { id } = await resolveProject(context, project)
    return { context, projectId: id }
  }

  addVerbCommands(program, open, insightCommands, places)
  const thread = program.command('thread').description('Manage assistant conversations')

  const list = thread.command('list').option(...inProject)
  const listed = verbOptions(list, listThreads)
  list
    .description('List questions, newest first')
    .option('--limit <number>', 'maximum number of results', wholeNumber(1, 99_999), 20)
    .action(async ({ limit, ...options }: Options & { limit: number }, command: Command) => {
      const { context, projectId } = await opened(command, options)
      const filter = listed()
      const page = await readList((part) => ask(context, listThreads, { ...filter, ...part, projectId }), {
        limit,
        most: 500,
        entriesOf: ({ threads }) => threads,
      })
      context.print(page, () =>
        table(
          ['ID', 'LAST QUESTION AT', 'QUESTIONS', 'ANSWER', 'RATED', 'LAST QUESTION'],
          page.threads.map((one) => [
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

  thread
    .command('show <id>')
    .option(...inProject)
    .description('Show a conversation, oldest question first')
    .action(async (id: string, options: Options, command: Command) => {
      const { context, projectId } = await opened(command, options)
      const { exchanges } = await readList(
        (part) => ask(context, getThread, { ...part, projectId, thread: id }),
        { limit: Infinity, most: 200, entriesOf: (page) => page.exchanges },
      )
      context.print({ id, exchanges }, () => exchanges.flatMap(describeExchange))
    })

  const exported = thread.command('export').option(...inProject)
  const exportedOnly = verbOptions(exported, listThreads)
  exported
    .description('Export questions with their answers, citations, and feedback, oldest first')
    .option('--format <format>', 'jsonl or csv', 'jsonl')
    .option('--output <file>', 'write them into this file')
    .action(
      async (
        { output, format, ...options }: Options & { output?: string; format: string },
        command: Command,
      ) => {
        const { context, projectId } = await opened(command, options)
        const query = queryOf({ ...exportedOnly(), format })
        const { body } = await context.request('GET', `/v2/insights/${projectId}/export?${query}`)
        if (body === null) return
        if (output !== undefined) {
          await pipeline(Readable.fromWeb(body), createWriteStream(pathFromUser(output)))
          context.note(`Written to ${output}`)
          return
        }
        await writeRaw(body, process.stdout)
      },
    )

  addVerbCommands(thread, open, threadCommands, places)
}

function queryOf(wanted: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(wanted).map(([name, value]): [string, string] => [name, String(value)])
  return new URLSearchParams(texts).toString()
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

import type { Command } from 'commander'
import { AppError } from '../lib/errors.ts'
import { timeText } from '../lib/text/time-words.ts'
import { jobBody } from '../nouns/jobs/answers.ts'
import { comments, commits } from '../nouns/reviews/answers.ts'
import type { CommandContext } from './command-context.ts'
import { pathOfJob } from './job-commands.ts'
import type { Answer } from './read-answer.ts'
import { styled, table, type Text } from './terminal-text.ts'

interface JobOptions {
  project?: string
}

/** Commands below `job` for reviewing what a job has changed. */
export function addReviewCommands(job: Command, open: (command: Command) => CommandContext): void {
  const define = (usage: string, description: string): Command =>
    job
      .command(usage)
      .description(description)
      .option('--project <domain-or-id>', 'its project (default: the only one, or the one that has the job)')

  define('comments <id>', 'what was said about lines of its changes').action(
    async (id: string, options: JobOptions, command: Command) => {
      const context = open(command)
      const path = await pathOfJob(context, id, options.project)
      const page = await context.read(comments, 'GET', `${path}/comments`)
      context.print(page, () => describe(page.comments))
    },
  )

  define('comment <id> <path:line> <text>', 'comment on a line, or on lines as in a.md:3-5')
    .option('--old', 'lines of the file as it was before the change')
    .action(
      async (
        id: string,
        place: string,
        body: string,
        options: JobOptions & { old?: true },
        command: Command,
      ) => {
        const context = open(command)
        const sent = { ...placeOf(place), side: options.old ? 'old' : 'new', body }
        const path = await pathOfJob(context, id, options.project)
        const page = await context.read(comments, 'POST', `${path}/comments`, sent)
        context.print(page, () => describe(page.comments))
      },
    )

  const change = (name: string, description: string, method: string, body?: object): void => {
    define(`${name} <id> <comment>`, description).action(
      async (id: string, comment: string, options: JobOptions, command: Command) => {
        const context = open(command)
        const path = `${await pathOfJob(context, id, options.project)}/comments/${encodeURIComponent(comment)}`
        const page = await context.read(comments, method, path, body)
        context.print(page, () => describe(page.comments))
      },
    )
  }
  change('uncomment', 'delete a comment that was not sent', 'DELETE')
  change('resolve', 'mark a comment as resolved', 'PATCH', { resolved: true })

  define('send-comments <id> [remark]', 'send all comments to the agent as one follow-up').action(
    async (id: string, remark: string | undefined, options: JobOptions, command: Command) => {
      const context = open(command)
      const path = await pathOfJob(context, id, options.project)
      const job = await context.read(jobBody, 'POST', `${path}/comments/send`, { remark })
      context.print(job, () => 'Sent: the job works on the comments')
    },
  )

  define('commits <id>', 'the commits of its branch, newest first').action(
    async (id: string, options: JobOptions, command: Command) => {
      const context = open(command)
      const path = await pathOfJob(context, id, options.project)
      const page = await context.read(commits, 'GET', `${path}/commits`)
      context.print(page, () =>
        table(
          ['COMMIT', 'DATE', 'AUTHOR', 'TITLE'],
          page.commits.map((one) => [
            one.id.slice(0, 9),
            timeText(one.date),
            [one.author, ...one.coAuthors].join(', '),
            one.title,
          ]),
          'No commit',
        ),
      )
    },
  )
}

function placeOf(text: string): { path: string; line: number; endLine: number } {
  const [, path, line, end] = /^(.+):(\d{1,7})(?:-(\d{1,7}))?$/s.exec(text) ?? []
  if (path === undefined)
    throw new AppError(
      'invalid',
      'Name the line as guides/retries.mdx:12, or lines as guides/retries.mdx:12-14',
    )
  return { path, line: Number(line), endLine: Number(end ?? line) }
}

function describe(found: Answer<typeof comments>['comments']): Text[][] | string {
  if (found.length === 0) return 'No comment'
  return found.flatMap(({ id, author, path, side, line, endLine, quote, body, state, outdated }) => [
    [
      styled('bold', `${path}:${line}${endLine > line ? `-${endLine}` : ''}`),
      side === 'old' ? ' before the change' : '',
      styled('dim', `  ${state}${outdated ? ', outdated' : ''}  ${author}  ${id}`),
    ],
    ...quote.split('\n').map((one) => [styled('dim', `  > ${one}`)]),
    ...body.split('\n').map((one) => [`  ${one}`]),
  ])
}

import type { Command } from 'commander'
import type { CommandContext } from '../../cli/command-context.ts'
import type { Answer } from '../../cli/read-answer.ts'
import { styled, table, type Text } from '../../cli/terminal-text.ts'
import { AppError } from '../../lib/errors.ts'
import { timeText } from '../../lib/text/time-words.ts'
import { addVerbCommands, ask, verbCommand } from '../../verbs/terminal.ts'
import { inProject, placesOfJob, projectOfJob } from '../jobs/print.ts'
import {
  addJobComment,
  changeJobComment,
  deleteJobComment,
  listJobComments,
  listJobCommits,
  sendJobComments,
} from './verbs.ts'

type Comments = Answer<(typeof listJobComments)['output']>

const all = verbCommand(
  listJobComments,
  { usage: 'comments <id>', description: 'List review comments' },
  describe,
)
const others = [
  verbCommand(
    deleteJobComment,
    { usage: 'uncomment <id> <comment>', description: 'Delete an unsent comment' },
    describe,
  ),
  verbCommand(
    changeJobComment,
    { usage: 'resolve <id> <comment>', description: 'Resolve a comment', given: { resolved: true } },
    describe,
  ),
  verbCommand(
    sendJobComments,
    {
      usage: 'send-comments <id> [remark]',
      description: 'Send all comments to the agent as one follow-up',
      positional: ['remark'],
    },
    () => 'Sent: the job works on the comments',
  ),
  verbCommand(
    listJobCommits,
    { usage: 'commits <id>', description: 'List commits, newest first' },
    ({ commits }) =>
      table(
        ['COMMIT', 'DATE', 'AUTHOR', 'TITLE'],
        commits.map((one) => [
          one.id.slice(0, 9),
          timeText(one.date),
          [one.author, ...one.coAuthors].join(', '),
          one.title,
        ]),
        'No commit',
      ),
  ),
]
export const reviewCommands = [all, ...others]

/** Commands below `job` for reviewing what a job has changed. */
export function addReviewCommands(job: Command, open: (command: Command) => CommandContext): void {
  addVerbCommands(job, open, [all], placesOfJob)
  job
    .command('comment <id> <path:line> <text>')
    .description('Comment on a line, or on several lines (a.md:3-5)')
    .option(...inProject)
    .option('--old', 'comment on the old version of the file')
    .action(
      async (
        id: string,
        place: string,
        body: string,
        options: { project?: string; old?: true },
        command: Command,
      ) => {
        const context = open(command)
        const { id: projectId } = await projectOfJob(context, id, options.project)
        const side = options.old ? 'old' : 'new'
        const page = await ask(context, addJobComment, { projectId, id, ...placeOf(place), side, body })
        context.print(page, () => describe(page))
      },
    )
  addVerbCommands(job, open, others, placesOfJob)
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

function describe({ comments: list }: Comments): Text[][] | string {
  if (list.length === 0) return 'No comment'
  return list.flatMap(({ id, author, path, side, line, endLine, quote, body, state, outdated }) => [
    [
      styled('bold', `${path}:${line}${endLine > line ? `-${endLine}` : ''}`),
      side === 'old' ? ' before the change' : '',
      styled('dim', `  ${state}${outdated ? ', outdated' : ''}  ${author}  ${id}`),
    ],
    ...quote.split('\n').map((one) => [styled('dim', `  > ${one}`)]),
    ...body.split('\n').map((one) => [`  ${one}`]),
  ])
}

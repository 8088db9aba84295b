import { Option, type Command } from 'commander'
import { resolveProject, type CommandContext } from '../../cli/command-context.ts'
import type { Answer } from '../../cli/read-answer.ts'
import { diffLines, facts, stateText, table, type Text } from '../../cli/terminal-text.ts'
import { mergeStyles } from '../../integrations/forges/merging.ts'
import { AppError } from '../../lib/errors.ts'
import { addVerbCommands, projectPlace, verbCommand } from '../../verbs/terminal.ts'
import { pullDetail } from './answers.ts'
import { addComment, closePullRequest, getPullRequest, listPullRequests, reopenPullRequest } from './verbs.ts'

const list = verbCommand(
  listPullRequests,
  { usage: 'list', description: 'newest first' },
  ({ pullRequests }) =>
    table(
      ['NUMBER', 'STATE', 'BRANCH', 'TITLE'],
      pullRequests.map((one) => [String(one.number), stateText(one.state), one.head, one.title]),
      'No pull request',
    ),
)
const show = verbCommand(
  getPullRequest,
  { usage: 'show <number>', description: 'Show a pull request and its merge status' },
  describe,
)
const closed = verbCommand(
  closePullRequest,
  { usage: 'close <number>', description: 'close it without merging' },
  describe,
)
const reopened = verbCommand(
  reopenPullRequest,
  { usage: 'reopen <number>', description: 'open a closed one again' },
  describe,
)
const comment = verbCommand(
  addComment,
  {
    usage: 'comment <number> <text>',
    description: 'Comment on a pull request (the agent reads it with the next follow-up)',
    positional: ['body'],
  },
  (_, __, { number }) => `Commented on #${number}`,
)
export const pullCommands = [list, show, closed, reopened, comment]

interface PullOptions {
  project?: string
}

export function addPullCommands(program: Command, open: (command: Command) => CommandContext): void {
  const pull = program
    .command('pull')
    .description('pull requests: all of repositories on this server, those of jobs at a git host')
  const project = 'its project (default: the only one)'
  const places = projectPlace(project)
  const define = (usage: string, description: string): Command =>
    pull.command(usage).description(description).option('--project <domain-or-id>', project)

  addVerbCommands(pull, open, [list, show], places)
  define('merge <number>', 'Merge a pull request, at a git host by its rules')
    .option('--draft', 'merge even if it’s a draft')
    .addOption(
      new Option('--style <style>', 'how (default: what the repository merges with)').choices(mergeStyles),
    )
    .action(
      async (
        number: string,
        options: PullOptions & { draft?: boolean; style?: string },
        command: Command,
      ) => {
        const context = open(command)
        const path = await pathOf(context, options, number)
        const { draft, state, headCommit, link } = await context.read(pullDetail, 'GET', path)
        if (draft && state === 'open') requireDraft(number, link, options.draft)
        // What was looked at is merged, and nothing that came in between.
        const wish = new URLSearchParams({ headCommit, ...(options.style && { style: options.style }) })
        const merged = await context.read(pullDetail, 'POST', `${path}/merge?${wish.toString()}`)
        context.print(merged, () => describe(merged))
      },
    )
  addVerbCommands(pull, open, [closed, reopened], places)
  define('diff <number>', 'what it changes').action(
    async (number: string, options: PullOptions, command: Command) => {
      const context = open(command)
      const path = `${await pathOf(context, options, number)}/diff`
      const diff = await (await context.request('GET', path)).text()
      context.print({ diff }, () => diffLines(diff))
    },
  )
  addVerbCommands(pull, open, [comment], places)
}

function requireDraft(number: string, link: string | null, isWanted: boolean | undefined): void {
  if (link !== null)
    throw new AppError(
      'conflict',
      `Pull request ${number} is a draft, which its host does not merge: mark it as ready at ${link}`,
    )
  if (isWanted !== true)
    throw new AppError(
      'conflict',
      `Pull request ${number} is a draft. Fix the problems in its description, or merge anyway with --draft`,
    )
}

/** The API path of a pull request. */
async function pathOf(context: CommandContext, { project }: PullOptions, number: string): Promise<string> {
  const { domain } = await resolveProject(context, project)
  return `/admin/projects/${domain}/pulls/${encodeURIComponent(number)}`
}

const verdicts: Record<string, string> = {
  ready: 'can be merged',
  not_yet: 'should not be merged yet',
  blocked: 'cannot be merged now',
}

function describe({
  number,
  title,
  state,
  head,
  base,
  draft,
  judgement,
}: Answer<typeof pullDetail>): Text[][] {
  const isOpen = state === 'open'
  return facts([
    ['number', String(number)],
    ['title', title],
    [
      'state',
      [
        stateText(state),
        isOpen && draft ? ', draft' : '',
        isOpen ? `, ${verdicts[judgement.verdict] ?? ''}` : '',
      ],
    ],
    ['branch', `${head} into ${base}`],
    ...judgement.reasons.map(({ weight, message }) => [weight, message] as const),
  ])
}

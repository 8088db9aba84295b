import { Option, type Command } from 'commander'
import { resolveProject, type CommandContext } from '../../cli/command-context.ts'
import type { Answer } from '../../cli/read-answer.ts'
import { diffLines, facts, stateText, table, type Text } from '../../cli/terminal-text.ts'
import { mergeStyles } from '../../integrations/forges/merging.ts'
import { AppError } from '../../lib/errors.ts'
import { addVerbCommands, ask, projectPlace, verbCommand } from '../../verbs/terminal.ts'
import {
  addComment,
  closePullRequest,
  getPullRequest,
  listPullRequests,
  mergePullRequest,
  reopenPullRequest,
} from './verbs.ts'

const list = verbCommand(
  listPullRequests,
  { usage: 'list', description: 'List pull requests, newest first' },
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
  { usage: 'close <number>', description: 'Close a pull request without merging it' },
  describe,
)
const reopened = verbCommand(
  reopenPullRequest,
  { usage: 'reopen <number>', description: 'Reopen a closed pull request' },
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
    .description('Manage pull requests (on a git host, only those opened by jobs)')
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
        const place = { number, domain: (await resolveProject(context, options.project)).domain }
        const { draft, state, headCommit, link } = await ask(context, getPullRequest, place)
        if (draft && state === 'open') requireDraft(number, link, options.draft)
        // What was looked at is merged, and nothing that came in between.
        const merged = await ask(context, mergePullRequest, { ...place, headCommit, style: options.style })
        context.print(merged, () => describe(merged))
      },
    )
  addVerbCommands(pull, open, [closed, reopened], places)
  define('diff <number>', 'Show the diff').action(
    async (number: string, options: PullOptions, command: Command) => {
      const context = open(command)
      const { domain } = await resolveProject(context, options.project)
      const path = `/admin/projects/${domain}/pulls/${encodeURIComponent(number)}/diff`
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
}: Answer<(typeof getPullRequest)['output']>): Text[][] {
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

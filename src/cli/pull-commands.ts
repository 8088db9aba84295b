import { Option, type Command } from 'commander'
import { mergeStyles } from '../integrations/forges/merging.ts'
import { AppError } from '../lib/errors.ts'
import { pullComments, pullDetail, pullList } from '../nouns/pulls/answers.ts'
import { resolveProject, type CommandContext } from './command-context.ts'
import type { Answer } from './read-answer.ts'
import { diffLines, facts, stateText, table, type Text } from './terminal-text.ts'

interface PullOptions {
  project?: string
}

export function addPullCommands(program: Command, open: (command: Command) => CommandContext): void {
  const pull = program
    .command('pull')
    .description('pull requests: all of repositories on this server, those of jobs at a git host')
  const define = (usage: string, description: string): Command =>
    pull
      .command(usage)
      .description(description)
      .option('--project <domain-or-id>', 'its project (default: the only one)')

  define('list', 'newest first')
    .option('--state <state>', 'open, merged or closed')
    .action(async (options: PullOptions & { state?: string }, command: Command) => {
      const context = open(command)
      const query =
        options.state === undefined ? '' : `?${new URLSearchParams({ state: options.state }).toString()}`
      const page = await context.read(pullList, 'GET', `${await pullsOf(context, options)}${query}`)
      context.print(page, () =>
        table(
          ['NUMBER', 'STATE', 'BRANCH', 'TITLE'],
          page.pullRequests.map((one) => [String(one.number), stateText(one.state), one.head, one.title]),
          'No pull request',
        ),
      )
    })

  const act = (name: string, description: string, method: string, path: string): void => {
    define(`${name} <number>`, description).action(
      async (number: string, options: PullOptions, command: Command) => {
        const context = open(command)
        const pull = await context.read(
          pullDetail,
          method,
          `${await pullsOf(context, options, number)}${path}`,
        )
        context.print(pull, () => describe(pull))
      },
    )
  }
  act('show', 'one pull request, and whether it can be merged', 'GET', '')
  define('merge <number>', 'merge it into its base, at a git host by its rules')
    .option('--draft', 'also when it is a draft')
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
        const path = await pullsOf(context, options, number)
        const { draft, state, headCommit, link } = await context.read(pullDetail, 'GET', path)
        if (draft && state === 'open') requireDraft(number, link, options.draft)
        // What was looked at is merged, and nothing that came in between.
        const wish = new URLSearchParams({ headCommit, ...(options.style && { style: options.style }) })
        const merged = await context.read(pullDetail, 'POST', `${path}/merge?${wish.toString()}`)
        context.print(merged, () => describe(merged))
      },
    )
  act('close', 'close it without merging', 'POST', '/close')
  act('reopen', 'open a closed one again', 'POST', '/reopen')

  define('diff <number>', 'what it changes').action(
    async (number: string, options: PullOptions, command: Command) => {
      const context = open(command)
      const path = `${await pullsOf(context, options, number)}/diff`
      const diff = await (await context.request('GET', path)).text()
      context.print({ diff }, () => diffLines(diff))
    },
  )

  define('comment <number> <text>', 'say what the agent should know with the next follow-up').action(
    async (number: string, body: string, options: PullOptions, command: Command) => {
      const context = open(command)
      const path = `${await pullsOf(context, options, number)}/comments`
      const comments = await context.read(pullComments, 'POST', path, { body })
      context.print(comments, () => `Commented on #${number}`)
    },
  )
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
      `Pull request ${number} is a draft, and its text says what is left to do: mend that, or merge it all the same with --draft`,
    )
}

/** The API path of a project's pull requests, or of one of them. */
async function pullsOf(context: CommandContext, { project }: PullOptions, number?: string): Promise<string> {
  const { domain } = await resolveProject(context, project)
  return `/admin/projects/${domain}/pulls${number === undefined ? '' : `/${encodeURIComponent(number)}`}`
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

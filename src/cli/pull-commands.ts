import type { Command } from 'commander'
import { resolveProject, table } from './command-context.ts'
import type { CommandContext } from './command-context.ts'

interface ListedPull {
  number: number
  title: string
  state: string
  head: string
  base: string
  mergeability?: { state: string; conflicts: string[] }
}

interface PullOptions {
  project?: string
}

export function addPullCommands(program: Command, open: (command: Command) => CommandContext): void {
  const pull = program.command('pull').description('pull requests of repositories on this server')
  const define = (usage: string, description: string): Command =>
    pull
      .command(usage)
      .description(description)
      .option('--project <domain-or-id>', 'its project (default: the only one)')

  define('list', 'newest first')
    .option('--state <state>', 'open, merged or closed')
    .action(async (options: PullOptions & { state?: string }, command: Command) => {
      const context = open(command)
      const query = options.state === undefined ? '' : `?${new URLSearchParams({ state: options.state })}`
      const page = await context.json<{ pullRequests: ListedPull[] }>(
        'GET',
        `${await pullsOf(context, options)}${query}`,
      )
      context.print(page, () =>
        table(
          ['NUMBER', 'STATE', 'BRANCH', 'TITLE'],
          page.pullRequests.map((one) => [String(one.number), one.state, one.head, one.title]),
        ),
      )
    })

  const act = (name: string, description: string, method: string, path: string): void => {
    define(`${name} <number>`, description).action(
      async (number: string, options: PullOptions, command: Command) => {
        const context = open(command)
        const one = `${await pullsOf(context, options)}/${encodeURIComponent(number)}`
        const shown = await context.json<ListedPull>(method, `${one}${path}`)
        context.print(shown, () => describe(shown))
      },
    )
  }
  act('show', 'one pull request, and whether it can be merged', 'GET', '')
  act('merge', 'merge it into its base', 'POST', '/merge')
  act('close', 'close it without merging', 'POST', '/close')

  define('diff <number>', 'what it changes').action(
    async (number: string, options: PullOptions, command: Command) => {
      const context = open(command)
      const one = `${await pullsOf(context, options)}/${encodeURIComponent(number)}`
      const diff = await (await context.request('GET', `${one}/diff`)).text()
      context.print({ diff }, () => diff.trimEnd())
    },
  )

  define('comment <number> <text>', 'say what the agent should know with the next follow-up').action(
    async (number: string, body: string, options: PullOptions, command: Command) => {
      const context = open(command)
      const one = `${await pullsOf(context, options)}/${encodeURIComponent(number)}`
      const told = await context.json('POST', `${one}/comments`, { body })
      context.print(told, () => `Commented on #${number}`)
    },
  )
}

async function pullsOf(context: CommandContext, { project }: PullOptions): Promise<string> {
  return `/admin/projects/${(await resolveProject(context, project)).domain}/pulls`
}

function describe({ number, title, state, head, base, mergeability }: ListedPull): string[] {
  const conflicts = mergeability?.conflicts ?? []
  return [
    `number  ${number}`,
    `title   ${title}`,
    `state   ${state}${state === 'open' ? `, ${mergeability?.state ?? ''}` : ''}`,
    `branch  ${head} into ${base}`,
    ...conflicts.map((path) => `both    ${path}`),
  ]
}

import type { Command } from 'commander'
import type { CommandContext } from './command-context.ts'

export function addSignInCommand(program: Command, open: (command: Command) => CommandContext): void {
  program
    .command('sign-in')
    .description('make a one-time link to the dashboard, good for a day')
    .action(async (_options: unknown, command: Command) => {
      const context = open(command)
      const link = await context.json<{ url: string }>('POST', '/admin/sign-in-links', {})
      context.print(link, () => link.url)
    })
}

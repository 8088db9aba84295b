import type { Command } from 'commander'
import { table } from './command-context.ts'
import type { CommandContext } from './command-context.ts'

interface ListedOrganization {
  id: string
  name: string
  default: boolean
  createdAt: string
}

export function addOrganizationCommands(program: Command, open: (command: Command) => CommandContext): void {
  const organization = program.command('organization').description('owners of projects and admin keys')

  organization
    .command('add <name>')
    .description('make an organization')
    .option('--json', 'print JSON')
    .action(async (name: string, _options: unknown, command: Command) => {
      const context = open(command)
      const made = await (
        await context.client()
      ).json<ListedOrganization>('POST', '/admin/organizations', { name })
      context.print(made, () => made.id)
    })

  organization
    .command('list')
    .description('all organizations')
    .option('--json', 'print JSON')
    .action(async (_options: unknown, command: Command) => {
      const context = open(command)
      const all = await (await context.client()).json<ListedOrganization[]>('GET', '/admin/organizations')
      context.print(all, () =>
        table(
          ['ID', 'NAME', ''],
          all.map((one) => [one.id, one.name, one.default ? 'default' : '']),
        ),
      )
    })
}

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
    .action(async (name: string, _options: unknown, command: Command) => {
      const context = open(command)
      const made = await context.json<ListedOrganization>('POST', '/admin/organizations', { name })
      context.print(made, () => made.id)
    })

  organization
    .command('list')
    .description('all organizations')
    .action(async (_options: unknown, command: Command) => {
      const context = open(command)
      const all = await context.json<ListedOrganization[]>('GET', '/admin/organizations')
      context.print(all, () =>
        table(
          ['ID', 'NAME', ''],
          all.map((one) => [one.id, one.name, one.default ? 'default' : '']),
        ),
      )
    })
}

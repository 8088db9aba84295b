import type { Command } from 'commander'
import type { CommandContext } from '../../../cli/command-context.ts'
import { table } from '../../../cli/terminal-text.ts'
import { addVerbCommands, verbCommand } from '../../../verbs/terminal.ts'
import { addOrganization, listOrganizations } from './verbs.ts'

export const organizationCommands = [
  verbCommand(
    addOrganization,
    { usage: 'add <name>', description: 'Create an organization', positional: ['name'] },
    ({ id }) => id,
  ),
  verbCommand(listOrganizations, { usage: 'list', description: 'List organizations' }, (all) =>
    table(
      ['ID', 'NAME', ''],
      all.map((one) => [one.id, one.name, one.default ? 'default' : '']),
      'No organization',
    ),
  ),
]

export function addOrganizationCommands(program: Command, open: (command: Command) => CommandContext): void {
  const group = program.command('organization').description('Manage organizations')
  addVerbCommands(group, open, organizationCommands)
}

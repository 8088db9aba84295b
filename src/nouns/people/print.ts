import type { Command } from 'commander'
import type { CommandContext } from '../../cli/command-context.ts'
import { table } from '../../cli/terminal-text.ts'
import { AppError } from '../../lib/errors.ts'
import { dayText, timeText } from '../../lib/text/time-words.ts'
import { addVerbCommands, ask, verbCommand, type Place } from '../../verbs/terminal.ts'
import { addOrganization, listOrganizations } from './organizations/verbs.ts'
import { createSignInLink } from './sign-in/verbs.ts'
import {
  changeRole,
  createInvitation,
  createPasswordLink,
  grantOrganizations,
  listPeople,
  removePerson,
} from './verbs.ts'

export const peopleCommands = [
  verbCommand(listPeople, { usage: 'list', description: 'List members' }, (people) =>
    table(
      ['NAME', 'E-MAIL', 'ROLE', 'JOINED', 'LAST HERE'],
      people.map((one) => [
        one.name,
        one.email,
        one.role,
        dayText(one.joinedAt),
        one.lastUsedAt === null ? 'never' : timeText(one.lastUsedAt),
      ]),
      'No members',
    ),
  ),
  verbCommand(
    createInvitation,
    {
      usage: 'invite',
      description: 'Create an invitation link',
      usual: { role: 'editor' },
    },
    ({ url }) => url,
  ),
  verbCommand(
    changeRole,
    {
      usage: 'role <email> <role>',
      description: 'Change a member’s role',
      positional: ['role'],
    },
    ({ name, role }) => `${name} is ${role} now`,
  ),
  verbCommand(
    removePerson,
    { usage: 'remove <email>', description: 'Remove a member' },
    (_, __, { person }) => `${person} is removed`,
  ),
  verbCommand(
    createPasswordLink,
    {
      usage: 'password-link <email>',
      description: 'Create a password reset link',
    },
    ({ url }) => url,
  ),
]

const places: Record<string, Place> = {
  organization: {
    option: ['--organization <id>', 'the organization (default: the default one)'],
    async find(context, value) {
      if (value !== undefined) return { id: value, name: value }
      const all = await ask(context, listOrganizations, {})
      const id = all.find((one) => one.default)?.id ?? ''
      return { id, name: id }
    },
  },
  person: {
    async find(context, email = '', path) {
      const people = await context.read(listPeople.output, 'GET', path.replace(/\/$/, ''))
      const person = people.find((one) => one.email === email.toLowerCase() || one.id === email)
      if (person) return person
      throw new AppError(
        'not_found',
        `No one in this organization has the address ${email}; see "people list"`,
      )
    },
  },
}

export function addPeopleCommands(program: Command, open: (command: Command) => CommandContext): void {
  const people = program.command('people').description('Manage organization members')
  addVerbCommands(people, open, peopleCommands, places)

  people
    .command('allow-organizations <email>')
    .description('Allow a user to create organizations')
    .option('--revoke', 'revoke the permission')
    .action(async (email: string, options: { revoke?: boolean }, command: Command) => {
      const context = open(command)
      const allowed = options.revoke !== true
      const person = await ask(context, grantOrganizations, { email, allowed })
      context.print(person, () => `${person.name} may ${allowed ? '' : 'not '}make organizations`)
    })
}

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

export const signInCommands = [
  verbCommand(
    createSignInLink,
    { usage: 'sign-in', description: 'Create a one-time sign-in link (valid 24 hours)' },
    ({ url }) => url,
  ),
]

export function addSignInCommand(program: Command, open: (command: Command) => CommandContext): void {
  addVerbCommands(program, open, signInCommands)
}

import { InvalidArgumentError, type Command } from 'commander'
import { readList, type CommandContext } from './command-context.ts'
import { AppError } from '../lib/errors.ts'
import { timeText } from '../lib/text/time-words.ts'
import { auditPage } from '../nouns/audit/answers.ts'
import { table, writeRaw } from './terminal-text.ts'

interface CliMember {
  id: string
  name: string
  email: string
  role: string
  joinedAt: string
  lastUsedAt: string | null
}

type Open = (command: Command) => CommandContext
interface InOrganization {
  organization?: string
}

export function addPeopleCommands(program: Command, open: Open): void {
  const people = program.command('people').description('people of an organization, and their roles')
  const inOne = (command: Command): Command =>
    command.option('--organization <id>', 'the organization (default: the default one)')

  inOne(people.command('list').description('everybody in an organization')).action(
    async (options: InOrganization, command: Command) => {
      const context = open(command)
      const members = await context.json<CliMember[]>('GET', `${await pathOf(context, options)}/people`)
      context.print(members, () =>
        table(
          ['NAME', 'E-MAIL', 'ROLE', 'JOINED', 'LAST HERE'],
          members.map((one) => [
            one.name,
            one.email,
            one.role,
            one.joinedAt.slice(0, 10),
            one.lastUsedAt?.slice(0, 16) ?? 'never',
          ]),
          'Nobody has an account',
        ),
      )
    },
  )

  inOne(people.command('invite').description('make a link that makes one person a member'))
    .option('--role <role>', 'owner, editor or viewer', 'editor')
    .option('--for <note>', 'whom it is for', '')
    .option('--email <address>', 'only an account with this address may take it')
    .option('--days <days>', 'days until it stops working', wholeNumber, 7)
    .action(
      async (
        options: InOrganization & { role: string; for: string; email?: string; days: number },
        command: Command,
      ) => {
        const context = open(command)
        const { role, for: note, email, days } = options
        const body = { role, note, email, days }
        const made = await context.json<{ url: string }>(
          'POST',
          `${await pathOf(context, options)}/invitations`,
          body,
        )
        context.print(made, () => made.url)
      },
    )

  inOne(people.command('role <email> <role>').description('make somebody an owner, editor or viewer')).action(
    async (email: string, role: string, options: InOrganization, command: Command) => {
      const context = open(command)
      const person = await personAt(context, options, email)
      const changed = await context.json<CliMember>('PATCH', person.path, { role })
      context.print(changed, () => `${changed.name} is ${changed.role} now`)
    },
  )

  inOne(people.command('remove <email>').description('take somebody out of an organization')).action(
    async (email: string, options: InOrganization, command: Command) => {
      const context = open(command)
      const { path, name } = await personAt(context, options, email)
      context.print(await context.json('DELETE', path), () => `${name} is removed`)
    },
  )

  inOne(
    people
      .command('password-link <email>')
      .description('make a link with which somebody sets a new password'),
  ).action(async (email: string, options: InOrganization, command: Command) => {
    const context = open(command)
    const { path } = await personAt(context, options, email)
    const link = await context.json<{ url: string }>('POST', `${path}/password-link`, {})
    context.print(link, () => link.url)
  })

  people
    .command('allow-organizations <email>')
    .description('let somebody make organizations')
    .option('--revoke', 'take that back')
    .action(async (email: string, options: { revoke?: boolean }, command: Command) => {
      const context = open(command)
      const allowed = options.revoke !== true
      const person = await context.json<{ name: string }>('POST', '/admin/organization-makers', {
        email,
        allowed,
      })
      context.print(person, () => `${person.name} may ${allowed ? '' : 'not '}make organizations`)
    })

  program
    .command('audit')
    .description('what people, keys and the operator did, newest first')
    .option('--organization <id>', 'only of this organization')
    .option('--actor <name-or-id>', 'only what this person or key did')
    .option('--action <name>', 'only this, such as createJob')
    .option('--project <domain>', 'only in this project')
    .option('--from <day>', 'first day (UTC), such as 2026-11-23')
    .option('--to <day>', 'last day (UTC)')
    .option('--limit <number>', 'how many lines', wholeNumber, 50)
    .option('--export <format>', 'print all lines as jsonl or csv')
    .action(
      async (
        { export: format, limit, ...filter }: { export?: string; limit: number } & Record<string, string>,
        command: Command,
      ) => {
        const context = open(command)
        const known = ['organization', 'actor', 'action', 'project', 'from', 'to']
        const query = new URLSearchParams(Object.entries(filter).filter(([name]) => known.includes(name)))
        if (format !== undefined) {
          query.set('format', format)
          const response = await context.request('GET', `/admin/audit/export?${query.toString()}`)
          await writeRaw(response.body ?? [], process.stdout)
          return
        }
        const page = await readList(
          (part) => context.read(auditPage, 'GET', `/admin/audit?${part.toString()}`),
          query,
          {
            limit,
            most: 200,
            entriesOf: ({ lines }) => lines,
          },
        )
        context.print(page, () =>
          table(
            ['WHEN', 'WHO', 'WHAT', 'PROJECT', 'OF', 'FROM'],
            page.lines.map((line) => [
              timeText(line.at),
              line.actor.name,
              line.text,
              line.project ?? '',
              line.target ?? '',
              line.address ?? '',
            ]),
            'Nothing was done',
          ),
        )
      },
    )
}

async function pathOf(context: CommandContext, { organization }: InOrganization): Promise<string> {
  if (organization !== undefined) return `/admin/organizations/${encodeURIComponent(organization)}`
  const all = await context.json<{ id: string; default: boolean }[]>('GET', '/admin/organizations')
  return `/admin/organizations/${all.find((one) => one.default)?.id ?? ''}`
}

async function personAt(
  context: CommandContext,
  options: InOrganization,
  email: string,
): Promise<{ path: string; name: string }> {
  const path = `${await pathOf(context, options)}/people`
  const members = await context.json<CliMember[]>('GET', path)
  const found = members.find((one) => one.email === email.toLowerCase() || one.id === email)
  if (!found)
    throw new AppError('not_found', `Nobody in this organization has the address ${email}; see "people list"`)
  return { path: `${path}/${found.id}`, name: found.name }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError('It must be a whole number above 0.')
  return Number(text)
}

import { InvalidArgumentError, type Command } from 'commander'
import { type CommandContext } from './command-context.ts'
import { table } from './terminal-text.ts'

interface ListedKey {
  id: string
  kind: string
  name: string
  hint: string
  project: string | null
  origins: string[]
  scopes: string[]
  addresses: string[]
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
}

export function addKeyCommands(program: Command, open: (command: Command) => CommandContext): void {
  const key = program.command('key').description('API keys')

  key
    .command('create')
    .description('make a key; it is shown once')
    .requiredOption('--kind <kind>', 'admin or assistant')
    .option('--organization <id>', 'owner of an admin key (default: the default organization)')
    .option('--project <id-or-domain>', 'project of an assistant key')
    .option('--name <name>', 'what it is for')
    .option('--origin <origin...>', 'web origins that may use an assistant key (default: all)')
    .option('--scope <scope...>', 'what it may do (default: everything that its kind may)')
    .option('--address <address...>', 'IP addresses and CIDR ranges that may use it (default: all)')
    .option('--expires <days>', 'days until it stops working', positiveNumber)
    .action(
      async (
        options: {
          kind: string
          organization?: string
          project?: string
          name?: string
          origin?: string[]
          scope?: string[]
          address?: string[]
          expires?: number
        },
        command: Command,
      ) => {
        const context = open(command)
        const { kind, organization, project, name } = options
        const body = {
          kind,
          organization,
          project,
          name,
          origins: options.origin,
          scopes: options.scope,
          addresses: options.address,
          expiresInDays: options.expires,
        }
        const made = await context.json<{ id: string; kind: string; key: string }>(
          'POST',
          '/admin/keys',
          body,
        )
        context.print(made, () => [made.key, `(${made.kind} key ${made.id}; it is not shown again)`])
      },
    )

  key
    .command('list')
    .description('all keys')
    .action(async (_options: unknown, command: Command) => {
      const context = open(command)
      const keys = await context.json<ListedKey[]>('GET', '/admin/keys')
      context.print(keys, () =>
        table(
          ['ID', 'KIND', 'ENDS IN', 'NAME', 'STATE', 'LAST USED', 'LIMITED TO'],
          keys.map((one) => [
            one.id,
            one.kind,
            one.hint,
            one.name,
            stateOf(one),
            one.lastUsedAt ?? 'never',
            [...one.scopes, ...one.addresses, ...one.origins].join(' '),
          ]),
          'No key',
        ),
      )
    })

  key
    .command('revoke <id>')
    .description('make a key stop working at once')
    .action(async (id: string, _options: unknown, command: Command) => {
      const context = open(command)
      const path = `/admin/keys/${encodeURIComponent(id)}/revoke`
      const revoked = await context.json<ListedKey>('POST', path, {})
      context.print(revoked, () => `Revoked ${revoked.id}`)
    })
}

function stateOf({ revokedAt, expiresAt }: ListedKey): string {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt === null) return 'live'
  return Date.parse(expiresAt) < Date.now() ? 'expired' : `live until ${expiresAt.slice(0, 10)}`
}

function positiveNumber(text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('It must be a number above 0.')
  return value
}

import type { Command } from 'commander'
import type { CommandContext } from '../../cli/command-context.ts'
import { table } from '../../cli/terminal-text.ts'
import { addVerbCommands, verbCommand } from '../../verbs/terminal.ts'
import { createKey, listKeys, revokeKey, type Key } from './verbs.ts'
import { dayText, timeText } from '../../lib/text/time-words.ts'

export const keyCommands = [
  verbCommand(
    createKey,
    { usage: 'create', description: 'Create an API key (shown once)' },
    ({ id, kind, key }) => [key, `(${kind} key ${id}; it is not shown again)`],
  ),
  verbCommand(listKeys, { usage: 'list', description: 'List API keys' }, (keys) =>
    table(
      ['ID', 'KIND', 'ENDS IN', 'NAME', 'STATE', 'LAST USED', 'LIMITED TO'],
      keys.map((one) => [
        one.id,
        one.kind,
        one.hint,
        one.name,
        stateOf(one),
        one.lastUsedAt === null ? 'never' : timeText(one.lastUsedAt),
        [...one.scopes, ...one.addresses, ...one.origins].join(' '),
      ]),
      'No key',
    ),
  ),
  verbCommand(revokeKey, { usage: 'revoke <id>', description: 'Revoke a key' }, ({ id }) => `Revoked ${id}`),
]

export function addKeyCommands(program: Command, open: (command: Command) => CommandContext): void {
  addVerbCommands(program.command('key').description('Manage API keys'), open, keyCommands)
}

function stateOf({ revokedAt, expiresAt }: Pick<Key, 'revokedAt' | 'expiresAt'>): string {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt === null) return 'live'
  return Date.parse(expiresAt) < Date.now() ? 'expired' : `live until ${dayText(expiresAt)}`
}

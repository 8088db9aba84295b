import type { Command } from 'commander'
import type { CommandContext } from '../../cli/command-context.ts'
import type { Answer } from '../../cli/read-answer.ts'
import { table, type Lines } from '../../cli/terminal-text.ts'
import { numberOrText } from '../../lib/amount.ts'
import { addVerbCommands, verbCommand } from '../../verbs/terminal.ts'
import { changeLimitSizes, listLimitSizes } from './verbs.ts'

const name = 'limit, for example job-create'

export const limitCommands = [
  verbCommand(listLimitSizes, { usage: 'list', description: 'List request limits' }, describe),
  verbCommand(
    changeLimitSizes,
    {
      usage: 'set',
      description: 'Set a request limit',
      argumentHelp: { '<name>': name, '<size>': 'requests in a window' },
      takes: ({ name = '', size = '' }) => ({ limits: { [name]: numberOrText(size) } }),
    },
    describe,
  ),
  verbCommand(
    changeLimitSizes,
    {
      usage: 'reset',
      description: 'Reset a request limit to its default',
      argumentHelp: { '<name>': name },
      takes: ({ name = '' }) => ({ limits: { [name]: null } }),
    },
    describe,
  ),
]

/** `limit`: how many requests are allowed. */
export function addLimitCommands(program: Command, open: (command: Command) => CommandContext): void {
  addVerbCommands(program.command('limit').description('Manage request limits'), open, limitCommands)
}

function describe(limits: Answer<(typeof listLimitSizes)['output']>): Lines {
  return table(
    ['NAME', 'SIZE', 'SECONDS', 'DEFAULT', 'SERVER', 'ORGANIZATION'],
    limits.map((one) => [
      one.name,
      String(one.size),
      String(one.seconds),
      String(one.default),
      String(one.server ?? ''),
      String(one.organization ?? ''),
    ]),
    'No limit',
  )
}

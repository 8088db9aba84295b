import type { Command } from 'commander'
import { z } from 'zod'
import { limitSize } from '../nouns/server/answers.ts'
import type { CommandContext } from './command-context.ts'
import type { Answer } from './read-answer.ts'
import { table } from './terminal-text.ts'
import { wholeNumber } from './typed-number.ts'

const limitSizes = z.array(limitSize)

interface InOrganization {
  organization?: string
}

export function addLimitCommands(program: Command, open: (command: Command) => CommandContext): void {
  const limit = program.command('limit').description('manage limits of requests')
  const forOne = (command: Command): Command =>
    command.option('--organization <id>', 'organization (default: the server as a whole)')
  const show = (context: CommandContext, limits: Answer<typeof limitSizes>): void =>
    context.print(limits, () =>
      table(
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
      ),
    )
  const change = async (command: Command, options: InOrganization, sizes: Record<string, number | null>) => {
    const context = open(command)
    const body = { organization: options.organization, limits: sizes }
    show(context, await context.read(limitSizes, 'PATCH', '/admin/limits', body))
  }

  forOne(limit.command('list').description('list limits and their sizes')).action(
    async (options: InOrganization, command: Command) => {
      const context = open(command)
      const query =
        options.organization === undefined ? '' : `?organization=${encodeURIComponent(options.organization)}`
      show(context, await context.read(limitSizes, 'GET', `/admin/limits${query}`))
    },
  )
  forOne(limit.command('set').description('set the size of a limit'))
    .argument('<name>', 'limit, for example job-create')
    .argument('<size>', 'requests in a window', wholeNumber(0))
    .action(async (name: string, size: number, options: InOrganization, command: Command) => {
      await change(command, options, { [name]: size })
    })
  forOne(limit.command('reset').description('reset a limit to its default'))
    .argument('<name>', 'limit, for example job-create')
    .action((name: string, options: InOrganization, command: Command) =>
      change(command, options, { [name]: null }),
    )
}

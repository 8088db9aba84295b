import type { Command } from 'commander'
import { AppError } from '../lib/errors.ts'
import { resolveProject } from './command-context.ts'
import type { CommandContext } from './command-context.ts'

export function addThreadCommands(program: Command, open: (command: Command) => CommandContext): void {
  const thread = program.command('thread').description('conversations of the assistant')

  thread
    .command('delete')
    .description('delete one thread, or everything that one person asked')
    .option('--project <domain-or-id>', 'its project (default: the only project)')
    .option('--id <thread>', 'id of the thread')
    .option('--fp <fingerprint>', 'who asked, as the client said in `fp`')
    .action(async (options: { project?: string; id?: string; fp?: string }, command: Command) => {
      if ((options.id === undefined) === (options.fp === undefined))
        throw new AppError('invalid', 'Name either a thread with --id or a person with --fp')
      const context = open(command)
      const { domain } = await resolveProject(context, options.project)
      const query = new URLSearchParams(
        options.id === undefined ? { fp: options.fp ?? '' } : { id: options.id },
      )
      const path = `/admin/projects/${domain}/threads?${query.toString()}`
      const result = await context.json<{ deleted: number }>('DELETE', path)
      context.print(result, () => `Deleted ${result.deleted}`)
    })
}

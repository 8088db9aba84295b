import type { Command } from 'commander'
import type { CommandContext } from '../../cli/command-context.ts'
import { ask } from '../../verbs/terminal.ts'
import { resealSecrets } from './verbs.ts'

/** `secrets`. */
export function addServerCommands(program: Command, open: (command: Command) => CommandContext): void {
  program
    .command('secrets')
    .description('Manage encrypted secrets')
    .command('reseal')
    .description('Re-encrypt all secrets with the current key (exits with 1 if any can’t be decrypted)')
    .action(async (_options: unknown, command: Command) => {
      const context = open(command)
      const done = await ask(context, resealSecrets, {})
      context.print(done, () => [
        `${done.resealed} encrypted again with the current key, ${done.current} were already, ${done.unreadable.length} could not be read`,
        ...done.unreadable.map((name) => `  not readable: ${name}; enter it again`),
        ...(done.earlier > 0 ? [`${done.earlier} changed in the meantime: run this again`] : []),
        ...(done.earlier + done.unreadable.length === 0 ? ['An earlier key is no longer needed'] : []),
      ])
      if (done.unreadable.length > 0) process.exitCode = 1
    })
}

import type { Command } from 'commander'
import type { CommandContext } from '../../cli/command-context.ts'
import { ask } from '../../verbs/terminal.ts'
import { signInLink } from './answers.ts'
import { resealSecrets } from './verbs.ts'

/** `sign-in` and `secrets`. */
export function addServerCommands(program: Command, open: (command: Command) => CommandContext): void {
  program
    .command('sign-in')
    .description('make a one-time link to the dashboard, good for a day')
    .action(async (_options: unknown, command: Command) => {
      const context = open(command)
      const link = await context.read(signInLink, 'POST', '/admin/sign-in-links', {})
      context.print(link, () => link.url)
    })
  program
    .command('secrets')
    .description('encrypted secrets of the server')
    .command('reseal')
    .description('encrypt all secrets with the current key; exits with 1 when one cannot be decrypted')
    .action(async (_options: unknown, command: Command) => {
      const context = open(command)
      const done = await ask(context, resealSecrets, {})
      context.print(done, () => [
        `${done.resealed} encrypted anew with the current key, ${done.current} were already, ${done.unreadable.length} could not be read`,
        ...done.unreadable.map((name) => `  not readable: ${name}; give it anew`),
        ...(done.earlier > 0 ? [`${done.earlier} changed meanwhile: run this again`] : []),
        ...(done.earlier + done.unreadable.length === 0 ? ['An earlier key is no longer needed'] : []),
      ])
      if (done.unreadable.length > 0) process.exitCode = 1
    })
}

import type { Command } from 'commander'
import { secretCounts, signInLink } from '../nouns/server/answers.ts'
import type { CommandContext } from './command-context.ts'
import type { Answer } from './read-answer.ts'

export function addSecretsCommands(program: Command, open: (command: Command) => CommandContext): void {
  program
    .command('secrets')
    .description('Manage encrypted secrets')
    .command('reseal')
    .description('Re-encrypt all secrets with the current key (exits with 1 if any can’t be decrypted)')
    .action(async (_options: unknown, command: Command) => {
      const context = open(command)
      const done = await context.read(secretCounts, 'POST', '/admin/secrets/reseal', {})
      context.print(done, () => [
        `${done.resealed} encrypted again with the current key, ${done.current} were already, ${done.unreadable.length} could not be read`,
        ...done.unreadable.map((name) => `  not readable: ${name}; enter it again`),
        ...(done.earlier > 0 ? [`${done.earlier} changed in the meantime: run this again`] : []),
        ...(done.earlier + done.unreadable.length === 0 ? ['An earlier key is no longer needed'] : []),
      ])
      if (done.unreadable.length > 0) process.exitCode = 1
    })
}

/** @throws Error when a secret cannot be decrypted */
export function describeSecrets({ current, earlier, unreadable }: Answer<typeof secretCounts>): string {
  if (unreadable.length > 0)
    throw new Error(
      `No key can decrypt ${unreadable.join(', ')}: set the key that encrypted it as DOCWRIGHT_SECRET_KEY_PREVIOUS, or give the secret again`,
    )
  const left = earlier === 0 ? '' : `, ${earlier} with an earlier one: run "secrets reseal"`
  return `${current} encrypted with the current key${left}`
}

export function addSignInCommand(program: Command, open: (command: Command) => CommandContext): void {
  program
    .command('sign-in')
    .description('Create a one-time sign-in link (valid 24 hours)')
    .action(async (_options: unknown, command: Command) => {
      const context = open(command)
      const link = await context.read(signInLink, 'POST', '/admin/sign-in-links', {})
      context.print(link, () => link.url)
    })
}

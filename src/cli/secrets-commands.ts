import type { Command } from 'commander'
import type { CommandContext } from './command-context.ts'

/** The secrets that the server keeps encrypted, by what opens them. */
export interface CliSecrets {
  resealed: number
  current: number
  earlier: number
  unreadable: string[]
}

export function addSecretsCommands(program: Command, open: (command: Command) => CommandContext): void {
  program
    .command('secrets')
    .description('what the server keeps encrypted')
    .command('reseal')
    .description('encrypt everything with the current key; ends with 1 when something cannot be read')
    .action(async (_options: unknown, command: Command) => {
      const context = open(command)
      const done = await context.json<CliSecrets>('POST', '/admin/secrets/reseal', {})
      context.print(done, () => [
        `${done.resealed} encrypted anew with the current key, ${done.current} were already, ${done.unreadable.length} could not be read`,
        ...done.unreadable.map((name) => `  not readable: ${name}; give it anew`),
        ...(done.earlier > 0 ? [`${done.earlier} changed meanwhile: run this again`] : []),
        ...(done.earlier + done.unreadable.length === 0 ? ['An earlier key is no longer needed'] : []),
      ])
      if (done.unreadable.length > 0) process.exitCode = 1
    })
}

/** @throws Error when something cannot be read */
export function describeSecrets({ current, earlier, unreadable }: CliSecrets): string {
  if (unreadable.length > 0)
    throw new Error(
      `No key opens ${unreadable.join(', ')}: bring back the key that encrypted it as DOCWRIGHT_SECRET_KEY_PREVIOUS, or give it anew`,
    )
  const left = earlier === 0 ? '' : `, ${earlier} with an earlier one: run "secrets reseal"`
  return `${current} encrypted with the current key${left}`
}

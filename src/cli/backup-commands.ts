import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { AppError } from '../lib/errors.ts'
import { timeText } from '../lib/text/time-words.ts'
import { pathFromUser, type CommandContext } from './command-context.ts'
import type { ProgressLine } from './terminal-text.ts'

type Report = ProgressLine['show']

interface CliRestored {
  createdAt: string
  version: string
  rows: number
  repositories: string[]
  migrations: number
  secretKey: 'same' | 'restored' | 'missing'
}

/** What works on the store itself, while no server runs. */
export interface StoreWork {
  backup(command: Command, file: string, options: { withSecretKey: boolean; report: Report }): Promise<void>
  restore(command: Command, file: string, report: Report): Promise<CliRestored>
  check(file: string): Promise<{ head: { createdAt: string; docwright: string }; lines: number }>
}

export function addBackupCommands(
  program: Command,
  open: (command: Command) => CommandContext,
  work: StoreWork,
): void {
  program
    .command('backup <file>')
    .description('Back up all data to a file (works while the server runs)')
    .option('--with-secret-key', 'include the key that decrypts tokens: keep the file as safe as that key')
    .action(async (name: string, options: { withSecretKey?: true }, command: Command) => {
      const context = open(command)
      const file = pathFromUser(name)
      if (await sizeOf(file))
        throw new AppError('conflict', `${file} already exists. Choose another file name`)
      const withSecretKey = options.withSecretKey === true
      // Its end is missing until it is complete, and it has another name.
      const draft = `${file}.part`
      await rm(draft, { force: true })
      const progress = context.progress()
      try {
        if (await isServerRunning(context)) await download(context, draft, withSecretKey, progress.show)
        else await work.backup(command, draft, { withSecretKey, report: progress.show })
        progress.show({ phase: 'checking', done: 0, total: null })
        await work.check(draft)
        await rename(draft, file)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      } finally {
        progress.end()
      }
      const bytes = (await sizeOf(file)) ?? 0
      context.print({ file, bytes, secretKey: withSecretKey }, () => [
        `${file}: ${megabytes(bytes)}, complete and checked`,
        withSecretKey
          ? 'It contains the key that decrypts its tokens and secrets: keep it as safe as them'
          : 'It doesn’t contain the key that decrypts its tokens: keep a copy of secret-key (or DOCWRIGHT_SECRET_KEY) somewhere else',
      ])
    })

  program
    .command('restore <file>')
    .description('Restore a backup into an empty database (PGlite or PostgreSQL)')
    .option('--check', 'verify the file without restoring')
    .action(async (name: string, options: { check?: true }, command: Command) => {
      const context = open(command)
      const file = pathFromUser(name)
      if (options.check) {
        const { head, lines } = await work.check(file)
        context.print({ ...head, secretKey: undefined, lines }, () => [
          `${file} is complete: made ${timeText(head.createdAt)} by version ${head.docwright}, ${lines.toLocaleString('en')} lines`,
        ])
        return
      }
      const progress = context.progress()
      const done = await work.restore(command, file, progress.show).finally(() => progress.end())
      context.print(done, () => [
        `${done.rows.toLocaleString('en')} rows and ${done.repositories.length} repositories restored, as they were ${timeText(done.createdAt)}`,
        ...(done.migrations > 0
          ? [`Brought up to date from version ${done.version} by ${done.migrations} migrations`]
          : []),
        keyText[done.secretKey],
        'Start the server: it fetches the repositories and builds the indexes. Create a link to sign in with "sign-in"',
      ])
    })
}

const keyText = {
  same: 'Its tokens and secrets can be decrypted with the key that is here',
  restored: 'Its secret key was restored too',
  missing:
    'Tokens and secrets can’t be decrypted yet. Before you start the server, copy secret-key to the data folder or set DOCWRIGHT_SECRET_KEY. Otherwise, enter them again; "doctor" lists them',
}

async function isServerRunning(context: CommandContext): Promise<boolean> {
  return context.request('GET', '/healthz').then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'unavailable') return false
      throw error
    },
  )
}

async function download(
  context: CommandContext,
  file: string,
  secretKey: boolean,
  report: Report,
): Promise<void> {
  const { body } = await context.request('POST', '/admin/backup', { secretKey })
  if (!body) throw new AppError('unavailable', 'The server sent nothing')
  let bytes = 0
  const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      bytes += chunk.length
      report({ phase: 'kilobytes of the backup', done: Math.round(bytes / 1000), total: null })
      yield chunk
    }
  }
  await pipeline(
    Readable.fromWeb(body),
    counted,
    createWriteStream(file, { mode: 0o600, flags: 'wx' }),
  ).catch((cause: unknown) => {
    throw new AppError('unavailable', 'The server did not finish the backup; its log says why', { cause })
  })
}

async function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  )
}

function megabytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`
}

import { mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { AppError } from '../../lib/errors.ts'
import { createBackup, type BackupParts } from './create-backup.ts'

type Parts = BackupParts & { log: Logger }
interface Options {
  withSecretKey: boolean
}

let isRunning = false

/**
 * Makes a backup in a file of its own and yields it as it grows, so that a slow reader keeps no transaction open.
 * @throws AppError `conflict` while another one is made, which would need the same room again
 */
export function streamBackup(parts: Parts, options: Options): AsyncIterable<Uint8Array> {
  requireNone()
  return stream(parts, options)
}

function requireNone(): void {
  if (isRunning) throw new AppError('conflict', 'Another backup is being made: try again later')
}

async function* stream(parts: Parts, options: Options): AsyncGenerator<Uint8Array> {
  const folder = await mkdtemp(join(parts.git.folder, 'tmp', 'backup-'))
  try {
    yield* streamFrom(folder, parts, options)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function* streamFrom(folder: string, parts: Parts, options: Options): AsyncGenerator<Uint8Array> {
  // Two requests may have come before either was begun.
  requireNone()
  isRunning = true
  const path = join(folder, 'backup.gz')
  let isMade = false
  const making = createBackup(parts, { ...options, file: path, report: () => undefined }).finally(() => {
    isMade = true
  })
  making.catch((error: unknown) => parts.log.error({ err: error }, 'A backup could not be made'))
  try {
    await Promise.race([making, begun(path)])
    await using file = await open(path)
    for (;;) {
      const wasMade = isMade
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(64 * 1024) })
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead)
      else if (wasMade) break
      else await delay(50)
    }
    await making
  } finally {
    // A reader that goes away does not end what writes to the file.
    await making.catch(() => undefined)
    isRunning = false
  }
}

async function begun(path: string): Promise<void> {
  for (;;) {
    const file = await open(path).catch(() => undefined)
    if (file) return file.close()
    await delay(20)
  }
}

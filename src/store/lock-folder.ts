import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, messageOf } from '../lib/errors.ts'
import { lockFileForAll } from './file-lock.ts'

/**
 * Holds the embedded store's folder for this process, by the lock of a file in it.
 * @param holder what another process is told about this one
 * @throws AppError `conflict` that says who holds it, `unavailable` when it cannot be locked at all
 */
export async function lockFolder(folder: string, holder: string): Promise<AsyncDisposable> {
  await mkdir(folder, { recursive: true })
  const noteFile = join(folder, 'lock.holder')
  const lock = await lockFileForAll(join(folder, 'lock'), 500).catch((cause: unknown) => {
    throw new AppError('unavailable', `The data folder ${folder} cannot be locked: ${messageOf(cause)}`, {
      cause,
    })
  })
  if (!lock) {
    const note = await readFile(noteFile, 'utf8').catch(() => 'another process')
    throw new AppError(
      'conflict',
      `The data folder ${folder} is in use by ${note}; stop it or use another with --data`,
    )
  }
  await writeFile(noteFile, holder)
  return {
    async [Symbol.asyncDispose]() {
      await rm(noteFile, { force: true })
      lock[Symbol.dispose]()
    },
  }
}

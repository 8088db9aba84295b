import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError, messageOf } from '../lib/errors.ts'

/**
 * Holds the embedded store's folder for this process. The lock is the operating system's, taken through SQLite on a
 * file of its own, so it ends with the process however that dies, in containers too where process ids repeat.
 * @param holder what another process is told about this one
 * @throws AppError `conflict` that says who holds it, `unavailable` when it cannot be locked at all
 */
export async function lockFolder(folder: string, holder: string): Promise<AsyncDisposable> {
  await mkdir(folder, { recursive: true })
  const noteFile = join(folder, 'lock.holder')
  const lock = new DatabaseSync(join(folder, 'lock'), { timeout: 500 })
  try {
    lock.exec('begin exclusive')
  } catch (cause) {
    lock.close()
    if (!isBusy(cause))
      throw new AppError('unavailable', `The data folder ${folder} cannot be locked: ${messageOf(cause)}`, {
        cause,
      })
    const note = await readFile(noteFile, 'utf8').catch(() => 'another process')
    throw new AppError(
      'conflict',
      `The data folder ${folder} is in use by ${note}; stop it or use another with --data`,
      {
        cause,
      },
    )
  }
  await writeFile(noteFile, holder)
  return {
    async [Symbol.asyncDispose]() {
      await rm(noteFile, { force: true })
      lock.close()
    },
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5
}

import { rmSync } from 'node:fs'
import { cp, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * For tests: fills folders with what is always the same and takes many processes of git to make. It is made once in a
 * process, when the first one is filled, and copied.
 */
export function copiesOf(make: (folder: string) => Promise<void>): (folder: string) => Promise<void> {
  let first: Promise<string> | undefined
  const makeFirst = async (): Promise<string> => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'docwright-copied-')))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    await make(folder)
    return folder
  }
  return async (folder) => {
    await cp(await (first ??= makeFirst()), folder, { recursive: true, preserveTimestamps: true })
  }
}

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { packFolder, packNames } from './leftover-packs.ts'

/** Bytes of a repository's packs: nearly all of what a mirror takes, and cheap to ask. */
export async function mirrorSize(folder: string): Promise<number> {
  const sizes = await Promise.all(
    (await packNames(folder)).map((name) =>
      stat(join(packFolder(folder), name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

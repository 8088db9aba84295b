import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes of a repository's packs: nearly all of what a mirror takes, and cheap to ask. */
export async function mirrorSize(folder: string): Promise<number> {
  const packs = join(folder, 'objects', 'pack')
  const names = await readdir(packs).catch(() => [])
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(packs, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

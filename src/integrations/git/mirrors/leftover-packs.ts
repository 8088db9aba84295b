import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The names that git gives to packs that are not complete. */
const unfinished = /^\.?tmp[_-]/

/** Names of the complete files in a repository's pack folder. */
async function packNames(folder: string): Promise<string[]> {
  const names = await readdir(packFolder(folder)).catch(() => [])
  return names.filter((name) => !unfinished.test(name))
}

/** Removes incomplete packs that a killed git left behind: those that were not written to for `idle` milliseconds. */
export async function removeLeftoverPacks(folder: string, idle: number): Promise<void> {
  const names = await readdir(packFolder(folder)).catch(() => [])
  for (const name of names.filter((one) => unfinished.test(one))) {
    const path = join(packFolder(folder), name)
    const written = await stat(path).catch(() => undefined)
    if (written !== undefined && Date.now() - written.mtimeMs >= idle) await rm(path, { force: true })
  }
}

function packFolder(folder: string): string {
  return join(folder, 'objects', 'pack')
}

/** Bytes of a repository's packs, which are nearly all of a mirror's size and cheap to count. */
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

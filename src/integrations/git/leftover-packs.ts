import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** How git names a pack that has not arrived whole. */
const unfinished = /^\.?tmp[_-]/

/** Names of the files in a repository's pack folder that are whole. */
async function packNames(folder: string): Promise<string[]> {
  const names = await readdir(packFolder(folder)).catch(() => [])
  return names.filter((name) => !unfinished.test(name))
}

/** Removes what git leaves of a pack when it is killed or cut off: files that nobody wrote for `idle` milliseconds. */
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

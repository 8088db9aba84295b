import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from './engine.ts'

/** Bytes of the disk that a copy leaves to everything else. */
const leftFree = 256 * 1024 * 1024

/**
 * Copies the store's files, as they are at one moment, for as long as `work` takes.
 * @returns undefined, without a call of `work`, when the disk has no room for another one
 */
export async function withCopy<T>(
  engine: Pick<Engine, 'copy'>,
  folder: string,
  work: (copy: string) => Promise<T>,
): Promise<{ result: T } | undefined> {
  const { bavail, bsize } = await statfs(folder)
  if ((await sizeOf(folder)) + leftFree > bavail * bsize) return undefined
  await removeCopy(folder)
  try {
    await engine.copy(copyOf(folder))
    return { result: await work(copyOf(folder)) }
  } finally {
    await removeCopy(folder)
  }
}

/** Removes what a process that was killed has left. */
export async function removeCopy(folder: string): Promise<void> {
  await rm(copyOf(folder), { recursive: true, force: true })
}

function copyOf(folder: string): string {
  return `${folder}.copy`
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  let sum = 0
  for (const entry of entries)
    // What PostgreSQL is done with may be gone.
    if (entry.isFile())
      sum += await stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      )
  return sum
}

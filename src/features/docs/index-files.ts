import { mkdir, open, readdir, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readSegment, type Segment } from './search/segment.ts'

/** Milliseconds between two signs of life of who builds, and after which it counts as gone. */
const sign = 5000
const gone = 30_000

/** The generation of the newest index in a project's folder; undefined where there is none. */
export async function newestIndex(folder: string): Promise<number | undefined> {
  const names = await readdir(folder).catch(() => [])
  const generations = names.flatMap((name) => /^(\d+)\.index$/.exec(name)?.slice(1).map(Number) ?? [])
  return generations.length === 0 ? undefined : Math.max(...generations)
}

/** Reads the newest index; a damaged one is deleted, and counts as missing. */
export async function readNewest(
  folder: string,
): Promise<{ segment: Segment; generation: number } | undefined> {
  const generation = await newestIndex(folder)
  if (generation === undefined) return undefined
  const file = fileOf(folder, generation)
  try {
    return { segment: await readSegment(file), generation }
  } catch {
    await rm(file, { force: true })
    return undefined
  }
}

function fileOf(folder: string, generation: number): string {
  return join(folder, `${generation}.index`)
}

/** Writes an index by `write`, which gets the path of its file, and deletes the older ones. */
export async function replaceIndex(
  folder: string,
  generation: number,
  write: (file: string) => Promise<void>,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const before = await readdir(folder)
  const file = fileOf(folder, generation)
  await write(file)
  for (const old of before.map((name) => join(folder, name)))
    if (old !== file && !(await isBeingWritten(old))) await rm(old, { force: true })
}

/** Another process may be writing its own; what is older was left by one that was killed. */
async function isBeingWritten(path: string): Promise<boolean> {
  if (!path.endsWith('.tmp')) return false
  const file = await stat(path).catch(() => undefined)
  return file !== undefined && Date.now() - file.mtimeMs < 600_000
}

/**
 * Processes that share the folder build one after the other. It is no lock: if two build at once, both write the same.
 * @returns undefined while another one builds
 */
export async function claimBuild(folder: string): Promise<AsyncDisposable | undefined> {
  const mark = `${folder}.building`
  await mkdir(dirname(mark), { recursive: true })
  const file = await stat(mark).catch(() => undefined)
  if (file !== undefined && Date.now() - file.mtimeMs >= gone) await rm(mark, { force: true })
  try {
    await (await open(mark, 'wx')).close()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined
    throw error
  }
  const signs = setInterval(() => {
    const now = new Date()
    utimes(mark, now, now).catch(() => undefined)
  }, sign).unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(signs)
      await rm(mark, { force: true })
    },
  }
}

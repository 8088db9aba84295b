import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { randomText } from '../../lib/ids.ts'
import { dataPaths } from '../data-folder.ts'

interface Pace {
  /** Milliseconds between signs of life. */
  look: number
  /** Milliseconds without one after which a server counts as gone. */
  gone: number
}

/**
 * Tells commands where this server is, until `stopping` aborts. Of several servers that share the folder the latest is
 * named; when it has ended, another one takes its place.
 * @returns takes the address back
 */
export async function announceServer(
  folder: string,
  url: string,
  stopping: AbortSignal,
  { look, gone }: Pace = { look: 5000, gone: 15_000 },
): Promise<() => Promise<void>> {
  const path = dataPaths(folder).server
  // Servers in containers have the same address and process id.
  const own = JSON.stringify({ url, pid: process.pid, id: randomText(16) })
  const isNamed = async (): Promise<boolean> => (await readFile(path, 'utf8').catch(() => '')) === own
  const write = async (): Promise<void> => {
    const draft = `${path}.${randomText(8)}.tmp`
    await writeFile(draft, own, { mode: 0o600 })
    await rename(draft, path)
  }
  const keepUp = async (): Promise<void> => {
    const now = new Date()
    if (await isNamed()) return utimes(path, now, now)
    const heard = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    )
    if (now.getTime() - heard > gone) await write()
  }
  const loop = async (): Promise<void> => {
    for (;;) {
      await delay(look, undefined, { signal: stopping, ref: false })
      // A disk in trouble is reported elsewhere.
      await keepUp().catch(() => undefined)
    }
  }
  await write()
  loop().catch(() => undefined)
  return async () => {
    if (await isNamed()) await rm(path, { force: true })
  }
}

import { readFile, rename, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { randomText } from '../lib/ids.ts'
import { dataPaths } from './data-folder.ts'

/** Milliseconds; servers may come later, and with another address. */
const lookEvery = 5000

/** Writes down where people reach this server, for workers on the same data folder that were not told. */
export async function notePublicUrl(folder: string, url: string): Promise<void> {
  const path = dataPaths(folder).publicUrl
  const draft = `${path}.${randomText(8)}.tmp`
  await writeFile(draft, `${url}\n`, { mode: 0o600 })
  await rename(draft, path)
}

/** What a worker begins links with: its own setting, or what a server noted last; empty until one has. */
export async function findPublicUrl(
  { publicUrl, dataFolder }: Pick<Config, 'publicUrl' | 'dataFolder'>,
  stopping: AbortSignal,
): Promise<() => string> {
  if (publicUrl !== undefined) return () => publicUrl
  let found = await noted(dataFolder)
  const look = async (): Promise<void> => {
    for (;;) {
      await delay(lookEvery, undefined, { signal: stopping })
      found = (await noted(dataFolder)) || found
    }
  }
  look().catch(() => undefined)
  return () => found
}

async function noted(folder: string): Promise<string> {
  const text = await readFile(dataPaths(folder).publicUrl, 'utf8').catch(() => '')
  return URL.canParse(text.trim()) ? text.trim() : ''
}

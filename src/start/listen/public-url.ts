import { readFile, rename, writeFile } from 'node:fs/promises'
import type { Config } from '../../config.ts'
import { randomText } from '../../lib/ids.ts'
import { repeat } from '../../lib/pause.ts'
import { dataPaths } from '../data-folder.ts'

/** Milliseconds between looks: servers may start later, and with another address. */
const lookEvery = 5000

/**
 * Records the public address of this server, for workers on the same data folder that have no setting of their own.
 */
export async function notePublicUrl(folder: string, url: string): Promise<void> {
  const path = dataPaths(folder).publicUrl
  const draft = `${path}.${randomText(8)}.tmp`
  await writeFile(draft, `${url}\n`, { mode: 0o600 })
  await rename(draft, path)
}

/**
 * The public address for a worker's links: its own setting, or the one that a server recorded last; empty until one
 * has.
 */
export async function findPublicUrl(
  { publicUrl, dataFolder }: Pick<Config, 'publicUrl' | 'dataFolder'>,
  stopping: AbortSignal,
): Promise<() => string> {
  if (publicUrl !== undefined) return () => publicUrl
  let found = await noted(dataFolder)
  repeat(stopping, async () => {
    found = (await noted(dataFolder)) || found
    return lookEvery
  }).catch(() => undefined)
  return () => found
}

async function noted(folder: string): Promise<string> {
  const text = await readFile(dataPaths(folder).publicUrl, 'utf8').catch(() => '')
  return URL.canParse(text.trim()) ? text.trim() : ''
}

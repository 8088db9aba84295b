import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { beat, beatSeconds, endBeat } from '../features/server/processes.ts'
import { version } from '../lib/version.ts'
import { repeat } from '../lib/pause.ts'
import type { Services } from './services.ts'

/** Says every few seconds that this process is there, until `stopping` aborts. */
export function startHeartbeat(
  { store, machine }: Pick<Services, 'store' | 'machine'>,
  kind: 'serve' | 'worker',
  stopping: AbortSignal,
): void {
  const id = randomUUID()
  const startedAt = new Date(Date.now() - process.uptime() * 1000)
  const own = { id, host: hostname(), pid: process.pid, kind, version, startedAt }
  const loop = async (): Promise<void> => {
    await repeat(stopping, async () => {
      const now = {
        memory: process.memoryUsage.rss(),
        freeBytes: machine.freeBytes(),
        trouble: machine.trouble()?.message,
      }
      // A database that is away is reported elsewhere.
      await store.transaction((tx) => beat(tx, { ...own, ...now })).catch(() => undefined)
      return beatSeconds * 1000
    })
    await store.transaction((tx) => endBeat(tx, id))
  }
  loop().catch(() => undefined)
}

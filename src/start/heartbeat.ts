import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { beat, beatSeconds, endBeat } from '../features/server/processes.ts'
import { version } from '../lib/version.ts'
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
    while (!stopping.aborted) {
      const now = {
        memory: process.memoryUsage.rss(),
        freeBytes: machine.freeBytes(),
        trouble: machine.trouble()?.message,
      }
      // A database that is away is reported elsewhere.
      await store.transaction((tx) => beat(tx, { ...own, ...now })).catch(() => undefined)
      await delay(beatSeconds * 1000, undefined, { signal: stopping }).catch(() => undefined)
    }
    await store.transaction((tx) => endBeat(tx, id))
  }
  loop().catch(() => undefined)
}

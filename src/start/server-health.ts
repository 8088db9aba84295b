import { readdir } from 'node:fs/promises'
import { freemem, totalmem } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { countQueue, countWaiting } from '../features/agent/turns.ts'
import { listHostContacts } from '../features/server/host-contacts.ts'
import type { ServerHealth } from '../features/server/health.ts'
import { listProcesses } from '../features/server/processes.ts'
import { listTokens } from '../nouns/chats/check-tokens.ts'
import { halfFolder } from '../integrations/git/mirrors/fill-mirror.ts'
import { mirrorSize } from '../integrations/git/mirrors/leftover-packs.ts'
import { messageOf } from '../lib/errors.ts'
import { version } from '../lib/version.ts'
import { connectionRoom, connectionsRemedy, connectionsShort } from '../store/connection-room.ts'
import { dataPaths } from './data-folder.ts'
import { configuredModels } from './models/configured-models.ts'
import type { Services } from './services.ts'

/** Milliseconds for which the sizes of mirrors are kept: reading them takes a look at every pack. */
const lifetime = 60_000

/** Looks at everything that a server needs, for the person who runs it. */
export function createHealthCheck(services: Services): () => Promise<ServerHealth> {
  const { store, config, machine, queue, models } = services
  let sizes: { until: number; mirrors: Promise<{ count: number; bytes: number }> } | undefined
  const mirrors = (): Promise<{ count: number; bytes: number }> => {
    if (sizes === undefined || sizes.until < Date.now())
      sizes = { until: Date.now() + lifetime, mirrors: sumMirrors(config.dataFolder) }
    return sizes.mirrors
  }
  return async () => {
    const started = performance.now()
    await sql`select 1`.execute(store.db)
    const milliseconds = performance.now() - started
    const { rss, heapUsed } = process.memoryUsage()
    const [turns, parked, syncs, processes, size, kept, hosts, room, chats] = await Promise.all([
      countQueue(store.db),
      countWaiting(store.db),
      queue.liveKeys('sync'),
      listProcesses(store.db),
      databaseSize(services),
      mirrors(),
      listHostContacts(store.db),
      connectionRoom(store),
      listTokens(store.db),
    ])
    const what = connectionsShort(room, processes.filter(({ isAlive }) => isAlive).length)
    return {
      version,
      startedAt: new Date(Date.now() - process.uptime() * 1000),
      queue: { ...turns, parked, syncs: syncs.size },
      processes,
      disk: { folder: config.dataFolder, free: machine.freeBytes(), leastFree: config.minFreeBytes },
      database: {
        engine: store.engine,
        milliseconds,
        ...size,
        connections: what === undefined ? undefined : { what, remedy: connectionsRemedy },
        wait: typeof store.connection === 'string' ? undefined : store.connection.waits.p95(),
      },
      memory: { process: rss, heap: heapUsed, machineFree: freemem(), machine: totalmem() },
      mirrors: { ...kept, most: config.mirrorsBytes },
      hosts,
      models: configuredModels(config).map(({ variable, name }) => ({
        variable,
        name,
        problem: problemOf(() => models.find(name)),
      })),
      chats,
      trouble: machine.trouble()?.message,
    }
  }
}

function problemOf(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

async function databaseSize({ store }: Services): Promise<{ bytes: number | undefined; rows: number }> {
  const { rows: live } = await sql<{ rows: number }>`
    select coalesce(sum(greatest(reltuples, 0)), 0)::int8 as rows from pg_class
    where relkind = 'r' and relnamespace <> 'pg_catalog'::regnamespace`.execute(store.db)
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database())::int8 as bytes`
    .execute(store.db)
    .catch(() => ({ rows: [] }))
  return { bytes: rows[0]?.bytes, rows: live[0]?.rows ?? 0 }
}

async function sumMirrors(dataFolder: string): Promise<{ count: number; bytes: number }> {
  const { mirrors } = dataPaths(dataFolder)
  const names = (await readdir(mirrors).catch(() => [])).filter((name) => name.endsWith('.git'))
  let bytes = 0
  for (const name of names) {
    const folder = join(mirrors, name)
    bytes += (await mirrorSize(folder)) + (await mirrorSize(halfFolder(folder)))
  }
  return { count: names.length, bytes }
}

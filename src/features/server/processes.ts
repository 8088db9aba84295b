import { sql } from 'kysely'
import type { Reader, Tx } from '../../store/database.ts'

/** A process that serves or works, as it last said of itself. */
export interface ServerProcess {
  id: string
  host: string
  pid: number
  kind: 'serve' | 'worker'
  version: string
  /** Bytes that it takes. */
  memory: number
  /** Bytes that are free on the disk of its data folder. */
  freeBytes: number
  /** What keeps it from taking work. */
  trouble: string | undefined
  startedAt: Date
  seenAt: Date
  /** Whether it said so lately. */
  isAlive: boolean
}

/** Seconds between two signs of life. */
export const beatSeconds = 10
/** Seconds after which a process that gives none is taken for gone. */
const patience = 35
const forgetAfterHours = 24

export async function beat(tx: Tx, process: Omit<ServerProcess, 'seenAt' | 'isAlive'>): Promise<void> {
  const { id, host, pid, kind, version, memory, freeBytes, trouble, startedAt } = process
  const now = { memory, free_bytes: freeBytes, trouble: trouble ?? null }
  await tx
    .insertInto('processes')
    .values({ id, host, pid, kind, version, started_at: startedAt, ...now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...now, seen_at: sql<Date>`now()` }))
    .execute()
  await sql`delete from processes where seen_at < now() - make_interval(hours => ${forgetAfterHours})`.execute(
    tx,
  )
}

/** A process that ends in order is not missed. */
export async function endBeat(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('processes').where('id', '=', id).execute()
}

export async function listProcesses(db: Reader): Promise<ServerProcess[]> {
  const rows = await db
    .selectFrom('processes')
    .selectAll()
    .select(sql<boolean>`seen_at > now() - make_interval(secs => ${patience})`.as('is_alive'))
    .orderBy('started_at')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    host: row.host,
    pid: row.pid,
    kind: row.kind,
    version: row.version,
    memory: row.memory,
    freeBytes: row.free_bytes,
    trouble: row.trouble ?? undefined,
    startedAt: row.started_at,
    seenAt: row.seen_at,
    isAlive: row.is_alive,
  }))
}

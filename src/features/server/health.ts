import { bytesText } from '../../lib/text/bytes-text.ts'
import type { ModelVariable } from '../../lib/model-variables.ts'
import { ownCommand } from '../../lib/own-command.ts'
import { timeText } from '../../lib/text/time-words.ts'
import type { ServerProcess } from './processes.ts'

/** How a server is, for the person who runs it. It holds no secret. */
export interface ServerHealth {
  version: string
  startedAt: Date
  queue: {
    /** Prompts of jobs that wait for a worker, and when the first of them was sent. */
    waiting: number
    oldest: Date | undefined
    running: number
    /** Queued prompts for a host, a model or the machine. */
    parked: { of: string; count: number }[]
    /** Repositories that are to be read, or are read now. */
    syncs: number
  }
  processes: ServerProcess[]
  disk: { folder: string; free: number; leastFree: number }
  database: {
    engine: 'pglite' | 'postgres'
    milliseconds: number
    bytes: number | undefined
    /** About. */
    rows: number
    /** Milliseconds that one of 20 questions to the embedded database has waited for others lately. */
    wait: number | undefined
    /** What is wrong with the number of its connections, and what to do. */
    connections: { what: string; remedy: string } | undefined
  }
  memory: { process: number; heap: number; machineFree: number; machine: number }
  mirrors: { count: number; bytes: number; most: number | undefined }
  hosts: HostContact[]
  models: { variable: ModelVariable; name: string; problem: string | undefined }[]
  chats: ChatToken[]
  trouble: string | undefined
}

/** A workspace of a chat platform, and what the platform last said of its token. */
export interface ChatToken {
  name: string
  domain: string
  /** Undefined before the platform was asked. */
  checkedAt: Date | undefined
  problem: string | undefined
}

/** A project's repository, and when its host was last in touch. */
export interface HostContact {
  domain: string
  kind: string
  site: string
  readAt: Date | undefined
  /** When the host last called the server. */
  calledAt: Date | undefined
  error: string | undefined
}

/** What something can be wrong with. */
export const advised = ['process', 'disk', 'queue', 'database', 'model', 'host', 'chat'] as const

/** Something that is wrong, and what to do about it. */
export interface Advice {
  about: (typeof advised)[number]
  what: string
  remedy: string
}

/** Minutes after which a prompt waits longer than it should. */
const longWait = 5
const slowDatabase = 250
/**
 * What the embedded database is good for. Beyond, it still works, but its one thread is what everything waits for: in rows
 * and bytes, and in milliseconds that one of 20 questions waits for those before it.
 */
const mostEmbedded = { rows: 2_000_000, bytes: 2 * 1024 ** 3, wait: 250 }

/** What is wrong with a server, the most urgent first; empty when nothing is. */
export function adviceFor(health: ServerHealth, now: Date): Advice[] {
  const { queue, processes, disk, database, hosts, models, chats } = health
  const alive = processes.filter(({ isAlive }) => isAlive)
  const waited = queue.oldest === undefined ? 0 : (now.getTime() - queue.oldest.getTime()) / 60_000
  const versions = new Set(alive.map(({ version }) => version))
  const advice: (Advice | false)[] = [
    ...alive.flatMap(({ trouble, host }) =>
      trouble === undefined
        ? []
        : [
            {
              about: 'process' as const,
              what: `${host}: ${trouble}`,
              remedy: 'Make room there; work continues automatically after that.',
            },
          ],
    ),
    disk.free >= disk.leastFree &&
      disk.free < disk.leastFree * 3 && {
        about: 'disk',
        what: 'The disk of the data folder is nearly full',
        remedy:
          'Make room, or let mirrors take less of it with DOCWRIGHT_MIRRORS_MAX_MB: those that no one uses are deleted and fetched again when they are needed.',
      },
    ...processes.flatMap(({ isAlive, kind, host, pid, seenAt }) =>
      isAlive
        ? []
        : [
            {
              about: 'process' as const,
              what: `The ${kind === 'serve' ? 'server' : 'worker'} ${pid} on ${host} has given no sign of life since ${timeText(seenAt)}`,
              remedy:
                'If you did not stop it, look at its log and start it again. Its jobs were taken over by others. The line goes away after a day.',
            },
          ],
    ),
    versions.size > 1 && {
      about: 'process',
      what: `Processes of different versions share the database: ${[...versions].join(', ')}`,
      remedy: 'End the upgrade: start the older ones again with the new version.',
    },
    waited > longWait && {
      about: 'queue',
      what: `A prompt waits for ${Math.round(waited)} minutes`,
      remedy:
        database.engine === 'postgres'
          ? `Start more workers ("${ownCommand} worker"), or raise DOCWRIGHT_JOB_CONCURRENCY.`
          : 'Raise DOCWRIGHT_JOB_CONCURRENCY, or move to PostgreSQL and add workers.',
    },
    outgrown(database),
    database.connections !== undefined && { about: 'database', ...database.connections },
    database.milliseconds > slowDatabase && {
      about: 'database',
      what: `The database took ${Math.round(database.milliseconds)} ms to answer the smallest question`,
      remedy: 'Look at its load and at the network between it and the server.',
    },
    ...models.flatMap(({ variable, name, problem }) =>
      problem === undefined
        ? []
        : [
            {
              about: 'model' as const,
              what: `${variable}: ${name} cannot be used: ${problem}`,
              remedy: 'Set what is missing, and start the server again.',
            },
          ],
    ),
    ...hosts.flatMap(({ domain, error }) =>
      error === undefined
        ? []
        : [
            {
              about: 'host' as const,
              what: `${domain} could not be read: ${error}`,
              remedy: `Open its page, fix that, and click “Sync now”.`,
            },
          ],
    ),
    ...chats.flatMap(({ name, domain, problem }) =>
      problem === undefined
        ? []
        : [
            {
              about: 'chat' as const,
              what: `${name}, the chat workspace of ${domain}: ${problem}`,
              remedy:
                'Install the app in the workspace again, and connect it again if its token is a new one.',
            },
          ],
    ),
  ]
  return advice.filter((one) => one !== false)
}

/** When to move from the embedded database to PostgreSQL. */
function outgrown({ engine, rows, bytes = 0, wait = 0 }: ServerHealth['database']): Advice | false {
  if (engine !== 'pglite') return false
  const reasons = [
    ...(rows > mostEmbedded.rows ? [`has ${rows.toLocaleString('en')} rows`] : []),
    ...(bytes > mostEmbedded.bytes ? [`takes ${bytesText(bytes)}`] : []),
    ...(wait > mostEmbedded.wait ? [`lets one of 20 questions wait for ${Math.round(wait)} ms`] : []),
  ]
  return (
    reasons.length > 0 && {
      about: 'database',
      what: `This server has outgrown the embedded database, which ${reasons.join(' and ')}`,
      remedy: 'Move to PostgreSQL with a backup: docs/operate/backups.mdx says how.',
    }
  )
}

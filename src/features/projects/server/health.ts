import { ownCommand } from '../../../lib/own-command.ts'
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
    /** Prompts that wait for a host, a model or the machine. */
    parked: { of: string; count: number }[]
    /** Repositories that are to be read, or are read now. */
    syncs: number
  }
  processes: ServerProcess[]
  disk: { folder: string; free: number; leastFree: number }
  database: { engine: 'pglite' | 'postgres'; milliseconds: number; bytes: number | undefined }
  memory: { process: number; heap: number; machineFree: number; machine: number }
  mirrors: { count: number; bytes: number; most: number | undefined }
  hosts: HostContact[]
  models: { variable: string; name: string; problem: string | undefined }[]
  trouble: string | undefined
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

/** Something that is wrong, and what to do about it. */
export interface Advice {
  what: string
  remedy: string
}

/** Minutes after which a prompt waits longer than it should. */
const longWait = 5
const slowDatabase = 250

/** What is wrong with a server, the most urgent first; empty when nothing is. */
export function adviceFor(health: ServerHealth, now: Date): Advice[] {
  const { queue, processes, disk, database, hosts, models } = health
  const alive = processes.filter(({ isAlive }) => isAlive)
  const waited = queue.oldest === undefined ? 0 : (now.getTime() - queue.oldest.getTime()) / 60_000
  const versions = new Set(alive.map(({ version }) => version))
  const advice: (Advice | false)[] = [
    ...alive.flatMap(({ trouble, host }) =>
      trouble === undefined
        ? []
        : [{ what: `${host}: ${trouble}`, remedy: 'Make room there; work goes on by itself after that.' }],
    ),
    disk.free >= disk.leastFree &&
      disk.free < disk.leastFree * 3 && {
        what: 'The disk of the data folder is nearly full',
        remedy:
          'Make room, or let mirrors take less of it with DOCWRIGHT_MIRROR_GB: those that nobody uses are deleted and fetched again when they are needed.',
      },
    ...processes.flatMap(({ isAlive, kind, host, pid, seenAt }) =>
      isAlive
        ? []
        : [
            {
              what: `The ${kind === 'serve' ? 'server' : 'worker'} ${pid} on ${host} has given no sign of life since ${seenAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
              remedy:
                'If you did not stop it, look at its log and start it again. Its jobs were taken over by others. The line goes away after a day.',
            },
          ],
    ),
    versions.size > 1 && {
      what: `Processes of different versions share the database: ${[...versions].join(', ')}`,
      remedy: 'End the upgrade: start the older ones again with the new version.',
    },
    waited > longWait && {
      what: `A prompt waits for ${Math.round(waited)} minutes`,
      remedy:
        database.engine === 'postgres'
          ? `Start more workers ("${ownCommand} worker"), or raise DOCWRIGHT_JOB_CONCURRENCY.`
          : 'Raise DOCWRIGHT_JOB_CONCURRENCY, or move to PostgreSQL and add workers.',
    },
    database.milliseconds > slowDatabase && {
      what: `The database took ${Math.round(database.milliseconds)} ms to answer the smallest question`,
      remedy: 'Look at its load and at the network between it and the server.',
    },
    ...models.flatMap(({ variable, name, problem }) =>
      problem === undefined
        ? []
        : [
            {
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
              what: `${domain} could not be read: ${error}`,
              remedy: `Open its page, mend that, and press “Sync now”.`,
            },
          ],
    ),
  ]
  return advice.filter((one) => one !== false)
}

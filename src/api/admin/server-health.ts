import { z } from '@hono/zod-openapi'
import { adviceFor, advised, type ServerHealth } from '../../features/projects/server/health.ts'
import type { Access } from '../access.ts'
import { operations } from '../description/operation.ts'
import type { Endpoint } from '../endpoint.ts'

interface Ports {
  access: Access
  health(): Promise<ServerHealth>
  now(): Date
}

const time = z.iso.datetime()

const answer = z
  .object({
    version: z.string(),
    startedAt: time,
    queue: z.object({
      waiting: z.int().describe('Prompts that wait for a worker.'),
      oldest: time.nullable().describe('When the first of them was sent.'),
      running: z.int(),
      parked: z.array(z.object({ of: z.string(), count: z.int() })).describe('By what they wait for.'),
      syncs: z.int().describe('Repositories that are to be read, or are read now.'),
    }),
    processes: z.array(
      z.object({
        kind: z.enum(['serve', 'worker']),
        host: z.string(),
        pid: z.int(),
        version: z.string(),
        memory: z.int(),
        freeBytes: z.int(),
        trouble: z.string().nullable(),
        startedAt: time,
        seenAt: time,
        alive: z.boolean(),
      }),
    ),
    disk: z.object({ folder: z.string(), free: z.int(), leastFree: z.int() }),
    database: z.object({
      engine: z.enum(['pglite', 'postgres']),
      milliseconds: z.number(),
      bytes: z.int().nullable(),
      rows: z.int().describe('About.'),
      wait: z
        .number()
        .nullable()
        .describe(
          'Milliseconds that one of 20 questions to the embedded store has waited for others lately.',
        ),
    }),
    memory: z.object({ process: z.int(), heap: z.int(), machineFree: z.int(), machine: z.int() }),
    mirrors: z.object({ count: z.int(), bytes: z.int(), most: z.int().nullable() }),
    hosts: z.array(
      z.object({
        domain: z.string(),
        kind: z.string(),
        site: z.string(),
        readAt: time.nullable(),
        calledAt: time.nullable(),
        error: z.string().nullable(),
      }),
    ),
    models: z.array(z.object({ variable: z.string(), name: z.string(), problem: z.string().nullable() })),
    trouble: z.string().nullable(),
    advice: z
      .array(z.object({ about: z.enum(advised), what: z.string(), remedy: z.string() }))
      .describe('What is wrong, and what to do about it; empty when nothing is.'),
  })
  .openapi('Server', { description: 'How the server is.' })

/** How the server is. */
export function serverHealthEndpoint({ access, health, now }: Ports): Endpoint {
  return operations(access, 'Server').onServer('getServer', 'get /admin/server', 'How the server is', {
    description:
      'Queue, processes, disk, database, memory, mirrors, hosts and models, without secrets. For operators.',
    answer: [200, 'The state of the server', answer],
    async handle() {
      const found = await health()
      // It is said as advice.
      const { connections: _connections, ...database } = found.database
      const text = (date: Date | undefined): string | null => date?.toISOString() ?? null
      return {
        ...found,
        startedAt: found.startedAt.toISOString(),
        queue: { ...found.queue, oldest: text(found.queue.oldest) },
        processes: found.processes.map(({ id: _id, isAlive, trouble = null, startedAt, seenAt, ...one }) => ({
          ...one,
          trouble,
          startedAt: startedAt.toISOString(),
          seenAt: seenAt.toISOString(),
          alive: isAlive,
        })),
        database: {
          ...database,
          bytes: database.bytes ?? null,
          wait: database.wait ?? null,
        },
        mirrors: { ...found.mirrors, most: found.mirrors.most ?? null },
        hosts: found.hosts.map(({ readAt, calledAt, error = null, ...one }) => ({
          ...one,
          readAt: text(readAt),
          calledAt: text(calledAt),
          error,
        })),
        models: found.models.map(({ problem = null, ...one }) => ({ ...one, problem })),
        trouble: found.trouble ?? null,
        advice: adviceFor(found, now()),
      }
    },
  })
}

import { adviceFor, type ServerHealth } from '../../features/server/health.ts'
import { serverState } from '../../nouns/server/answers.ts'
import type { Access } from '../access.ts'
import { operations } from '../description/operation.ts'
import type { Endpoint } from '../endpoint.ts'

interface Ports {
  access: Access
  health(): Promise<ServerHealth>
  now(): Date
}

/** How the server is. */
export function serverHealthEndpoint({ access, health, now }: Ports): Endpoint {
  return operations(access, 'Server').onServer('getServer', 'get /admin/server', 'Get server status', {
    description:
      'Queue, processes, disk, database, memory, mirrors, hosts and models, without secrets. For operators.',
    answer: [200, 'The state of the server', serverState],
    async handle() {
      const state = await health()
      // Connections are reported in the advice only.
      const { connections: _connections, ...database } = state.database
      const text = (date: Date | undefined): string | null => date?.toISOString() ?? null
      return {
        ...state,
        startedAt: state.startedAt.toISOString(),
        queue: { ...state.queue, oldest: text(state.queue.oldest) },
        processes: state.processes.map(({ id: _id, isAlive, trouble = null, startedAt, seenAt, ...one }) => ({
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
        mirrors: { ...state.mirrors, most: state.mirrors.most ?? null },
        hosts: state.hosts.map(({ readAt, calledAt, error = null, ...one }) => ({
          ...one,
          readAt: text(readAt),
          calledAt: text(calledAt),
          error,
        })),
        models: state.models.map(({ problem = null, ...one }) => ({ ...one, problem })),
        trouble: state.trouble ?? null,
        advice: adviceFor(state, now()),
      }
    },
  })
}

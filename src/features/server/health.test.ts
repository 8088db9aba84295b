import { expect, it } from 'vitest'
import { adviceFor, type ServerHealth } from './health.ts'

const now = new Date('2026-06-20T12:00:00Z')

function server(database: Partial<ServerHealth['database']> = {}): ServerHealth {
  return {
    version: '1.0.0',
    startedAt: now,
    queue: { waiting: 0, oldest: undefined, running: 0, parked: [], syncs: 0 },
    processes: [],
    disk: { folder: '/data', free: 1e12, leastFree: 1e9 },
    database: {
      engine: 'pglite',
      milliseconds: 1,
      bytes: 5e8,
      rows: 600_000,
      wait: 4,
      connections: undefined,
      ...database,
    },
    memory: { process: 3e8, heap: 1e8, machineFree: 1e9, machine: 4e9 },
    mirrors: { count: 0, bytes: 0, most: undefined },
    hosts: [],
    models: [],
    chats: [],
    trouble: undefined,
  }
}

it('says nothing of a server that is well', () => {
  expect(adviceFor(server(), now)).toEqual([])
  expect(adviceFor(server({ wait: undefined, bytes: undefined }), now)).toEqual([])
})

it.each([
  [{ rows: 2_400_000 }, 'has 2,400,000 rows'],
  [{ bytes: 3.5 * 1024 ** 3 }, 'takes 3.5 GB'],
  [{ wait: 900 }, 'lets one of 20 questions wait for 900 ms'],
  [{ rows: 3_000_000, wait: 900 }, 'has 3,000,000 rows and lets one of 20 questions wait for 900 ms'],
])('advises to move to PostgreSQL when the embedded store is outgrown: %o', (database, reason) => {
  expect(adviceFor(server(database), now)).toMatchObject([
    {
      about: 'database',
      what: expect.stringContaining(reason),
      remedy: expect.stringContaining('PostgreSQL'),
    },
  ])
  expect(adviceFor(server({ ...database, engine: 'postgres' }), now)).toEqual([])
})

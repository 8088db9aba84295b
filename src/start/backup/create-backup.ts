import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Git } from '../../integrations/git/git.ts'
import { bundleRepository } from '../../integrations/git/mirrors/bundle-repository.ts'
import type { SecretKey } from '../../lib/secret-box.ts'
import { version } from '../../lib/version.ts'
import { createBackupFile, type BackupWriter } from '../../store/backup/backup-file.ts'
import { dumpTables } from '../../store/backup/dump-tables.ts'
import type { Store } from '../../store/database.ts'
import { appliedMigrations } from '../../store/migrate.ts'
import { signOf } from './secret-key-sign.ts'

export interface Progress {
  phase: string
  done: number
  total: number | null
}

export interface BackupParts {
  store: Store
  git: Git
  /** The folder of the repositories that live in the data folder. */
  repositories: string
  secretKey: SecretKey
}

/** Bytes of a repository in one line. */
const piece = 256 * 1024

/**
 * Writes everything that cannot be built again into `file`: the tables as they are at one moment, then the
 * repositories of the data folder. Those may be newer than the tables, which is what a crash may leave as well.
 */
export async function createBackup(
  { store, git, repositories, secretKey: [key] }: BackupParts,
  { file, withSecretKey, report }: { file: string; withSecretKey: boolean; report(progress: Progress): void },
): Promise<void> {
  const hex = withSecretKey ? Buffer.from(key).toString('hex') : null
  let writer: BackupWriter | undefined
  try {
    const begun = await store.snapshot(async (tx) => {
      const opened = (writer = await createBackupFile(file, {
        docwright: version,
        createdAt: new Date().toISOString(),
        engine: store.engine,
        repositories: resolve(repositories),
        migrations: await appliedMigrations(tx),
        secretKey: { sign: signOf(key), hex },
      }))
      let done = 0
      for await (const line of dumpTables(tx)) {
        await opened.write(line)
        if (done++ % 100 === 0) report({ phase: 'rows written', done, total: null })
      }
      return opened
    })
    for (const name of await foldersIn(repositories)) {
      report({ phase: `writing the repository ${name}`, done: 0, total: null })
      await writeRepository(git, begun, repositories, name)
    }
    await begun.end()
  } catch (error) {
    writer?.abort()
    if (writer) await rm(file, { force: true })
    throw error
  }
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries
    .flatMap((entry) => (entry.isDirectory() && entry.name.endsWith('.git') ? [entry.name] : []))
    .sort()
}

async function writeRepository(git: Git, writer: BackupWriter, folder: string, name: string): Promise<void> {
  const temporary = await mkdtemp(join(git.folder, 'tmp', 'backup-'))
  try {
    const bundle = join(temporary, 'bundle')
    const head = await bundleRepository(git, join(folder, name), bundle)
    if (head === undefined) return
    await using file = await open(bundle)
    await writer.write({ repository: name, head, bytes: (await file.stat()).size })
    for await (const chunk of file.createReadStream({ highWaterMark: piece, autoClose: false }))
      await writer.write({ piece: (chunk as Buffer).toString('base64') })
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

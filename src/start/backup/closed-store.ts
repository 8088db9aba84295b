import { rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { createGit } from '../../integrations/git/git.ts'
import { openEmbeddedStore, openPostgresStore } from '../../store/database.ts'
import { lockFolder } from '../../store/lock-folder.ts'
import { checkDataFolder, dataPaths, secretKey } from '../data-folder.ts'
import { createBackup, type BackupParts, type Progress } from './create-backup.ts'
import { restoreBackup, type Restored } from './restore-backup.ts'

type Parts = Omit<BackupParts, 'secretKey'>

/** Makes a backup while no server runs on the data folder. */
export function backupStore(
  config: Config,
  environment: NodeJS.ProcessEnv,
  options: { file: string; withSecretKey: boolean; report(progress: Progress): void },
): Promise<void> {
  return withStore(config, environment, async (parts) => {
    const key = config.secretKey ?? (await secretKey(config.dataFolder))
    await createBackup({ ...parts, secretKey: [key] }, options)
  })
}

export function restoreStore(
  config: Config,
  environment: NodeJS.ProcessEnv,
  options: { file: string; report(progress: Progress): void },
): Promise<Restored> {
  const { index, secretKey: file } = dataPaths(config.dataFolder)
  return withStore(config, environment, async (parts) => {
    // Those of a newer store would pass for current.
    await rm(index, { recursive: true, force: true })
    return restoreBackup({ ...parts, secretKey: { fromEnvironment: config.secretKey, file } }, options)
  })
}

async function withStore<T>(
  config: Config,
  environment: NodeJS.ProcessEnv,
  work: (parts: Parts) => Promise<T>,
): Promise<T> {
  const { dataFolder, databaseUrl } = config
  await checkDataFolder(dataFolder)
  const paths = dataPaths(dataFolder)
  const git = await createGit({ dataFolder, environment })
  await using _lock =
    databaseUrl === undefined
      ? await lockFolder(paths.store, `process ${process.pid} on ${hostname()}`)
      : undefined
  await using store =
    databaseUrl === undefined
      ? await openEmbeddedStore(join(paths.store, 'pglite'))
      : await openPostgresStore(databaseUrl)
  return await work({ store, git, repositories: paths.repositories })
}

import { mkdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endingSignal } from '../../lib/ending-signal.ts'
import { listProjects } from '../../features/projects/projects.ts'
import { maintainRepository } from '../../integrations/git/mirrors/maintain-repository.ts'
import { lockFile } from '../../store/file-lock.ts'
import { dataPaths } from '../data-folder.ts'
import type { Services } from '../services.ts'
import { evictMirrors } from './evict-mirrors.ts'

/** Milliseconds for one mirror: shorter than the time that others wait for a repository's lock. */
const maintenanceTime = 300_000
/** Milliseconds: processes that share the folder do it once in an hour together. */
const dueAfter = 3_000_000

/** Tidies up the mirrors of this data folder and deletes those that are not needed, unless another process has just done it. */
export async function maintainMirrors(services: Services, stopping: AbortSignal): Promise<void> {
  const { mirrors } = dataPaths(services.config.dataFolder)
  const mark = join(mirrors, 'maintained')
  const isDue = async (): Promise<boolean> => {
    const last = await stat(mark).catch(() => undefined)
    return last === undefined || Date.now() - last.mtimeMs > dueAfter
  }
  if (!(await isDue())) return
  // The folder of a server without a project has none yet.
  await mkdir(mirrors, { recursive: true })
  // Not a claim in the database: machines have folders of their own, and share them in ways that it does not know.
  const lock = await lockFile(join(mirrors, 'maintenance.lock'))
  if (!lock) return
  try {
    if (!(await isDue())) return
    await tidyMirrors(services, stopping)
    await evictMirrors(services)
    if (stopping.aborted) return
    await writeFile(mark, '', { flag: 'a' })
    const now = new Date()
    await utimes(mark, now, now)
  } finally {
    lock[Symbol.dispose]()
  }
}

async function tidyMirrors(services: Services, stopping: AbortSignal): Promise<void> {
  for (const project of await listProjects(services.store.db)) {
    using tidying = endingSignal({ signals: [stopping], milliseconds: maintenanceTime })
    const mirror = await services.presentMirror(project)
    if (!mirror) continue
    await maintainRepository(mirror, tidying.signal).catch((error: unknown) =>
      services.log.warn({ projectId: project.id, err: error }, 'A mirror could not be tidied up'),
    )
  }
}

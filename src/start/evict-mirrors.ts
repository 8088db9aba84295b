import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { listProjects } from '../features/projects/projects.ts'
import { evictMirror, lastUse } from '../integrations/git/evict-mirror.ts'
import type { Repository } from '../integrations/git/git.ts'
import { mirrorSize } from '../integrations/git/mirror-size.ts'
import { messageOf } from '../lib/errors.ts'
import { dataPaths } from './data-folder.ts'
import type { Services } from './open-services.ts'

/** Used this lately, a mirror stays whatever the sum is. */
const freshFor = 3_600_000

/**
 * Drops the mirrors that nobody has needed for longest until all together are within their limit. Those of folders on
 * this server stay, and those of projects with jobs under way: the others are fetched again when somebody needs them.
 */
export async function evictMirrors(services: Services): Promise<void> {
  const { config, log, git } = services
  if (config.mirrorsBytes === undefined) return
  const kept = await keptFolders(services)
  const { mirrors } = dataPaths(config.dataFolder)
  const names = (await readdir(mirrors).catch(() => [])).filter((name) => name.endsWith('.git'))
  const all = await Promise.all(
    names.map(async (name) => {
      const repository: Repository = { git, folder: join(mirrors, name) }
      const used = (await lastUse(repository))?.getTime() ?? 0
      return { repository, used, bytes: await mirrorSize(repository.folder) }
    }),
  )
  let sum = all.reduce((total, { bytes }) => total + bytes, 0)
  for (const { repository, used, bytes } of all.toSorted((a, b) => a.used - b.used)) {
    if (sum <= config.mirrorsBytes) return
    if (kept.has(repository.folder) || Date.now() - used < freshFor) continue
    try {
      if (await evictMirror(repository)) sum -= bytes
    } catch (error) {
      log.warn({ err: error }, `A mirror could not be dropped: ${messageOf(error)}`)
    }
  }
}

async function keptFolders({ store, mirror, hasMirror }: Services): Promise<Set<string>> {
  const active = await store.db
    .selectFrom('jobs')
    .select('project_id')
    .where('status', '=', 'active')
    .execute()
  const busy = new Set(active.map(({ project_id }) => project_id))
  const folders = new Set<string>()
  for (const project of await listProjects(store.db)) {
    const stays = project.kind === 'path' || project.sync.state !== 'ready' || busy.has(project.id)
    if (stays && (await hasMirror(project))) folders.add((await mirror(project, { isUse: false })).folder)
  }
  return folders
}

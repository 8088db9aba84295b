import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { listProjects } from '../../features/projects/projects.ts'
import { evictMirror, lastUse } from '../../integrations/git/mirrors/evict-mirror.ts'
import { halfFolder } from '../../integrations/git/mirrors/fill-mirror.ts'
import type { Repository } from '../../integrations/git/git.ts'
import { mirrorSize } from '../../integrations/git/mirrors/leftover-packs.ts'
import { messageOf } from '../../lib/errors.ts'
import { dataPaths } from '../data-folder.ts'
import type { Services } from '../services.ts'
import { withDefaults } from '../../features/projects/settings/schemas.ts'

/** A mirror that was used this recently stays, whatever the sum of sizes is. */
const freshFor = 3_600_000

interface Mirror {
  repository: Repository
  used: Date
  bytes: number
}

/**
 * Deletes mirrors without a project, and then the least recently used ones until the rest is within the limit.
 * Mirrors of folders on this server stay, and those of projects with jobs under way. Deleted ones are fetched again
 * when they are needed.
 */
export async function evictMirrors(services: Services): Promise<void> {
  const { config, log } = services
  await removeLeftovers(services)
  // Listed before the projects, so that a mirror that is created meanwhile does not seem to have no project.
  const all = await listMirrors(services)
  const { known, kept } = await neededFolders(services)
  const isKnown = ({ repository }: Mirror): boolean => known.has(repository.folder)
  let sum = all.reduce((total, { bytes }) => total + bytes, 0)
  for (const mirror of [...all.filter((one) => !isKnown(one)), ...all.filter(isKnown)]) {
    const { repository, used, bytes } = mirror
    if (isKnown(mirror) && (config.mirrorsBytes === undefined || sum <= config.mirrorsBytes)) return
    if (kept.has(repository.folder) || Date.now() - used.getTime() < freshFor) continue
    try {
      // Another process may have deleted it already.
      const isGone = (await evictMirror(repository, used)) || (await lastUse(repository)) === undefined
      if (isGone) sum -= bytes
    } catch (error) {
      log.warn({ err: error }, `Couldn’t delete a repository mirror: ${messageOf(error)}`)
    }
  }
}

/** The least recently used mirror comes first. */
async function listMirrors({ config, git }: Services): Promise<Mirror[]> {
  const { mirrors } = dataPaths(config.dataFolder)
  const names = (await readdir(mirrors).catch(() => [])).filter((name) => name.endsWith('.git'))
  const all = await Promise.all(
    names.map(async (name) => {
      const repository: Repository = { git, folder: join(mirrors, name) }
      const [used, whole, half] = await Promise.all([
        lastUse(repository),
        mirrorSize(repository.folder),
        mirrorSize(halfFolder(repository.folder)),
      ])
      return used === undefined ? [] : [{ repository, used, bytes: whole + half }]
    }),
  )
  return all.flat().toSorted((a, b) => a.used.getTime() - b.used.getTime())
}

/** The mirrors that belong to projects, and those among them that must stay. */
async function neededFolders({
  store,
  presentMirror,
}: Services): Promise<{ known: Set<string>; kept: Set<string> }> {
  const active = await store.db
    .selectFrom('jobs')
    .select('project_id')
    .where('status', '=', 'active')
    .execute()
  const busy = new Set(active.map(({ project_id }) => project_id))
  const known = new Set<string>()
  const kept = new Set<string>()
  for (const project of await listProjects(store.db)) {
    const stays = project.kind === 'path' || project.sync.state !== 'ready' || busy.has(project.id)
    const { organizationId } = project
    const contexts = withDefaults(project.settings).contextRepositories.map((one) => ({
      ...one,
      organizationId,
    }))
    for (const one of [project, ...contexts]) {
      const mirror = await presentMirror(one)
      if (!mirror) continue
      known.add(mirror.folder)
      if (stays) kept.add(mirror.folder)
    }
  }
  return { known, kept }
}

/** Far longer than any of these folders is used. */
const leftAfter = 86_400_000

/** Folders that a killed process left while it created or deleted a mirror. */
async function removeLeftovers({ config }: Services): Promise<void> {
  const { mirrors } = dataPaths(config.dataFolder)
  for (const name of await readdir(mirrors).catch(() => [])) {
    if (!/\.git\.(?:draft|broken|evicted)-/.test(name)) continue
    const folder = await stat(join(mirrors, name)).catch(() => undefined)
    if (folder === undefined || Date.now() - folder.mtimeMs < leftAfter) continue
    await rm(join(mirrors, name), { recursive: true, force: true })
  }
}

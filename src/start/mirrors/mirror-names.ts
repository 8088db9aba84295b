import { createHash } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { listProjects, type Project } from '../../features/projects/projects.ts'
import { halfFolder } from '../../integrations/git/mirrors/fill-mirror.ts'
import type { Reader } from '../../store/database.ts'
import { withDefaults } from '../../features/projects/settings/schemas.ts'

type Mirrored = Pick<Project, 'kind' | 'location' | 'organizationId'>

/**
 * The name of a mirror's folder. An organization's projects of one repository share it; others have fetched theirs with
 * other credentials, which see more or less. Folders on this server need none.
 */
export function mirrorName({ kind, location, organizationId }: Mirrored, forkPath?: string | null): string {
  return kind === 'path' ? hashed([location]) : hashed([organizationId, ...addressOf(location, forkPath)])
}

/**
 * Gives mirrors of older versions, which all organizations shared, to the one that uses it. Those of several are fetched
 * again by each, because nobody knows by now who was allowed to fetch what.
 */
export async function separateMirrors(db: Reader, mirrors: string): Promise<void> {
  const forks = new Map(
    (await db.selectFrom('project_hosts').select(['project_id', 'fork_path']).execute()).map(
      ({ project_id: id, fork_path: fork }) => [id, fork],
    ),
  )
  const users = new Map<string, Set<string>>()
  const note = (one: Mirrored, forkPath?: string | null): void => {
    if (one.kind === 'path') return
    const former = hashed(addressOf(one.location, forkPath))
    users.set(former, (users.get(former) ?? new Set()).add(mirrorName(one, forkPath)))
  }
  for (const project of await listProjects(db)) {
    note(project, forks.get(project.id))
    for (const one of withDefaults(project.settings).contextRepositories)
      note({ ...one, organizationId: project.organizationId })
  }
  for (const [former, [name, ...others]] of users) {
    if (name === undefined || others.length > 0) continue
    const [from, to] = [join(mirrors, former), join(mirrors, name)]
    // Where there is none, or one already, everything is as it should be.
    await rename(from, to).catch(() => undefined)
    await rename(halfFolder(from), halfFolder(to)).catch(() => undefined)
  }
}

function addressOf(location: string, forkPath: string | null | undefined): string[] {
  return forkPath === null || forkPath === undefined ? [location] : [location, forkPath]
}

function hashed(parts: readonly string[]): string {
  return `${createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 24)}.git`
}

import type { Store } from '../../store/database.ts'
import { sql } from 'kysely'
import type { HostAccess, HostedRepository } from '../../integrations/forges/host.ts'
import { gitUrl } from '../../integrations/forges/hosts.ts'
import type { Connection } from './connections.ts'
import { AppError, asProblem } from '../../lib/errors.ts'
import type { OpenConnection } from './open-connection.ts'

/**
 * Follows a repository that was renamed or transferred at its host: the project, its history and its webhook stay, and
 * only its address changes. Can be repeated.
 * @param path as the host calls the repository now
 * @returns whether that is another name than the project had
 */
export async function followRename(
  store: Store,
  { projectId, repository }: Pick<Connection, 'projectId' | 'repository'>,
  path: string,
): Promise<boolean> {
  const { site, path: former } = repository
  if (path.toLowerCase() === former.toLowerCase()) return false
  await store.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('project_hosts')
      .set({ path, revision: sql<number>`revision + 1` })
      .where('project_id', '=', projectId)
      .where('site', '=', site)
      .where('path', '=', former)
      .executeTakeFirst()
    // Another process was faster, or people have connected it to another repository.
    if (numUpdatedRows === 0n) return
    await tx
      .updateTable('projects')
      .set({ location: gitUrl(site, path) })
      .where('id', '=', projectId)
      .execute()
  })
  return true
}

/** What a host says about a repository that git could not use. */
export type HostReason =
  /** It was renamed, and the project has its new address: what failed can be tried again. */
  | { type: 'renamed'; path: string }
  /** Why, in words for people; `unavailable` while the host does not answer. */
  | { type: 'refused'; error: AppError }
  /** Nothing is wrong, now at least: it may have been mended meanwhile. */
  | { type: 'nothing' }

/**
 * Asks the host why git failed. Git's own words are a guess: a host answers many refusals as if there were no
 * repository.
 * @param wanted what git was to do there; what is missing to publish is no reason why a repository cannot be read
 * @returns undefined where there is no host to ask
 */
export async function askHostWhy(
  { store, openConnection }: { store: Store; openConnection: OpenConnection },
  projectId: string,
  wanted: 'read' | 'push',
): Promise<HostReason | undefined> {
  const opened = await openConnection(projectId).catch(() => undefined)
  if (!opened?.hosted || !opened.host) return undefined
  const { hosted } = opened
  const access = await (wanted === 'read' ? askPath(hosted) : hosted.checkAccess()).catch(asProblem)
  if (access instanceof AppError) return { type: 'refused', error: access }
  const { path, archived = false, missing = [] } = access
  if (await followRename(store, opened.connection, path)) return { type: 'renamed', path }
  const { name } = opened.host
  const refused = (words: string): HostReason => ({
    type: 'refused',
    error: new AppError('forbidden', words),
  })
  if (archived)
    return refused(`${path} is archived on ${name}: unarchive it in its settings, or remove the project`)
  if (missing.length > 0)
    return refused(`${name} says what is missing to publish in ${path}: ${missing.join(', ')}`)
  return { type: 'nothing' }
}

async function askPath(
  hosted: Pick<HostedRepository, 'presentPath'>,
): Promise<Pick<HostAccess, 'path'> & Partial<HostAccess>> {
  return { path: await hosted.presentPath() }
}

import { AppError, asProblem } from '../../../lib/errors.ts'
import type { Store } from '../../../store/database.ts'
import { followRename } from './follow-rename.ts'
import type { OpenConnection } from './open-connection.ts'

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
 * @returns undefined where there is no host to ask
 */
export async function askHostWhy(
  { store, openConnection }: { store: Store; openConnection: OpenConnection },
  projectId: string,
): Promise<HostReason | undefined> {
  const opened = await openConnection(projectId).catch(() => undefined)
  if (!opened?.hosted || !opened.host) return undefined
  const { name } = opened.host
  const access = await opened.hosted.checkAccess().catch(asProblem)
  if (access instanceof AppError) return { type: 'refused', error: access }
  const { path, archived, missing } = access
  if (await followRename(store, opened.connection, path)) return { type: 'renamed', path }
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

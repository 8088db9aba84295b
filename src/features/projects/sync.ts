import { sql } from 'kysely'
import type { Reader, Tx, Store } from '../../store/database.ts'
import { projectOf, findProject, moveProject, type Project } from './projects.ts'
import type { Queue } from '../../store/queue.ts'
import { checkRemote, readDefaultBranch } from '../../integrations/git/remotes/check-remote.ts'
import type { Git } from '../../integrations/git/git.ts'
import type { Remote } from '../../integrations/git/remote.ts'

/**
 * Takes the projects that are due to be synced, so that no other process takes them too.
 * @param seconds between two syncs of a project
 */
export async function takeDueSyncs(tx: Tx, seconds: number): Promise<string[]> {
  // Projects keep their time, however late one looks; after a pause each comes once.
  const { rows } = await sql<{ id: string }>`
    update projects set sync_due_at = greatest(sync_due_at + make_interval(secs => ${seconds}),
      now() + make_interval(secs => ${seconds / 2}))
    where id in (
      select id from projects where sync_due_at <= now() order by sync_due_at for update skip locked
    )
    returning id
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** The projects whose sections models are to read now. */
export async function dueEnrichments(db: Reader): Promise<string[]> {
  const rows = await db
    .selectFrom('projects')
    .selectAll()
    .where(sql<boolean>`settings ? 'enrichment'`)
    .where('sync_state', '<>', 'syncing')
    .orderBy('created_at')
    .execute()
  return rows.filter((row) => projectOf(row).enrichment?.isDue === true).map(({ id }) => id)
}

/**
 * Queues a sync that somebody waits for, and clears the failure of an earlier one, which could be mistaken for its
 * own. With the failure goes the time for which the project was left alone because of it.
 * @param options.delay seconds until it starts; it covers all requests until then
 */
export async function requestSync(
  tx: Tx,
  queue: Pick<Queue, 'send'>,
  projectId: string,
  options?: { delay: number },
): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ sync_state: 'pending', sync_error: null, sync_due_at: sql<Date>`now()` })
    .where('id', '=', projectId)
    .where('sync_state', '=', 'failed')
    .execute()
  await queue.send(tx, 'sync', projectId, options)
}

/** The default branch of a repository whose earlier branch is gone. */
export interface DefaultBranch {
  branch: string
  /** Whether the project reads it now. Otherwise its branch was given by people, who have to give another. */
  followed: boolean
}

/**
 * Switches a project whose branch is gone to the repository's default branch, unless people chose the branch.
 * @param gone the missing branch; the project may have left it already
 * @returns undefined when there is no other branch to read
 * @throws AppError when the repository cannot be asked
 */
export async function followDefaultBranch(
  { store, queue, git }: { store: Store; queue: Pick<Queue, 'send'>; git: Git },
  projectId: string,
  remote: Remote,
  gone: string,
): Promise<DefaultBranch | undefined> {
  const before = await findProject(store.db, projectId)
  if (before && before.ref !== gone) return { branch: before.ref, followed: true }
  const { branch } = await checkRemote(git, remote)
  if (before === undefined || branch === gone) return undefined
  if (!before.followsDefault) return { branch, followed: false }
  await store.transaction(async (tx) => {
    const { location } = before
    await moveProject(tx, projectId, { location, ref: branch, followsDefault: true }, gone)
    await queue.send(tx, 'sync', projectId)
  })
  return { branch, followed: true }
}

/**
 * Before a project is read: switches it to the repository's new default branch, even if the former one still
 * exists. Jobs that have started keep their branch.
 * @returns the project after the change
 * @throws AppError when the repository cannot be asked
 */
export async function switchToDefaultBranch(
  { store, git }: { store: Store; git: Git },
  project: Project,
  remote: Remote,
): Promise<Project> {
  const { id, location, ref: before, followsDefault } = project
  const ref = followsDefault ? await readDefaultBranch(git, remote) : undefined
  if (ref === undefined || ref === before) return project
  await store.transaction((tx) => moveProject(tx, id, { location, ref, followsDefault }, before))
  return (await findProject(store.db, id)) ?? project
}

import { checkRemote, readDefaultBranch } from '../../../integrations/git/remotes/check-remote.ts'
import type { Git } from '../../../integrations/git/git.ts'
import type { Remote } from '../../../integrations/git/remotes/remote.ts'
import type { Store } from '../../../store/database.ts'
import type { Queue } from '../../../store/queue.ts'
import { findProject, moveProject, type Project } from '../projects.ts'

/** What a project's branch is called now that the one it had is gone. */
export interface DefaultBranch {
  branch: string
  /** Whether the project reads it now; otherwise its own branch was named, and people have to name another. */
  followed: boolean
}

/**
 * For a project whose branch is gone: goes over to the repository's default branch, unless people named the branch.
 * @param gone the branch that was looked for; the project may have gone on from it already
 * @returns undefined when there is nothing else to read
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
 * For a project about to be read: goes over to another branch that the repository has made its default one, though the
 * one so far is still there. Jobs that began before keep that.
 * @returns the project as it is then
 * @throws AppError when the repository cannot be asked
 */
export async function keepToDefaultBranch(
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

import { checkRemote, readDefaultBranch } from '../../../integrations/git/remotes/check-remote.ts'
import type { Git } from '../../../integrations/git/git.ts'
import type { Remote } from '../../../integrations/git/remote.ts'
import type { Store } from '../../../store/database.ts'
import type { Queue } from '../../../store/queue.ts'
import { findProject, moveProject, type Project } from '../projects.ts'

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

import { findProject, listProjects, type Project } from '../features/projects/projects.ts'
import { messageOf } from '../lib/errors.ts'
import type { Services } from './services.ts'

/** Builds indexes in the background, so that no search has to wait for one. */
export interface IndexPreparer {
  /** After a sync. Returns at once. */
  begin(projectId: string): void
  /** Looks for what other processes have synchronized, and at the start for what is missing. */
  sweep(): Promise<void>
}

export function createIndexPreparer(
  { store, indexes, log }: Pick<Services, 'store' | 'indexes' | 'log'>,
  stopping: AbortSignal,
): IndexPreparer {
  /** The generations that were looked at. */
  const seen = new Map<string, number>()
  const prepare = async (project: Project): Promise<void> => {
    const { id, generation, sync } = project
    if (stopping.aborted || sync.state === 'syncing' || seen.get(id) === generation) return
    seen.set(id, generation)
    try {
      await indexes.prepare(project)
    } catch (error) {
      seen.delete(id)
      log.warn({ projectId: id, err: error }, `An index could not be built: ${messageOf(error)}`)
    }
  }
  return {
    begin(projectId) {
      const work = async (): Promise<void> => {
        const project = await findProject(store.db, projectId)
        if (project) await prepare(project)
      }
      work().catch((error: unknown) =>
        log.warn({ projectId, err: error }, `An index could not be built: ${messageOf(error)}`),
      )
    },
    async sweep() {
      const projects = await listProjects(store.db)
      const known = new Set(projects.map(({ id }) => id))
      for (const id of seen.keys()) if (!known.has(id)) seen.delete(id)
      for (const project of projects) await prepare(project)
    },
  }
}

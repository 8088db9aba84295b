import { createSiteChecks, type SiteChecks } from '../features/docs/problems/site-checks.ts'
import { findProject } from '../features/projects/projects.ts'
import { AppError, messageOf } from '../lib/errors.ts'
import type { Services } from './services.ts'

/** Checks of the sites of projects. */
export function siteChecksOf({ store, log, filledMirror }: Services): SiteChecks {
  return createSiteChecks({
    store,
    mirror: async ({ id }, commits) => {
      const project = await findProject(store.db, id)
      if (!project) throw new AppError('not_found', 'The project no longer exists')
      return filledMirror(project, commits)
    },
    reportError: (error) => log.warn({ err: error }, `A site could not be checked: ${messageOf(error)}`),
  })
}

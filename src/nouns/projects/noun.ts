import { doorOf } from '../../verbs/http.ts'
import { hideFirstStepsForm } from './first-steps/list.ts'
import { firstStepDeeds } from './first-steps/run.ts'
import { addProjectEndpoints, listProjectsEndpoints } from './page.ts'
import { projectDeeds } from './run.ts'
import { showProjectEndpoint, syncProjectEndpoint } from './show-project.ts'

/** Repositories with documentation. */
export const projects = {
  endpoints: [doorOf(projectDeeds), doorOf(firstStepDeeds)],
  pages: [
    listProjectsEndpoints,
    addProjectEndpoints,
    hideFirstStepsForm,
    showProjectEndpoint,
    syncProjectEndpoint,
  ],
} as const

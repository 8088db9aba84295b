import { doorOf } from '../../verbs/http.ts'
import { firstStepsEndpoints } from './first-steps/endpoints.ts'
import { hideFirstStepsForm } from './first-steps/list.ts'
import { addProjectEndpoints, listProjectsEndpoints } from './page.ts'
import { projectDeeds } from './run.ts'
import { showProjectEndpoint, syncProjectEndpoint } from './show-project.ts'

/** Repositories with documentation. */
export const projects = {
  endpoints: [doorOf(projectDeeds), firstStepsEndpoints],
  pages: [
    listProjectsEndpoints,
    addProjectEndpoints,
    hideFirstStepsForm,
    showProjectEndpoint,
    syncProjectEndpoint,
  ],
} as const

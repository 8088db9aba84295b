import { projectEndpoints } from './endpoints.ts'
import { firstStepsEndpoints } from './first-steps/endpoints.ts'
import { hideFirstStepsForm } from './first-steps/list.ts'
import { addProjectEndpoints, listProjectsEndpoints } from './page.ts'
import { readFolderEndpoint, showProjectEndpoint, syncProjectEndpoint } from './show-project.ts'

/** Repositories with documentation. */
export const projects = {
  endpoints: [projectEndpoints, firstStepsEndpoints],
  pages: [
    listProjectsEndpoints,
    addProjectEndpoints,
    hideFirstStepsForm,
    showProjectEndpoint,
    syncProjectEndpoint,
    readFolderEndpoint,
  ],
} as const

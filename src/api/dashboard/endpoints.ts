import { getAssetEndpoint } from './assets/get-asset.ts'
import { noSuchPage } from './html/error-page.ts'
import { streamChangesEndpoints } from './live/stream-changes.ts'
import { jobForms } from './projects/jobs/job-forms.ts'
import { listJobsEndpoint } from './projects/jobs/list-jobs.ts'
import { newJobEndpoint } from './projects/jobs/new-job/new-job-page.ts'
import { showJobEndpoint } from './projects/jobs/show-job.ts'
import { keyForms, listKeysEndpoint } from './projects/keys.ts'
import { addProjectEndpoints, listProjectsEndpoints } from './projects/projects.ts'
import { listPullsEndpoint, pullForms } from './projects/pulls/pulls.ts'
import { showPullEndpoint } from './projects/pulls/show-pull.ts'
import { settingsForms } from './projects/settings/change-settings.ts'
import { showSettingsEndpoint } from './projects/settings/settings-page.ts'
import { showProjectEndpoint, readFolderEndpoint, syncProjectEndpoint } from './projects/show-project.ts'
import { listWebhooksPageEndpoint, showWebhookEndpoint, webhookForms } from './projects/webhooks.ts'
import { showSignInEndpoint, signInEndpoint, signOutEndpoint } from './sign-in/sign-in.ts'
import { createMarkdownReader } from '../docs/read-markdown.ts'
import { showDocsEndpoint } from '../docs/show-docs.ts'
import type { Endpoint } from '../endpoint.ts'
import { page } from './page.ts'
import type { DashboardPorts } from './ports.ts'

/** Every page for browsers: the dashboard and the rendered documentation. */
export function dashboardEndpoints(ports: DashboardPorts): Endpoint[] {
  const shared = { ...ports, readMarkdown: createMarkdownReader() }
  return [
    getAssetEndpoint(ports),
    ...streamChangesEndpoints(ports),
    showSignInEndpoint(ports),
    signInEndpoint(ports),
    signOutEndpoint(ports),
    ...listProjectsEndpoints(ports),
    ...addProjectEndpoints(ports),
    showProjectEndpoint(ports),
    syncProjectEndpoint(ports),
    readFolderEndpoint(ports),
    listKeysEndpoint(ports),
    ...keyForms(ports),
    listWebhooksPageEndpoint(ports),
    showWebhookEndpoint(ports),
    ...webhookForms(ports),
    showSettingsEndpoint(ports),
    ...settingsForms(ports),
    listJobsEndpoint(ports),
    // Before a job's page, whose address it would be too.
    newJobEndpoint(ports),
    showJobEndpoint(shared),
    ...jobForms(shared),
    listPullsEndpoint(ports),
    showPullEndpoint(shared),
    ...pullForms(shared),
    showDocsEndpoint(shared),
    // Comes last, for addresses that no page above has.
    page(ports, '/projects/*', 'listProjects', () => Promise.reject(noSuchPage())),
  ]
}

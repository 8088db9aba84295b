import type { Endpoint } from '../endpoint.ts'
import { createMarkdownReader } from '../docs/read-markdown.ts'
import { showDocsEndpoint } from '../docs/show-docs.ts'
import { getAssetEndpoint } from './assets/get-asset.ts'
import { noSuchPage } from './html/error-page.ts'
import { page } from './page.ts'
import type { DashboardPorts } from './ports.ts'
import { addProjectEndpoints } from './projects/add-project.ts'
import { jobForms } from './projects/jobs/job-forms.ts'
import { listJobsEndpoint } from './projects/jobs/list-jobs.ts'
import { showJobEndpoint } from './projects/jobs/show-job.ts'
import { keyForms } from './projects/keys/key-forms.ts'
import { listKeysEndpoint } from './projects/keys/list-keys.ts'
import { listProjectsEndpoints } from './projects/list-projects.ts'
import { listPullsEndpoint } from './projects/pulls/list-pulls.ts'
import { pullForms } from './projects/pulls/pull-forms.ts'
import { showPullEndpoint } from './projects/pulls/show-pull.ts'
import { settingsForms } from './projects/settings/settings-forms.ts'
import { showSettingsEndpoint } from './projects/settings/settings-page.ts'
import { showProjectEndpoint, syncProjectEndpoint } from './projects/show-project.ts'
import { listWebhooksPageEndpoint } from './projects/webhooks/list-webhooks.ts'
import { showWebhookEndpoint } from './projects/webhooks/show-webhook.ts'
import { webhookForms } from './projects/webhooks/webhook-forms.ts'
import { showSignInEndpoint, signInEndpoint, signOutEndpoint } from './sign-in/sign-in.ts'

/** Every page for browsers: the dashboard and the rendered documentation. */
export function dashboardEndpoints(ports: DashboardPorts): Endpoint[] {
  const shared = { ...ports, readMarkdown: createMarkdownReader() }
  return [
    getAssetEndpoint(ports),
    showSignInEndpoint(ports),
    signInEndpoint(ports),
    signOutEndpoint(ports),
    ...listProjectsEndpoints(ports),
    ...addProjectEndpoints(ports),
    showProjectEndpoint(ports),
    syncProjectEndpoint(ports),
    listKeysEndpoint(ports),
    ...keyForms(ports),
    listWebhooksPageEndpoint(ports),
    showWebhookEndpoint(ports),
    ...webhookForms(ports),
    showSettingsEndpoint(ports),
    ...settingsForms(ports),
    listJobsEndpoint(ports),
    showJobEndpoint(shared),
    ...jobForms(ports),
    listPullsEndpoint(ports),
    showPullEndpoint(shared),
    ...pullForms(ports),
    showDocsEndpoint(shared),
    // Last: what no page above has.
    page(ports, '/projects/*', 'listProjects', () => Promise.reject(noSuchPage())),
  ]
}

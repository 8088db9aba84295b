import type { Endpoint } from '../endpoint.ts'
import { createMarkdownReader } from '../docs/read-markdown.ts'
import { showDocsEndpoint } from '../docs/show-docs.ts'
import { getAssetEndpoint } from './assets/get-asset.ts'
import { noSuchPage } from './html/error-page.ts'
import { page } from './page.ts'
import type { DashboardPorts } from './ports.ts'
import { addProjectEndpoints } from './projects/add-project.ts'
import { actOnJobEndpoints } from './projects/jobs/act-on-job.ts'
import { createJobFormEndpoint } from './projects/jobs/create-job.ts'
import { listJobsEndpoint } from './projects/jobs/list-jobs.ts'
import { showJobEndpoint } from './projects/jobs/show-job.ts'
import { createKeyEndpoint } from './projects/keys/create-key.ts'
import { listKeysEndpoint } from './projects/keys/list-keys.ts'
import { revokeKeyEndpoint } from './projects/keys/revoke-key.ts'
import { listProjectsEndpoints } from './projects/list-projects.ts'
import { actOnPullEndpoints } from './projects/pulls/act-on-pull.ts'
import { listPullsEndpoint } from './projects/pulls/list-pulls.ts'
import { showPullEndpoint } from './projects/pulls/show-pull.ts'
import { changeContextEndpoints } from './projects/settings/change-context.ts'
import { changeHostEndpoints } from './projects/settings/change-host.ts'
import { saveSettingsEndpoint } from './projects/settings/save-settings.ts'
import { showSettingsEndpoint } from './projects/settings/show-settings.ts'
import { actOnWebhookEndpoints } from './projects/webhooks/act-on-webhook.ts'
import { createWebhookFormEndpoint } from './projects/webhooks/create-webhook.ts'
import { listWebhooksPageEndpoint } from './projects/webhooks/list-webhooks.ts'
import { showWebhookEndpoint } from './projects/webhooks/show-webhook.ts'
import { showProjectEndpoint } from './projects/show-project.ts'
import { syncProjectEndpoint } from './projects/sync-project.ts'
import { showSignInEndpoint } from './sign-in/show-sign-in.ts'
import { signInEndpoint } from './sign-in/sign-in.ts'
import { signOutEndpoint } from './sign-in/sign-out.ts'

/** Every page for browsers: the dashboard and the rendered documentation. */
export function dashboardEndpoints(ports: DashboardPorts): Endpoint[] {
  const dependencies = { ...ports, readMarkdown: createMarkdownReader() }
  return [
    getAssetEndpoint(ports),
    showSignInEndpoint(ports),
    signInEndpoint(ports),
    signOutEndpoint(ports),
    ...listProjectsEndpoints(ports),
    showProjectEndpoint(ports),
    syncProjectEndpoint(ports),
    listKeysEndpoint(ports),
    createKeyEndpoint(ports),
    revokeKeyEndpoint(ports),
    listWebhooksPageEndpoint(ports),
    createWebhookFormEndpoint(ports),
    showWebhookEndpoint(ports),
    ...actOnWebhookEndpoints(ports),
    showSettingsEndpoint(ports),
    saveSettingsEndpoint(ports),
    ...changeHostEndpoints(ports),
    ...changeContextEndpoints(ports),
    ...addProjectEndpoints(ports),
    listJobsEndpoint(ports),
    createJobFormEndpoint(ports),
    showJobEndpoint(dependencies),
    ...actOnJobEndpoints(ports),
    listPullsEndpoint(ports),
    showPullEndpoint(dependencies),
    ...actOnPullEndpoints(ports),
    showDocsEndpoint(dependencies),
    // Last: what no page above has.
    page(ports, '/projects/*', () => Promise.reject(noSuchPage())),
  ]
}

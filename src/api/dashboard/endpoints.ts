import { showReferenceEndpoint } from '../reference/show-reference.ts'
import { getAssetEndpoint } from './get-asset.ts'
import { showFindEndpoint } from './find/show-find.ts'
import { hideFirstStepsForm } from './first-steps/first-steps.ts'
import { noSuchPage } from './html/error-page.ts'
import { showConversationEndpoint, deletionForms } from './projects/assistant/show-conversation.ts'
import { listConversationsEndpoint } from './projects/assistant/conversations.ts'
import { gapForms } from './projects/assistant/gap-forms.ts'
import { listGapsEndpoint } from './projects/assistant/gaps.ts'
import { assistantOverviewEndpoint } from './projects/assistant/overview.ts'
import { askPlaygroundEndpoint, showPlaygroundEndpoint } from './projects/assistant/playground.ts'
import { listSearchesEndpoint } from './projects/assistant/searches.ts'
import { showGapEndpoint } from './projects/assistant/show-gap.ts'
import { showUseEndpoint } from './projects/assistant/use.ts'
import { streamChangesEndpoints } from './live/stream-changes.ts'
import { jobForms } from './projects/jobs/job-forms.ts'
import { listJobsEndpoint } from './projects/jobs/list-jobs.ts'
import { newJobEndpoint } from './projects/jobs/new-job/new-job-page.ts'
import { showJobEndpoint } from './projects/jobs/show-job.ts'
import { keyForms, listKeysEndpoint } from './projects/keys.ts'
import { addProjectEndpoints, listProjectsEndpoints } from './projects/projects.ts'
import { problemForms } from './projects/problems/problem-forms.ts'
import { showProblemsEndpoint } from './projects/problems/show-problems.ts'
import { showCommitEndpoint } from './projects/pulls/commits.ts'
import { reviewForms } from './projects/pulls/review-forms.ts'
import { listPullsEndpoint, pullForms } from './projects/pulls/pulls.ts'
import { showPullEndpoint } from './projects/pulls/show-pull.ts'
import { settingsForms } from './projects/settings/change-settings.ts'
import { showSettingsEndpoints } from './projects/settings/settings-page.ts'
import { showProjectEndpoint, readFolderEndpoint, syncProjectEndpoint } from './projects/show-project.ts'
import { listWebhooksPageEndpoint, showWebhookEndpoint, webhookForms } from './projects/webhooks.ts'
import { showServerEndpoint } from './server/show-server.ts'
import { widgetPages } from './projects/widget.ts'
import { getImageEndpoint } from './review/get-image.ts'
import { createRowReader } from './review/read-rows.ts'
import { accountForms } from './people/account-forms.ts'
import { auditPages } from './people/audit-page.ts'
import { peopleForms } from './people/people-forms.ts'
import { linkEndpoints } from './sign-in/join.ts'
import { signInForms } from './sign-in/sign-in.ts'
import { createMarkdownReader } from '../docs/markdown/read-markdown.ts'
import { showDocsEndpoint, showDocsImageEndpoint } from '../docs/show-docs.ts'
import type { Endpoint } from '../endpoint.ts'
import { page } from './page.ts'
import type { DashboardPorts } from './ports.ts'

/** Every page for browsers: the dashboard and the rendered documentation. */
export function dashboardEndpoints(ports: DashboardPorts): Endpoint[] {
  const shared = { ...ports, readMarkdown: createMarkdownReader(), readRows: createRowReader() }
  return [
    getAssetEndpoint(ports),
    ...signInForms(ports),
    ...linkEndpoints(ports),
    ...peopleForms(ports),
    ...accountForms(ports),
    ...auditPages(ports),
    ...streamChangesEndpoints(ports),
    ...listProjectsEndpoints(ports),
    ...addProjectEndpoints(ports),
    hideFirstStepsForm(ports),
    showServerEndpoint(ports),
    showFindEndpoint(ports),
    showReferenceEndpoint(ports),
    showProjectEndpoint(ports),
    syncProjectEndpoint(ports),
    readFolderEndpoint(ports),
    listKeysEndpoint(ports),
    ...widgetPages(ports),
    ...keyForms(ports),
    listWebhooksPageEndpoint(ports),
    showWebhookEndpoint(ports),
    ...webhookForms(ports),
    showProblemsEndpoint(ports),
    ...problemForms(ports),
    ...showSettingsEndpoints(ports),
    ...settingsForms(ports),
    listJobsEndpoint(ports),
    // Before a job's page, whose address it would be too.
    newJobEndpoint(ports),
    showJobEndpoint(shared),
    ...jobForms(shared),
    listPullsEndpoint(ports),
    showPullEndpoint(shared),
    ...pullForms(shared),
    getImageEndpoint(ports),
    assistantOverviewEndpoint(ports),
    showPlaygroundEndpoint(shared),
    askPlaygroundEndpoint(shared),
    listConversationsEndpoint(ports),
    showConversationEndpoint(shared),
    ...deletionForms(ports),
    listGapsEndpoint(ports),
    showGapEndpoint(ports),
    ...gapForms(ports),
    listSearchesEndpoint(ports),
    showUseEndpoint(ports),
    ...reviewForms(shared),
    showCommitEndpoint(shared),
    showDocsImageEndpoint(shared),
    showDocsEndpoint(shared),
    // Comes last, for addresses that no page above has.
    page(ports, '/projects/*', 'listProjects', () => Promise.reject(noSuchPage())),
  ]
}

import { showDocsEndpoint, showDocsImageEndpoint } from '../docs/show-docs.ts'
import type { Endpoint } from '../endpoint.ts'
import { getAssetEndpoint } from '../frame/get-asset.ts'
import { noSuchPage } from '../frame/html/error-page.ts'
import type { Pages } from '../frame/pages.ts'
import { showReferenceEndpoint } from '../reference/show-reference.ts'
import { showFindEndpoint } from './find/show-find.ts'
import { hideFirstStepsForm } from './first-steps/first-steps.ts'
import { streamChangesEndpoints } from './live/stream-changes.ts'
import { accountForms } from './people/account-forms.ts'
import { auditPages } from './people/audit-page.ts'
import { peopleForms } from './people/people-forms.ts'
import { listConversationsEndpoint } from './projects/assistant/conversations.ts'
import { gapForms } from './projects/assistant/gap-forms.ts'
import { listGapsEndpoint } from './projects/assistant/gaps.ts'
import { assistantOverviewEndpoint } from './projects/assistant/overview.ts'
import { askPlaygroundEndpoint, showPlaygroundEndpoint } from './projects/assistant/playground.ts'
import { listSearchesEndpoint } from './projects/assistant/searches.ts'
import { showConversationEndpoint, deletionForms } from './projects/assistant/show-conversation.ts'
import { showGapEndpoint } from './projects/assistant/show-gap.ts'
import { showUseEndpoint } from './projects/assistant/use.ts'
import { jobForms } from './projects/jobs/job-forms.ts'
import { listJobsEndpoint } from './projects/jobs/list-jobs.ts'
import { newJobEndpoint } from './projects/jobs/new-job/new-job-page.ts'
import { showJobEndpoint } from './projects/jobs/show-job.ts'
import { keyForms, listKeysEndpoint } from './projects/keys.ts'
import { problemForms } from './projects/problems/problem-forms.ts'
import { showProblemsEndpoint } from './projects/problems/show-problems.ts'
import { addProjectEndpoints, listProjectsEndpoints } from './projects/projects.ts'
import { showCommitEndpoint } from './projects/pulls/commits.ts'
import { listPullsEndpoint, pullForms } from './projects/pulls/pulls.ts'
import { reviewForms } from './projects/pulls/review-forms.ts'
import { showPullEndpoint } from './projects/pulls/show-pull.ts'
import { settingsForms } from './projects/settings/change-settings.ts'
import { showSettingsEndpoints } from './projects/settings/settings-page.ts'
import { showProjectEndpoint, readFolderEndpoint, syncProjectEndpoint } from './projects/show-project.ts'
import { listWebhooksPageEndpoint, showWebhookEndpoint, webhookForms } from './projects/webhooks.ts'
import { widgetPages } from './projects/widget.ts'
import { getImageEndpoint } from './review/get-image.ts'
import { showServerEndpoint } from './server/show-server.ts'
import { linkEndpoints } from './sign-in/join.ts'
import { signInForms } from './sign-in/sign-in.ts'

/** What makes the pages for browsers, in the order in which addresses are looked up. */
const makers = [
  getAssetEndpoint,
  signInForms,
  linkEndpoints,
  peopleForms,
  accountForms,
  auditPages,
  streamChangesEndpoints,
  listProjectsEndpoints,
  addProjectEndpoints,
  hideFirstStepsForm,
  showServerEndpoint,
  showFindEndpoint,
  showReferenceEndpoint,
  showProjectEndpoint,
  syncProjectEndpoint,
  readFolderEndpoint,
  listKeysEndpoint,
  widgetPages,
  keyForms,
  listWebhooksPageEndpoint,
  showWebhookEndpoint,
  webhookForms,
  showProblemsEndpoint,
  problemForms,
  showSettingsEndpoints,
  settingsForms,
  listJobsEndpoint,
  // Before a job's page, whose address it would be too.
  newJobEndpoint,
  showJobEndpoint,
  jobForms,
  listPullsEndpoint,
  showPullEndpoint,
  pullForms,
  getImageEndpoint,
  assistantOverviewEndpoint,
  showPlaygroundEndpoint,
  askPlaygroundEndpoint,
  listConversationsEndpoint,
  showConversationEndpoint,
  deletionForms,
  listGapsEndpoint,
  showGapEndpoint,
  gapForms,
  listSearchesEndpoint,
  showUseEndpoint,
  reviewForms,
  showCommitEndpoint,
  showDocsImageEndpoint,
  showDocsEndpoint,
] as const

/** What all of them need together. */
type Ports = [(typeof makers)[number]] extends [(pages: Pages, ports: infer P) => unknown] ? P : never

/** Every page for browsers: the dashboard and the rendered documentation. */
export function dashboardEndpoints(pages: Pages, ports: Ports): Endpoint[] {
  return [
    ...makers.flatMap((make) => make(pages, ports)),
    // Comes last, for addresses that no page above has.
    pages.page('/projects/*', 'listProjects', () => Promise.reject(noSuchPage())),
  ]
}

import { showDocsEndpoint, showDocsImageEndpoint } from '../api/docs/show-docs.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { getAssetEndpoint } from '../api/frame/get-asset.ts'
import { noSuchPage } from '../api/frame/html/error-page.ts'
import type { Pages } from '../api/frame/pages.ts'
import { showReferenceEndpoints } from '../api/reference/show-reference.ts'
import { showFindEndpoint } from '../api/dashboard/find/show-find.ts'
import { streamChangesEndpoints } from '../api/dashboard/live/stream-changes.ts'
import { listConversationsEndpoint } from '../api/dashboard/projects/assistant/conversations.ts'
import {
  askPlaygroundEndpoint,
  showPlaygroundEndpoint,
} from '../api/dashboard/projects/assistant/playground.ts'
import { listSearchesEndpoint } from '../api/dashboard/projects/assistant/searches.ts'
import {
  showConversationEndpoint,
  deletionForms,
} from '../api/dashboard/projects/assistant/show-conversation.ts'
import { showUseEndpoint } from '../api/dashboard/projects/assistant/use.ts'
import { jobForms } from '../api/dashboard/projects/jobs/job-forms.ts'
import { listJobsEndpoint } from '../api/dashboard/projects/jobs/list-jobs.ts'
import { newJobEndpoint } from '../api/dashboard/projects/jobs/new-job/new-job-page.ts'
import { showJobEndpoint } from '../api/dashboard/projects/jobs/show-job.ts'
import { problemForms } from '../api/dashboard/projects/problems/problem-forms.ts'
import { showProblemsEndpoint } from '../api/dashboard/projects/problems/show-problems.ts'
import { showCommitEndpoint } from '../api/dashboard/projects/pulls/commits.ts'
import { listPullsEndpoint, pullForms } from '../api/dashboard/projects/pulls/pulls.ts'
import { reviewForms } from '../api/dashboard/projects/pulls/review-forms.ts'
import { showPullEndpoint } from '../api/dashboard/projects/pulls/show-pull.ts'
import { getImageEndpoint } from '../api/dashboard/review/get-image.ts'
import { showServerEndpoint } from '../api/dashboard/server/show-server.ts'
import { nounPages } from './nouns.ts'

/** What makes the pages for browsers, in the order in which addresses are looked up. */
const makers = [
  getAssetEndpoint,
  nounPages,
  streamChangesEndpoints,
  showServerEndpoint,
  showFindEndpoint,
  showReferenceEndpoints,
  showProblemsEndpoint,
  problemForms,
  listJobsEndpoint,
  // Before a job's page, whose address it would be too.
  newJobEndpoint,
  showJobEndpoint,
  jobForms,
  listPullsEndpoint,
  showPullEndpoint,
  pullForms,
  getImageEndpoint,
  showPlaygroundEndpoint,
  askPlaygroundEndpoint,
  listConversationsEndpoint,
  showConversationEndpoint,
  deletionForms,
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
export function pageEndpoints(pages: Pages, ports: Ports): Endpoint[] {
  return [
    ...makers.flatMap((make) => make(pages, ports)),
    // Comes last, for addresses that no page above has.
    pages.page('/projects/*', 'listProjects', () => Promise.reject(noSuchPage())),
  ]
}

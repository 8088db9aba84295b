import { exportThreadsEndpoint } from './export-threads.ts'
import { doorOf } from '../../verbs/http.ts'
import { insightForms } from './page.ts'
import { listConversationsEndpoint } from './pages/conversations.ts'
import { listSearchesEndpoint } from './pages/searches.ts'
import { showConversationEndpoint } from './pages/show-conversation.ts'
import { showUseEndpoint } from './pages/use.ts'
import { insightDeeds, workDeeds } from './run.ts'

/** What readers asked and searched: read, exported and deleted. */
export const insights = {
  endpoints: [doorOf(insightDeeds), exportThreadsEndpoint, doorOf(workDeeds)],
  pages: [
    insightForms,
    listConversationsEndpoint,
    showConversationEndpoint,
    listSearchesEndpoint,
    showUseEndpoint,
  ],
} as const

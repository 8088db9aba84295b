import { exportThreadsEndpoint } from '../../api/v2/insights/export-threads.ts'
import { doorOf } from '../../verbs/http.ts'
import { insightForms } from './page.ts'
import { insightDeeds, workDeeds } from './run.ts'

/** What readers asked and searched: read, exported and deleted. */
export const insights = {
  endpoints: [doorOf(insightDeeds), exportThreadsEndpoint, doorOf(workDeeds)],
  pages: [insightForms],
} as const

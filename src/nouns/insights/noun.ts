import { doorOf } from '../../verbs/http.ts'
import { insightForms } from './page.ts'
import { createAnswerJob, insightsEndpoints } from './run.ts'

/** What readers asked and searched. */
export const insights = {
  endpoints: [insightsEndpoints, doorOf([createAnswerJob])],
  pages: [insightForms],
} as const

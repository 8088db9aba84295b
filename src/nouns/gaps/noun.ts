import { doorOf } from '../../verbs/http.ts'
import { assistantOverviewEndpoint } from './overview-page.ts'
import { gapPages } from './page.ts'
import { gapDeeds } from './run.ts'

/** What readers ask and the documentation does not say. */
export const gaps = { endpoints: [doorOf(gapDeeds)], pages: [assistantOverviewEndpoint, gapPages] } as const

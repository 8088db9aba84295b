import { missingEndpoints } from './missing.ts'
import { oldAnalyticsEndpoints } from './old-analytics.ts'
import { oldJobEndpoints } from './old-jobs.ts'
import { oldUpdateEndpoints } from './old-updates.ts'

/** What clients ask that were written for an older interface. */
export const older = {
  endpoints: [oldJobEndpoints, oldUpdateEndpoints, oldAnalyticsEndpoints, missingEndpoints],
  pages: [],
} as const

import { reviewPages } from './page.ts'
import { reviewEndpoints } from './run.ts'

/** What people say about the lines of a job's change, and what of it they have viewed. */
export const reviews = { endpoints: [reviewEndpoints], pages: [reviewPages] } as const

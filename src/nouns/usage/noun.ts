import { doorOf } from '../../verbs/http.ts'
import { usageDeeds } from './run.ts'

/** What models and limits there are, and what of them is used. */
export const usage = { endpoints: [doorOf(usageDeeds)], pages: [] } as const

import { doorOf } from '../../verbs/http.ts'
import { impactPages } from './page.ts'
import { impactDeeds } from './run.ts'

/** Which pages a change of code touches, without a model. */
export const impact = { endpoints: [doorOf(impactDeeds)], pages: [impactPages] } as const

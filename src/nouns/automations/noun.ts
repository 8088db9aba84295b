import { doorOf } from '../../verbs/http.ts'
import { automationPages } from './page.ts'
import { automationDeeds } from './run.ts'

/** Rules that give the agent work. */
export const automations = { endpoints: [doorOf(automationDeeds)], pages: [automationPages] } as const

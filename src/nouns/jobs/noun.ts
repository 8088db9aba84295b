import { jobPages } from './page.ts'
import { jobEndpoints } from './run.ts'
import { jobToolsEndpoint } from './tools.ts'

/** The work of the agent, for people, programs and other agents. */
export const jobs = { endpoints: [jobEndpoints, jobToolsEndpoint], pages: [jobPages] } as const

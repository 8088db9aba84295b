import { docsToolsEndpoint } from './docs-tools.ts'
import { jobToolsEndpoint } from './job-tools.ts'
import { registrationEndpoint } from './refuse-registration.ts'
import { serverCardEndpoints } from './server-cards.ts'

/** Servers of the Model Context Protocol. */
export const tools = {
  endpoints: [serverCardEndpoints, docsToolsEndpoint, registrationEndpoint, jobToolsEndpoint],
  pages: [],
} as const

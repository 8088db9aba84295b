import { docsToolsEndpoint } from './docs-tools.ts'
import { registrationEndpoint } from './refuse-registration.ts'
import { serverCardEndpoints } from './server-cards.ts'

/** Servers of the Model Context Protocol, but for that of jobs. */
export const tools = {
  endpoints: [serverCardEndpoints, docsToolsEndpoint, registrationEndpoint],
  pages: [],
} as const

import { docsToolsEndpoint } from './docs-tools.ts'
import { serverCardEndpoints } from './server-cards.ts'

/** Servers of the Model Context Protocol, but for that of jobs. */
export const tools = {
  endpoints: [serverCardEndpoints, docsToolsEndpoint],
  pages: [],
} as const

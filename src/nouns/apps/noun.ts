import { doorOf } from '../../verbs/http.ts'
import { oauthEndpoints } from './oauth.ts'
import { appPages } from './page.ts'
import { appDeeds } from './run.ts'

/** Apps that people let use an MCP server here, by OAuth. */
export const apps = { endpoints: [oauthEndpoints, doorOf(appDeeds)], pages: [appPages] } as const

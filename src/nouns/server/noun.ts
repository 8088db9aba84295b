import { doorOf } from '../../verbs/http.ts'
import { backupEndpoint } from './backup.ts'
import { showFindEndpoint } from './find-page.ts'
import { showServerEndpoint } from './page.ts'
import { serverDeeds } from './run.ts'

/** The server itself, and the way to everything on it. */
export const server = {
  endpoints: [doorOf(serverDeeds), backupEndpoint],
  pages: [showServerEndpoint, showFindEndpoint],
} as const

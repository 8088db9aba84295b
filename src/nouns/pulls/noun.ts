import { pullPages } from './page.ts'
import { pullEndpoints } from './run.ts'

/** Pull requests: all of repositories on this server, those of jobs at a git host. */
export const pulls = { endpoints: [pullEndpoints], pages: [pullPages] } as const

import { AppError } from '../../lib/errors.ts'
import type { Forge } from './forge.ts'

/** The forge of plain git servers: branches are pushed, and people open pull requests themselves. */
export const plainForge: Forge = {
  branchesOnly: true,
  findByHead: async () => undefined,
  open: async () => {
    throw new AppError('internal', 'Plain git has no pull requests to open')
  },
  update: async (number) => {
    throw new AppError('not_found', `Pull request ${number} not found: this is plain git`)
  },
  read: async () => undefined,
  listOpen: async () => [],
  changedPaths: async () => [],
  commentsSince: async () => [],
}

import { AppError } from '../../../lib/errors.ts'
import { endPullRequest } from './end-pull-request.ts'
import type { LocalForgePorts, LocalProject } from './local-project.ts'
import { readPullRequest } from './pull-requests.ts'
import { syncPullRequest } from './sync-pull-request.ts'

/** Closes without merging; the branch stays. Closing again changes nothing. @throws AppError `not_found`, `conflict` */
export async function closePullRequest(
  ports: LocalForgePorts,
  project: LocalProject,
  number: number,
): Promise<void> {
  const row = await readPullRequest(ports.store.db, project.id, number)
  if (!row) throw new AppError('not_found', `There is no pull request ${number}`)
  const now = await syncPullRequest(ports, project, row)
  const { state } =
    now.state === 'open' ? await endPullRequest(ports, project.id, now, { state: 'closed' }) : now
  if (state === 'merged') throw new AppError('conflict', `Pull request ${number} is merged already`)
}

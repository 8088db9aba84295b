import { AppError } from '../../../../lib/errors.ts'
import type { Project } from '../../../../features/projects/projects.ts'
import type { RequestContext } from '../../../endpoint.ts'
import type { DashboardPorts, PullRequest } from '../../ports.ts'

/** The pull request that the path names, if there is one. */
export async function findPull(
  ports: Pick<DashboardPorts, 'pullRequests'>,
  context: RequestContext,
  project: Project,
): Promise<PullRequest | undefined> {
  const number = context.req.param('number') ?? ''
  return /^[1-9]\d{0,8}$/.test(number) ? ports.pullRequests.find(project, Number(number)) : undefined
}

export function noSuchPull(): AppError {
  return new AppError('not_found', 'This project has no such pull request')
}

import { notFound } from '../../api/errors.ts'
import type { HostedPull, HostedPulls } from '../../features/agent/hosts/hosted-pulls.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { PullRequests } from '../../features/projects/pull-requests.ts'
import type { PullRequest } from '../../integrations/forges/local/pull-request-detail.ts'
import { AppError } from '../../lib/errors.ts'
import { readWholeNumber } from '../../lib/whole-number.ts'

/** The pull request of this server that a path names. @throws AppError `not_found` */
export async function findPull(
  { pullRequests }: { pullRequests: Pick<PullRequests, 'find'> },
  project: Project,
  name: string | undefined,
): Promise<PullRequest> {
  requireLocal(project)
  const number = numberOf(name)
  const pull = number === 0 ? undefined : await pullRequests.find(project, number)
  if (!pull) throw notFound('pull request', name ?? '')
  return pull
}

/** The pull request of a job at a git host that a path names. @throws AppError `not_found` */
export async function findHostedPull(
  { hostedPulls }: { hostedPulls: HostedPulls },
  project: Project,
  name: string,
): Promise<HostedPull> {
  const number = numberOf(name)
  const pull = number === 0 ? undefined : await hostedPulls.find(project, number)
  if (!pull) throw notFound('pull request of a job', name)
  return pull
}

/** 0, which no pull request has, for what is no number. */
export function numberOf(name: string | undefined): number {
  return readWholeNumber(name) ?? 0
}

/** @throws AppError `not_found` for a project whose pull requests are at a git host */
export function requireLocal({ kind, location }: Project): void {
  if (kind === 'https')
    throw new AppError(
      'not_found',
      `The pull requests of this project are at its git host, ${location}, where this is done. Those of jobs can be read one by one, and merged`,
    )
}
